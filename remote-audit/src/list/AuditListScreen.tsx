import { audit } from '@dmp/contract'
import { call, useCan, useLookup } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { DateText, Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { wordsOf } from '../shared/wordsOf'
import { outcomes, periods, useFilters } from './useFilters.ts'

type Row = RowOf<typeof audit.list>

const columns: Column<Row>[] = [
  {
    title: 'Time',
    field: 'at',
    type: 'date',
    width: 190,
    render: (row) => <DateText value={row.at} format="moment" />,
  },
  { title: 'Event', value: (row) => wordsOf(row.event), sort: 'event', width: 110 },
  {
    title: 'Outcome',
    value: (row) => wordsOf(row.outcome),
    type: 'status',
    sort: 'outcome',
    tone: (value) => (value === 'Success' ? 'success' : 'danger'),
  },
  { title: 'Who', value: (row) => row.actor ?? '', sort: 'actor', width: 110 },
  { title: 'Email', value: (row) => row.actorEmail ?? '', sort: false, hidden: true },
  { title: 'Organization', value: (row) => row.organization ?? '', sort: 'organization' },
  // Numbers as long as these would push the table out of its card.
  {
    title: 'About',
    value: aboutOf,
    render: (row) => (
      <span style={{ display: 'inline-block', minWidth: 180, overflowWrap: 'anywhere' }}>{aboutOf(row)}</span>
    ),
    sort: false,
  },
  { title: 'Address', field: 'address' },
]

/** One UID is told whole (DICOM PS3.5, 9.1), many are not; whole texts stand on the page of the row. */
const longestUid = 64
const shortened = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

function aboutOf({ subject }: Row): string {
  return shortened(subject.map(({ key, value }) => `${wordsOf(key)}: ${shortened(value, longestUid)}`).join(', '), 120)
}

export function AuditListScreen() {
  const mayExport = useCan(audit.exportRows)
  const { event, outcome, period, choose, filters } = useFilters()
  const events = useLookup(audit.listEvents, {})
  const eventOptions = [
    { value: 'any', label: 'Any event' },
    ...(events.data ?? []).map((name) => ({ value: name, label: wordsOf(name) })),
  ]
  const toolbar = (
    <>
      <Choice
        label="Event"
        options={eventOptions}
        value={event}
        loading={events.isPending}
        onChange={(value) => choose('event', value)}
      />
      <Choice
        label="Outcome"
        options={outcomes}
        value={outcome}
        width={140}
        onChange={(value) => choose('outcome', value)}
      />
      <Choice
        label="Period"
        options={periods}
        value={period}
        width={150}
        onChange={(value) => choose('period', value)}
      />
    </>
  )
  return (
    <Screen title="Audit" breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}>
      <DataTable
        endpoint={audit.list}
        input={filters}
        columns={columns}
        label="Audit"
        rowKey={(row) => row.id}
        rowLink={(row) => `/audit/detail/${row.id}`}
        toolbar={toolbar}
        exportRows={mayExport && ((search) => call(audit.exportRows, { ...filters, ...(search && { search }) }))}
      />
    </Screen>
  )
}
