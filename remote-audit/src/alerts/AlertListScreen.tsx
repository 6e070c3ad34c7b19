import { audit, may } from '@dmp/contract'
import { useCan, personName } from '@dmp/kit'
import { Choice, ViewsMenu } from '@dmp/kit/form'
import { Link, useSearchParams } from '@dmp/kit/router'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, type RowOf } from '@dmp/kit/table'
import { StatusBadge } from '@dmp/kit/ui'
import { toRuleText, toStateText, toStateTone } from './alertTexts.ts'
import './alerts.css'

type Row = RowOf<typeof audit.listAlerts>

const columns: Column<Row>[] = [
  { title: 'Told on', field: 'raisedDate', type: 'date' },
  { title: 'Person', value: (row) => personName(row.person), sort: 'person', link: true },
  { title: 'What', value: (row) => toRuleText(row.rule), sort: 'rule' },
  { title: 'Patients', field: 'patients' },
  {
    title: 'State',
    value: toStateText,
    sort: false,
    render: (row) => <StatusBadge value={toStateText(row)} tone={toStateTone(row)} />,
  },
  { title: 'Looked into by', value: (row) => personName(row.acknowledgedBy ?? ''), sort: false },
  { title: 'Note', value: (row) => row.note ?? '', sort: false },
  { title: 'Email', value: (row) => row.personEmail, sort: false, hidden: true },
  { title: 'Organization', field: 'organization', hidden: true },
]

const states = [
  { value: 'any', label: 'All' },
  { value: 'open', label: 'Open' },
  { value: 'acknowledged', label: 'Looked into' },
] as const

/** What administrators were told of how patients are looked at, and what came of it. */
export function AlertListScreen() {
  const [search, setSearch] = useSearchParams()
  const maySet = useCan(may('Organization', 'Update'))
  const seesMany = useCan(may('Organization', 'List'))
  const state = states.find(({ value }) => value === search.get('state'))?.value ?? 'any'
  const choose = (value: string) =>
    setSearch(
      (params) => {
        if (value === 'any') params.delete('state')
        else params.set('state', value)
        params.delete('page')
        return params
      },
      { replace: true },
    )
  return (
    <Screen
      title="Alerts"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Audit', url: '/audit' }, { name: 'Alerts' }]}
    >
      <p className="audit-alerts-note">
        An alert says that somebody opened many patients in a short time, patients out of hours, or a patient with a
        name like their own. It is a reason to ask, not a proof. Nobody sees the alerts about themselves.{' '}
        <Link to="/account/inbox">How you are told</Link>
        {maySet && !seesMany && (
          <>
            {' · '}
            <Link to="/account/organization">Rules of your organization</Link>
          </>
        )}
      </p>
      <DataTable
        endpoint={audit.listAlerts}
        input={state === 'any' ? {} : { state }}
        columns={columns}
        label="Alerts"
        rowKey={(row) => row.id}
        rowLink={(row) => `/audit/alerts/${row.id}`}
        toolbar={<Choice label="State" options={states} value={state} width={150} onChange={choose} />}
        views={<ViewsMenu place="alert" allLabel="All alerts" />}
        empty={<p>No alert. When a rule finds something, it stands here within a minute.</p>}
      />
    </Screen>
  )
}
