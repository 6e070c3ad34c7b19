import { complaint } from '@dmp/contract'
import { useCan } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button } from '@dmp/kit/ui'

// The columns of 2.48, in its order.
const columns: Column<RowOf<typeof complaint.list>>[] = [
  { title: 'Complaint #', field: 'complaintNumber', width: 128 },
  { title: 'Status', field: 'currentStatus', type: 'status', sort: 'status' },
  { title: 'Module', field: 'moduleAlias', sort: 'module' },
  { title: 'Severity', field: 'severity', type: 'status' },
  { title: 'Type', field: 'type' },
  { title: 'Description', field: 'description' },
  { title: 'Created Date', field: 'createdDate', type: 'date', width: 130 },
]

export function ComplaintListScreen() {
  const navigate = useNavigate()
  const mayAdd = useCan(complaint.add)
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
        columns={columns}
        label="Complaints"
        rowKey={(row) => row.id}
        rowLink={(row) => `/complaint/detail/${row.id}`}
      />
    </Screen>
  )
}
