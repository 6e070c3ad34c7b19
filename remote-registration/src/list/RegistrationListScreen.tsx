import { registration } from '@dmp/contract'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'

// The columns of 2.55, in its order.
const columns: Column<RowOf<typeof registration.list>>[] = [
  { title: 'Status', field: 'status', type: 'status' },
  { title: 'Registration Date', field: 'createdDate', type: 'date' },
  { title: 'First Name', value: (row) => row.contactInfo.firstName, sort: 'firstName' },
  { title: 'Last Name', value: (row) => row.contactInfo.lastName, sort: 'lastName' },
  { title: 'Email', value: (row) => row.contactInfo.email, sort: 'email' },
  { title: 'Organization', field: 'organizationName' },
]

export function RegistrationListScreen() {
  return (
    <Screen title="Registrations" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}>
      <DataTable
        endpoint={registration.list}
        columns={columns}
        label="Registrations"
        rowKey={(row) => row.id}
        rowLink={(row) => `/registration/detail/${row.id}`}
      />
    </Screen>
  )
}
