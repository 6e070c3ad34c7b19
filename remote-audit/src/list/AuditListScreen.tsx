import { audit } from '@dmp/contract'
import { call, useCan, useLookup } from '@dmp/kit'
import { Choice, ViewsMenu } from '@dmp/kit/form'
import { Link } from '@dmp/kit/router'
import { DateText, Screen } from '@dmp/kit/screen'
import { DataTable, toActor, type Column, type RowOf } from '@dmp/kit/table'
import { ChainSection } from '../shared/ChainSection.tsx'
import { formatEvent } from '../shared/auditTexts.ts'
import { formatSubject, formatWholeSubject } from '../shared/formatSubject.ts'
import { Affected } from '../shared/Affected.tsx'
import { AboutBar } from './AboutBar.tsx'
import { Days } from './Days.tsx'
import { listViews, outcomes, periods, useFilters } from './useFilters.ts'

type Row = RowOf<typeof audit.list>

const columns: Column<Row>[] = [
  {
    title: 'Time',
    field: 'at',
    type: 'date',
    width: 226,
    render: (row) => <DateText value={row.at} format="exact" />,
  },
  { title: 'Event', value: (row) => formatEvent(row.event), sort: 'event', width: 110 },
  {
    title: 'Outcome',
    // The badge says it in the language of the page.
    value: (row) => (row.outcome === 'success' ? 'Success' : 'Refused'),
    type: 'status',
    sort: 'outcome',
    tone: (value) => (value === 'Success' ? 'success' : 'danger'),
  },
  { title: 'Person', value: toActor, sort: 'actor', width: 110 },
  { title: 'Email', value: (row) => row.actorEmail ?? '', sort: false, hidden: true },
  { title: 'Organization', value: (row) => row.organization ?? '', sort: 'organization' },
  // Long UIDs would push the table out of its card.
  {
    title: 'Details',
    value: formatWholeSubject,
    render: (row) => (
      <bdi style={{ display: 'inline-block', minWidth: 180, overflowWrap: 'anywhere' }}>
        <Affected row={row} />
        {row.affected && ' '}
        {formatSubject(row)}
      </bdi>
    ),
    sort: false,
  },
  { title: 'Address', field: 'address' },
]

export function AuditListScreen() {
  const mayExport = useCan(audit.exportRows)
  const { event, outcome, period, days, setDay, lists, choose, about, setAbout, filters } = useFilters()
  const events = useLookup(audit.listEvents, {})
  const eventOptions = [
    { value: 'any', label: 'Any event' },
    ...(events.data ?? []).map((name) => ({ value: name, label: formatEvent(name) })),
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
      {period === 'days' && <Days days={days} setDay={setDay} />}
      <Choice
        label="Views of lists"
        options={listViews}
        value={lists}
        width={130}
        onChange={(value) => choose('lists', value)}
      />
    </>
  )
  return (
    <Screen
      title="Audit"
      help={[
        'What people and machines did, newest first, in a chain that shows when a record was changed or left out.',
        'Views of lists are hidden until you choose them.',
      ]}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'List' }]}
      actions={<Link to="/audit/alerts">Alerts</Link>}
    >
      <ChainSection />
      <AboutBar about={about} setAbout={setAbout} />
      <DataTable
        endpoint={audit.list}
        input={filters}
        columns={columns}
        label="Audit"
        rowKey={(row) => row.id}
        rowLink={(row) => `/audit/detail/${row.id}`}
        toolbar={toolbar}
        views={<ViewsMenu place="audit" allLabel="All records" />}
        empty={<p>Nothing that is recorded fits what is chosen above. What people do appears here at once.</p>}
        exportRows={mayExport && ((search) => call(audit.exportRows, { ...filters, ...(search && { search }) }))}
      />
    </Screen>
  )
}
