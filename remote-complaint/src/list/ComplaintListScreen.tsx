import { complaint } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { useNavigate, useSearchParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'
import './list.css'

// The columns of 2.48, in its order.
const columns: Column<RowOf<typeof complaint.list>>[] = [
  { title: 'Complaint #', field: 'complaintNumber', width: 128 },
  { title: 'Status', field: 'currentStatus', type: 'status', sort: 'status' },
  { title: 'Module', field: 'moduleAlias', sort: 'module' },
  { title: 'Severity', field: 'severity', type: 'status' },
  { title: 'Type', field: 'type' },
  {
    title: 'Description',
    field: 'description',
    render: ({ description }) => (
      <span className="complaint-description" title={description}>
        {description}
      </span>
    ),
  },
  { title: 'Created Date', field: 'createdDate', type: 'date', width: 130 },
]

/** The address holds the choice, so that the dashboard can lead to the complaints that it counts. */
const shown = [
  { value: 'all', label: 'All complaints' },
  { value: 'open', label: 'Open complaints' },
]

export function ComplaintListScreen() {
  const navigate = useNavigate()
  const mayAdd = useCan(complaint.add)
  const [address, setAddress] = useSearchParams()
  const isOpenOnly = address.get('state') === 'open'
  const choose = (state: string) =>
    setAddress(
      (params) => {
        if (state === 'open') params.set('state', state)
        else params.delete('state')
        params.delete('page')
        return params
      },
      { replace: true },
    )
  const makeComplaint = (
    <Button type="primary" onClick={() => navigate('/complaint/add')}>
      Make a complaint
    </Button>
  )
  return (
    <Screen
      title="Complaints"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}
      actions={mayAdd && makeComplaint}
    >
      <DataTable
        endpoint={complaint.list}
        input={isOpenOnly ? { state: 'open' } : {}}
        columns={columns}
        label="Complaints"
        rowKey={(row) => row.id}
        rowLink={(row) => `/complaint/detail/${row.id}`}
        empty={
          !isOpenOnly &&
          (mayAdd ? (
            <>
              <p>Nobody has complained so far. Tell us when something does not work as it should.</p>
              <Button onClick={() => navigate('/complaint/add')}>Make the first complaint</Button>
            </>
          ) : (
            <p>Complaints appear here as soon as somebody makes one.</p>
          ))
        }
        toolbar={<Choice label="Shown" options={shown} value={isOpenOnly ? 'open' : 'all'} onChange={choose} />}
      />
    </Screen>
  )
}
