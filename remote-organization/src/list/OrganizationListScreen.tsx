import { organization } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { ViewsMenu } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'

// The columns of 2.51, in its order.
const columns: Column<RowOf<typeof organization.list>>[] = [
  { title: 'Status', field: 'status', type: 'status', width: 160 },
  { title: 'Name', field: 'name' },
]

export function OrganizationListScreen() {
  const navigate = useNavigate()
  const mayAdd = useCan(organization.add)
  const addButton = (
    <Button type="primary" onClick={() => navigate('/organization/add')}>
      Add organization
    </Button>
  )
  return (
    <Screen
      title="Organizations"
      help={['Each customer with its datastore and its licenses. Open one to change it.']}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}
      actions={
        mayAdd && (
          <>
            <Button onClick={() => navigate('/organization/setup')}>Set-up checklist</Button>
            {addButton}
          </>
        )
      }
    >
      <DataTable
        endpoint={organization.list}
        columns={columns}
        label="Organizations"
        rowKey={(row) => row.id}
        rowLink={(row) => `/organization/detail/${row.id}`}
        views={<ViewsMenu place="organization" allLabel="All organizations" />}
      />
    </Screen>
  )
}
