import { organization } from '@dmp/contract'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'

// The columns of 2.51, in its order.
const columns: Column<RowOf<typeof organization.list>>[] = [
  { title: 'Status', field: 'status', type: 'status', width: 160 },
  { title: 'Name', field: 'name' },
]

export function OrganizationListScreen() {
  return (
    <Screen title="Organizations" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}>
      <DataTable
        endpoint={organization.list}
        columns={columns}
        label="Organizations"
        rowKey={(row) => row.id}
        rowLink={(row) => `/organization/detail/${row.id}`}
      />
    </Screen>
  )
}
