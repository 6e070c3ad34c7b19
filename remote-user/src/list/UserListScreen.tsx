import { businessUser } from '@dmp/contract'
import { dataWord, useCan } from '@dmp/kit'
import { ViewsMenu } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'
import { useState } from 'react'
import { SendTermsModal } from './SendTermsModal.tsx'

// The columns of 2.60, in its order.
const columns: Column<RowOf<typeof businessUser.list>>[] = [
  { title: 'Status', value: (row) => row.status.status, type: 'status', sort: 'status' },
  { title: 'Organization', value: (row) => row.organization.name, sort: 'organization' },
  { title: 'First Name', field: 'firstName' },
  { title: 'Last Name', field: 'lastName' },
  { title: 'User Type', value: (row) => dataWord(row.role.roleDisplayName), sort: 'userType' },
  { title: 'Email', field: 'email', link: true },
]

export function UserListScreen() {
  const navigate = useNavigate()
  const maySendTerms = useCan(businessUser.sendUpdatedTermsOfUse)
  const mayAdd = useCan(businessUser.add)
  const [isSending, setSending] = useState(false)
  const actions = (
    <>
      {maySendTerms && <Button onClick={() => setSending(true)}>Send Updated Terms</Button>}
      {mayAdd && (
        <Button type="primary" onClick={() => navigate('/user/add')}>
          Add User
        </Button>
      )}
    </>
  )
  return (
    <Screen
      title="Users"
      help={['Whoever has an account. A deactivated person cannot sign in, and what they did stays in the audit.']}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}
      actions={actions}
    >
      <DataTable
        endpoint={businessUser.list}
        columns={columns}
        label="Users"
        rowKey={(row) => row.id}
        rowLink={(row) => `/user/detail/${row.id}`}
        views={<ViewsMenu place="user" allLabel="All users" />}
        empty={
          mayAdd ? (
            <>
              <p>Add the first person. They get a temporary password by mail.</p>
              <Button onClick={() => navigate('/user/add')}>Add the first user</Button>
            </>
          ) : (
            <p>Your administrator adds people.</p>
          )
        }
      />
      {isSending && <SendTermsModal onClose={() => setSending(false)} />}
    </Screen>
  )
}
