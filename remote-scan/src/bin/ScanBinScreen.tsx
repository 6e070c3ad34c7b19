import { useMemo, useState, type ReactNode } from 'react'
import { scan } from '@dmp/contract'
import type { BinEntry } from '@dmp/contract/scan'
import { formatBytes, settings, useCan, personName } from '@dmp/kit'
import { DateText, formatDate, Screen } from '@dmp/kit/screen'
import { DataTable, type Column } from '@dmp/kit/table'
import { Flex, MenuButton } from '@dmp/kit/ui'
import { MoreIcon } from '../shared/icons.tsx'
import { daysText } from '../shared/counts.ts'
import { OrganizationChoice } from '../shared/OrganizationChoice.tsx'
import { ScanOrganization } from '../shared/ScanOrganization.tsx'
import { describeEntry, nameEntry, toHoldText } from './entryTexts.ts'
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
  const shown = useMemo(() => [...columns, createActions(setAsked)], [])
  const mayHold = useCan(scan.hold)
  const close = () => setAsked(undefined)
  return (
    <>
      <DataTable
        endpoint={scan.listBin}
        input={{ organizationId }}
        columns={shown}
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
  { title: 'Patient ID', value: (row) => row.patientID, sort: false },
  { title: 'Scan', value: describeEntry, sort: 'seriesDescription' },
  { title: 'Images', value: (row) => row.imageInstances ?? row.images, sort: 'images' },
  { title: 'Size', value: (row) => formatBytes(row.bytes), sort: 'bytes', hidden: true },
  { title: 'Deleted', field: 'deletedDate', type: 'date' },
  { title: 'Deleted By', field: 'deletedByUser', value: (row) => personName(row.deletedByUser) },
  {
    title: 'Gone For Good',
    value: (row) => toHoldText(row) || formatDate(row.purgeDate, 'short'),
    sort: false,
    render: (row) => (row.hold ? <bdi>{toHoldText(row)}</bdi> : <DateText value={row.purgeDate} format="short" />),
  },
]

const createActions = (onAsk: (asked: Asked) => void): Column<BinEntry> => ({
  title: 'Actions',
  acts: true,
  value: () => '',
  sort: false,
  render: (entry) => <EntryActions entry={entry} onAsk={onAsk} />,
})

function EntryActions({ entry, onAsk }: { entry: BinEntry; onAsk: (asked: Asked) => void }) {
  const mayRestore = useCan(scan.restore)
  const mayPurge = useCan(scan.purge)
  const mayHold = useCan(scan.hold)
  const name = nameEntry(entry)
  // What is held stays, and one hold is enough.
  const isHeld = entry.hold !== null
  const items = [
    ...(mayHold && !isHeld ? [{ key: 'hold', label: 'Put under legal hold…' }] : []),
    ...(mayPurge && !isHeld ? [{ key: 'purge', label: 'Delete for good…' }] : []),
  ]
  return (
    <Flex gap="small">
      {mayRestore && <RestoreButton entry={entry} />}
      {items.length > 0 && (
        <MenuButton
          label={`More for ${name}`}
          icon={<MoreIcon />}
          items={items}
          onChoose={(key) => onAsk({ kind: key === 'hold' ? 'hold' : 'purge', entry })}
        />
      )}
    </Flex>
  )
}
