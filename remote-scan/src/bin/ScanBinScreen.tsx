import { useState, type ReactNode } from 'react'
import { scan } from '@dmp/contract'
import type { BinEntry } from '@dmp/contract/scan'
import { formatBytes, settings, useCan } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { DataTable, type Column } from '@dmp/kit/table'
import { Button, Flex } from '@dmp/kit/ui'
import { daysText } from '../shared/counts.ts'
import { OrganizationChoice } from '../shared/OrganizationChoice.tsx'
import { ScanOrganization } from '../shared/ScanOrganization.tsx'
import { describeEntry, nameEntry } from './entryTexts.ts'
import { HoldModal } from './HoldModal.tsx'
import { HoldsTable } from './HoldsTable.tsx'
import { PurgeModal } from './PurgeModal.tsx'
import { RestoreButton } from './RestoreButton.tsx'

type Asked = { readonly kind: 'purge' | 'hold'; readonly entry: BinEntry }

/** What was deleted and can be taken back, and what nobody may delete. */
export function ScanBinScreen() {
  const mayList = useCan(scan.listBin)
  const days = settings().binDays ?? 0
  return (
    <Screen
      title="Bin"
      help={[
        'Restore brings a scan back with its images, without its share links.',
        'A study under legal hold can be deleted by nobody, and stays until the hold is ended.',
      ]}
      breadcrumbs={[{ name: 'Dashboard', url: '/dashboard' }, { name: 'Scans', url: '/scan' }, { name: 'Bin' }]}
    >
      {mayList ? (
        <>
          <p>
            {days > 0
              ? `Deleted scans stay here for ${daysText(days)}, and nobody sees them anywhere else. Then their images go for good. They take up room until then.`
              : 'Deleted scans are gone at once in this installation, so nothing new comes into the bin.'}
          </p>
          <ScanOrganization>
            {(organization) => (
              <Bin
                key={organization.id}
                organizationId={organization.id}
                toolbar={<OrganizationChoice {...organization} />}
              />
            )}
          </ScanOrganization>
        </>
      ) : (
        <p>Your account is not allowed to see the bin. Ask an administrator of your organization.</p>
      )}
    </Screen>
  )
}

function Bin({ organizationId, toolbar }: { organizationId: string; toolbar: ReactNode }) {
  const [asked, setAsked] = useState<Asked>()
  const mayHold = useCan(scan.hold)
  const close = () => setAsked(undefined)
  return (
    <>
      <DataTable
        endpoint={scan.listBin}
        input={{ organizationId }}
        columns={[...columns, createActions(setAsked)]}
        label="Deleted scans"
        rowKey={(row) => row.id}
        // Names of patients.
        searchInUrl={false}
        toolbar={toolbar}
        empty={<p>Nothing is in the bin.</p>}
      />
      {mayHold && <HoldsTable organizationId={organizationId} />}
      {asked?.kind === 'purge' && <PurgeModal entry={asked.entry} onClose={close} />}
      {asked?.kind === 'hold' && (
        <HoldModal
          organizationId={organizationId}
          studyUID={asked.entry.studyUID}
          name={nameEntry(asked.entry)}
          onClose={close}
        />
      )}
    </>
  )
}

const columns: Column<BinEntry>[] = [
  { title: 'Patient Name', field: 'patientName' },
  { title: 'Scan', value: describeEntry, sort: 'seriesDescription' },
  { title: 'Images', field: 'images' },
  { title: 'Size', value: (row) => formatBytes(row.bytes), sort: 'bytes' },
  { title: 'Deleted', field: 'deletedDate', type: 'date' },
  { title: 'Deleted By', field: 'deletedByUser' },
  { title: 'Gone For Good', value: (row) => row.purgeDate, type: 'date', sort: false },
  {
    title: 'Legal Hold',
    value: (row) => (row.hold ? `${row.hold.reason} (${row.hold.heldByUser})` : null),
    sort: false,
  },
]

const createActions = (onAsk: (asked: Asked) => void): Column<BinEntry> => ({
  title: 'Actions',
  value: () => '',
  sort: false,
  render: (entry) => <EntryActions entry={entry} onAsk={onAsk} />,
})

function EntryActions({ entry, onAsk }: { entry: BinEntry; onAsk: (asked: Asked) => void }) {
  const mayRestore = useCan(scan.restore)
  const mayPurge = useCan(scan.purge)
  const mayHold = useCan(scan.hold)
  const name = nameEntry(entry)
  return (
    <Flex wrap gap="small">
      {mayRestore && <RestoreButton entry={entry} />}
      {mayHold && entry.hold === null && (
        <Button size="small" aria-label={`Put ${name} under legal hold`} onClick={() => onAsk({ kind: 'hold', entry })}>
          Hold
        </Button>
      )}
      {mayPurge && entry.hold === null && (
        <Button
          size="small"
          danger
          aria-label={`Delete for good: ${name}`}
          onClick={() => onAsk({ kind: 'purge', entry })}
        >
          Delete for good
        </Button>
      )}
    </Flex>
  )
}
