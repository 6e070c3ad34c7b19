import { organization, registration } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { useNavigate, useSearchParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'

// The columns of 2.55, in its order.
const columns: Column<RowOf<typeof registration.list>>[] = [
  { title: 'Status', field: 'status', type: 'status' },
  { title: 'Registration Date', field: 'createdDate', type: 'date' },
  { title: 'First Name', value: (row) => row.contactInfo.firstName, sort: 'firstName' },
  { title: 'Last Name', value: (row) => row.contactInfo.lastName, sort: 'lastName' },
  { title: 'Email', value: (row) => row.contactInfo.email, sort: 'email' },
  { title: 'Organization', field: 'organizationName' },
]

/** The address holds the choice, so that the dashboard can lead to the registrations that it counts. */
const statuses = [
  { value: 'all', label: 'All registrations' },
  { value: 'New', label: 'New: pending' },
  { value: 'Approved', label: 'Approved' },
  { value: 'Rejected', label: 'Rejected' },
]

/** Customers come by themselves, or somebody brings them. */
function NoRegistrations() {
  const navigate = useNavigate()
  const mayAdd = useCan(organization.add)
  return (
    <>
      <p>New customers register at {`${window.location.origin}/register`}. Give them this address.</p>
      {mayAdd && <Button onClick={() => navigate('/organization/add')}>Add an organization yourself</Button>}
    </>
  )
}

export function RegistrationListScreen() {
  const [address, setAddress] = useSearchParams()
  const status = registration.registrationStatusNames.find((name) => name === address.get('status'))
  const choose = (next: string) =>
    setAddress(
      (params) => {
        if (next === 'all') params.delete('status')
        else params.set('status', next)
        params.delete('page')
        return params
      },
      { replace: true },
    )
  return (
    <Screen title="Registrations" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}>
      <DataTable
        endpoint={registration.list}
        input={status ? { status } : {}}
        columns={columns}
        label="Registrations"
        rowKey={(row) => row.id}
        rowLink={(row) => `/registration/detail/${row.id}`}
        empty={!status && <NoRegistrations />}
        toolbar={<Choice label="Shown" options={statuses} value={status ?? 'all'} onChange={choose} />}
      />
    </Screen>
  )
}
