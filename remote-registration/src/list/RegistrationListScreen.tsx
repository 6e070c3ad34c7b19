import { organization, registration } from '@dmp/contract'
import { waitNames, waits } from '@dmp/contract/waits'
import { useCan } from '@dmp/kit'
import { Choice, ViewsMenu } from '@dmp/kit/form'
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
  { value: 'New', label: 'New' },
  { value: 'Approved', label: 'Approved' },
  { value: 'Rejected', label: 'Rejected' },
]

/** Offered where new registrations are shown: the others wait for nobody. */
const ages = [{ value: 'any', label: 'Of any age' }, ...waitNames.map((value) => ({ value, label: waits[value].text }))]

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
  const wait = status === 'New' ? waitNames.find((one) => one === address.get('wait')) : undefined
  const choose = (name: 'status' | 'wait', next: string) =>
    setAddress(
      (params) => {
        if (next === 'all' || next === 'any') params.delete(name)
        else params.set(name, next)
        if (params.get('status') !== 'New') params.delete('wait')
        params.delete('page')
        return params
      },
      { replace: true },
    )
  return (
    <Screen
      title="Registrations"
      help={[
        'Somebody asks for an account for an organization. Open one to approve or reject it.',
        'Approval makes the organization and invites its first administrator by mail. A rejection wants a comment, and can still be approved.',
      ]}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}
    >
      <DataTable
        endpoint={registration.list}
        input={{ ...(status && { status }), ...(wait && { wait }) }}
        columns={columns}
        label="Registrations"
        rowKey={(row) => row.id}
        rowLink={(row) => `/registration/detail/${row.id}`}
        empty={!status && <NoRegistrations />}
        toolbar={
          <>
            <Choice
              label="Shown"
              options={statuses}
              value={status ?? 'all'}
              onChange={(next) => choose('status', next)}
            />
            {status === 'New' && (
              <Choice label="Age" options={ages} value={wait ?? 'any'} onChange={(next) => choose('wait', next)} />
            )}
          </>
        }
        views={<ViewsMenu place="registration" allLabel="All registrations" />}
      />
    </Screen>
  )
}
