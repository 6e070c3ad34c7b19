import { complaint } from '@dmp/contract'
import { waitNames, waits } from '@dmp/contract/waits'
import { dataWord, useCan } from '@dmp/kit'
import { Choice, ViewsMenu } from '@dmp/kit/form'
import { useNavigate, useSearchParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { Button, StatusBadge } from '@dmp/kit/ui'
import './list.css'

// The columns of 2.48, in its order.
const columns: Column<RowOf<typeof complaint.list>>[] = [
  { title: 'Complaint #', field: 'complaintNumber', copies: true, width: 128 },
  {
    title: 'Status',
    field: 'currentStatus',
    type: 'status',
    sort: 'status',
    render: ({ currentStatus, isOverdue = false }) => (
      <>
        <StatusBadge value={currentStatus} /> {isOverdue && <StatusBadge value="Overdue" tone="danger" />}
      </>
    ),
  },
  { title: 'Module', value: ({ moduleAlias }) => dataWord(moduleAlias), sort: 'module' },
  { title: 'Severity', field: 'severity', type: 'status' },
  { title: 'Type', value: ({ type }) => dataWord(type), sort: 'type' },
  {
    title: 'Description',
    field: 'description',
    render: ({ description }) => (
      <bdi className="complaint-description" title={description}>
        {description}
      </bdi>
    ),
  },
  { title: 'Created Date', field: 'createdDate', type: 'date', width: 130 },
  // Beside those of 2.48, for whoever wants them.
  { title: 'Organization', field: 'organization', hidden: true },
  { title: 'Assignee', field: 'assignee', hidden: true },
  { title: 'Due', field: 'dueDate', type: 'date', hidden: true },
]

/** The address holds the choice, so that the dashboard can lead to the complaints that it counts. */
const shown = [
  { value: 'all', label: 'All complaints' },
  { value: 'open', label: 'Open complaints' },
  { value: 'overdue', label: 'Overdue complaints' },
] as const
const ownShown = { value: 'mine', label: 'Assigned to me' } as const

/** Offered where open complaints are shown: nobody waits for the others. */
const ages = [
  { value: 'any', label: 'Of any age' },
  ...waitNames.map((value) => ({ value, label: waits[value].text })),
] as const

export function ComplaintListScreen() {
  const navigate = useNavigate()
  const mayAdd = useCan(complaint.add)
  const [address, setAddress] = useSearchParams()
  const mayHandle = useCan(complaint.assign)
  const state = complaint.complaintStates.find((one) => one === address.get('state'))
  const wait = state && waitNames.find((one) => one === address.get('wait'))
  const choose = (name: 'state' | 'wait', next: string) =>
    setAddress(
      (params) => {
        if (next !== 'all' && next !== 'any') params.set(name, next)
        else params.delete(name)
        if (!params.has('state')) params.delete('wait')
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
      help={[
        'A complaint says what does not work as it should. Open one to follow what is done about it, and to write to those who handle it.',
        'Overdue means that the day somebody set for it has passed.',
      ]}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}
      actions={mayAdd && makeComplaint}
    >
      <DataTable
        endpoint={complaint.list}
        input={{ ...(state && { state }), ...(wait && { wait }) }}
        columns={columns}
        label="Complaints"
        rowKey={(row) => row.id}
        rowLink={(row) => `/complaint/detail/${row.id}`}
        toolbar={
          <>
            <Choice
              label="Shown"
              options={mayHandle ? [...shown, ownShown] : shown}
              value={state ?? 'all'}
              onChange={(next) => choose('state', next)}
            />
            {state && (
              <Choice label="Age" options={ages} value={wait ?? 'any'} onChange={(next) => choose('wait', next)} />
            )}
          </>
        }
        views={<ViewsMenu place="complaint" allLabel="All complaints" />}
        empty={
          state === undefined &&
          (mayAdd ? (
            <>
              <p>Nobody has complained so far. Tell us when something does not work as it should.</p>
              <Button onClick={() => navigate('/complaint/add')}>Make the first complaint</Button>
            </>
          ) : (
            <p>Complaints appear here as soon as somebody makes one.</p>
          ))
        }
      />
    </Screen>
  )
}
