import { scan } from '@dmp/contract'
import type { LegalHold } from '@dmp/contract/scan'
import { personName } from '@dmp/kit'
import { Section } from '@dmp/kit/screen'
import { DataTable, type Column } from '@dmp/kit/table'
import { EndHoldButton } from './EndHoldButton.tsx'

const columns: Column<LegalHold>[] = [
  { title: 'Patient Name', field: 'patientName' },
  { title: 'Study', value: (row) => row.studyDescription, sort: false },
  { title: 'Reason', value: (row) => row.reason, sort: false },
  { title: 'Held By', field: 'heldByUser', value: (row) => personName(row.heldByUser) },
  { title: 'Since', field: 'heldDate', type: 'date' },
  { title: 'Actions', acts: true, value: () => '', sort: false, render: (row) => <EndHoldButton hold={row} /> },
]

/** Studies that nobody may delete. */
export function HoldsTable({ organizationId }: { organizationId: string }) {
  return (
    <Section title="Legal holds">
      <DataTable
        endpoint={scan.listHolds}
        input={{ organizationId }}
        columns={columns}
        label="Legal holds"
        rowKey={(row) => row.id}
        // Names of patients.
        searchInUrl={false}
        empty={<p>No study is under legal hold.</p>}
      />
    </Section>
  )
}
