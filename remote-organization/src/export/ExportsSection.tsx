import { useState } from 'react'
import { limits, organization } from '@dmp/contract'
import { isExportOpen, type OrganizationExport } from '@dmp/contract/organization'
import { formatBytes, formatNumber, personName, useLookup } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { SimpleTable, type Column, useEvery } from '@dmp/kit/table'
import { Button, Progress, Skeleton, StatusBadge, type BadgeTone } from '@dmp/kit/ui'
import { DownloadExportModal } from './DownloadExportModal.tsx'
import { EndExportModal } from './EndExportModal.tsx'
import { StartExportModal } from './StartExportModal.tsx'
import './export.css'

const pollMs = 2000
const none: readonly OrganizationExport[] = []

const tones: Readonly<Record<organization.ExportState, BadgeTone>> = {
  Waiting: 'secondary',
  Running: 'primary',
  Ready: 'success',
  Failed: 'danger',
  Ended: 'secondary',
  Expired: 'secondary',
}

type Shown = { readonly kind: 'start' } | { readonly kind: 'download' | 'end'; readonly item: OrganizationExport }

/** What an export is, the one that is under way, and the last ones. */
export function ExportsSection({ id, name }: { id: string; name: string }) {
  const { data: exports = none, error, isPending, isFetching, refetch } = useLookup(organization.listExports, { id })
  const [shown, setShown] = useState<Shown>()
  const close = () => setShown(undefined)
  const runs = exports.some(isExportOpen)

  // Asks again while an export is under way, and breaks off no answer that takes longer.
  useEvery(runs && !isFetching ? pollMs : undefined, refetch)

  return (
    <>
      <Section title={`Export of ${name}`}>
        <div className="organization-export">
          <p>
            One archive (zip) of everything: the scans as DICOM media that any viewer opens, and people, complaints,
            links and the audit trail as readable files, with a hash of each file. Passwords and secrets are left out.
          </p>
          <p className="dmp-quiet">
            It is prepared in the background and stays for {limits.exportDays} days. It holds patient data: keep it
            where such data may lie.
          </p>
          <Button type="primary" disabled={isPending || runs} onClick={() => setShown({ kind: 'start' })}>
            Start export
          </Button>
          {runs && <p className="dmp-quiet">An export is under way. You are told when it is ready.</p>}
        </div>
      </Section>
      <Section title="Exports">
        <ErrorAlert error={error} onRetry={refetch} />
        {isPending ? (
          <Skeleton />
        ) : (
          <SimpleTable
            rows={exports}
            columns={toColumns(setShown)}
            label="Exports"
            rowKey={(row) => row.id}
            emptyText="Nothing was exported in the last months."
          />
        )}
      </Section>
      {shown?.kind === 'start' && <StartExportModal id={id} name={name} onClose={close} />}
      {shown?.kind === 'download' && <DownloadExportModal id={id} item={shown.item} onClose={close} />}
      {shown?.kind === 'end' && <EndExportModal id={id} item={shown.item} onClose={close} />}
    </>
  )
}

/** Words of their own, so that they are translated. */
const unknownText = (): string => 'Somebody'
const endedText = (by: string): string => `${by} ended it.`

function toSentence(reason: organization.ExportReason, endedBy: string | null): string {
  switch (reason) {
    case 'Person':
      return endedText(endedBy === null ? unknownText() : personName(endedBy))
    case 'RightLost':
      return 'Whoever started it may not export the organization any more.'
    case 'Replaced':
      return 'A newer export has taken its place.'
    case 'Damaged':
      return 'A scan is damaged where it is stored, so nothing was exported. Please tell the operator.'
    case 'Deleted':
      return 'Scans of it were deleted meanwhile. Start a new one.'
    case 'Interrupted':
      return 'It was interrupted too often. Start a new one.'
  }
}

const toPercent = ({ state, objects, objectsDone }: OrganizationExport): number =>
  state === 'Ready' ? 100 : objects === 0 ? 0 : Math.min(99, Math.floor((100 * objectsDone) / objects))

const toColumns = (show: (shown: Shown) => void): Column<OrganizationExport>[] => [
  { title: 'Started', field: 'createdDate', type: 'date' },
  { title: 'By', field: 'createdBy', value: (row) => personName(row.createdBy) },
  {
    title: 'State',
    value: (row) => row.state,
    render: (row) => (
      <>
        <StatusBadge value={row.state} tone={tones[row.state]} />
        {isExportOpen(row) && <Progress percent={toPercent(row)} size="small" aria-label="Export" status="active" />}
        {row.reason !== null && <p className="organization-export-message">{toSentence(row.reason, row.endedBy)}</p>}
      </>
    ),
    width: 200,
  },
  { title: 'Objects', value: (row) => formatNumber(row.objects) },
  { title: 'Size', value: (row) => (row.bytes === null ? '' : formatBytes(row.bytes)) },
  { title: 'Available until', value: (row) => (row.state === 'Ready' ? row.expiresDate : null), type: 'date' },
  {
    title: 'Actions',
    acts: true,
    value: () => '',
    render: (row) => (
      <span className="organization-export-actions">
        {row.state === 'Ready' && (
          <Button size="small" onClick={() => show({ kind: 'download', item: row })}>
            Download
          </Button>
        )}
        {(row.state === 'Ready' || isExportOpen(row)) && (
          <Button size="small" danger onClick={() => show({ kind: 'end', item: row })}>
            {isExportOpen(row) ? 'Stop' : 'Remove'}
          </Button>
        )}
      </span>
    ),
  },
]
