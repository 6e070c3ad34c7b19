import { useMemo, useState, type ReactNode } from 'react'
import { scan } from '@dmp/contract'
import type { Conflict } from '@dmp/contract/scan'
import { dataWord, refresh, useCan } from '@dmp/kit'
import { Choice } from '@dmp/kit/form'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column, useEvery } from '@dmp/kit/table'
import { Button, StatusBadge } from '@dmp/kit/ui'
import { OrganizationChoice } from '../shared/OrganizationChoice.tsx'
import { noNameText } from '../shared/scanSubject.ts'
import { ScanOrganization } from '../shared/ScanOrganization.tsx'
import { ConflictModal } from './ConflictModal.tsx'
import { getSender, kindLabels } from './conflictTexts.ts'

/** An upload somewhere else shows here after at most this time. */
const pollMs = 5000

/** Images that contradict what is stored: refused, or merged by earlier versions. */
export function ScanConflictsScreen() {
  const mayList = useCan(scan.listConflicts)
  return (
    <Screen
      title="Conflicts"
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Scans', url: '/scan' }, { name: 'Conflicts' }]}
    >
      {mayList ? (
        <>
          <p>
            Images that contradict what is stored are refused, and nothing that is stored changes. Here you see both
            sides and what you can do.
          </p>
          <ScanOrganization>
            {(organization) => (
              <ConflictTable
                key={organization.id}
                organizationId={organization.id}
                toolbar={<OrganizationChoice {...organization} />}
              />
            )}
          </ScanOrganization>
        </>
      ) : (
        <p>Your account is not allowed to see conflicts. Ask an administrator of your organization.</p>
      )}
    </Screen>
  )
}

const states = [
  { value: 'open', label: 'Undecided' },
  { value: 'settled', label: 'Settled' },
  { value: 'all', label: 'All' },
]

function ConflictTable({ organizationId, toolbar }: { organizationId: string; toolbar: ReactNode }) {
  const [state, setState] = useState('open')
  const [compared, setCompared] = useState<Conflict>()
  const columns = useMemo(() => createColumns(setCompared), [])
  // Uploads of other people do not announce themselves.
  useEvery(pollMs, () => refresh([scan.listConflicts]))
  return (
    <>
      <DataTable
        endpoint={scan.listConflicts}
        input={{ organizationId, ...(state === 'open' || state === 'settled' ? { state } : {}) }}
        columns={columns}
        label="Conflicts"
        rowKey={(row) => row.id}
        // Names of patients.
        searchInUrl={false}
        toolbar={
          <>
            {toolbar}
            <Choice label="State" options={states} value={state} onChange={setState} />
          </>
        }
        empty={state === 'open' && <p>Nothing contradicts what is stored.</p>}
      />
      {compared && <ConflictModal conflict={compared} onClose={() => setCompared(undefined)} />}
    </>
  )
}

const namePatient = ({ patientName, patientID }: Conflict['stored']): string =>
  [patientName ?? noNameText(), patientID].filter(Boolean).join(' · ')

const toOutcomeText = ({ isStored }: Conflict): string => (isStored ? 'Both stored' : 'Refused')

const createColumns = (onCompare: (conflict: Conflict) => void): Column<Conflict>[] => [
  { title: 'Last Arrived', field: 'lastDate', type: 'date' },
  { title: 'Conflict', value: (row) => kindLabels[row.kind], sort: 'kind' },
  { title: 'Stored', value: (row) => namePatient(row.stored), sort: 'patientName' },
  { title: 'Arrived', value: (row) => namePatient(row.arrived), sort: 'arrivedPatientName' },
  { title: 'Images', field: 'objects' },
  {
    title: 'Outcome',
    value: toOutcomeText,
    render: (row) => <StatusBadge value={toOutcomeText(row)} tone={row.isStored ? 'warning' : 'secondary'} />,
    sort: false,
  },
  {
    title: 'What to do',
    acts: true,
    value: () => '',
    sort: false,
    render: (row) => (
      <Button
        size="small"
        aria-label={`Compare ${namePatient(row.stored)} with ${namePatient(row.arrived)}`}
        onClick={() => onCompare(row)}
      >
        Compare
      </Button>
    ),
  },
  { title: 'Source', value: (row) => dataWord(row.source), sort: false, hidden: true },
  { title: 'Sent By', value: getSender, sort: false, hidden: true },
]
