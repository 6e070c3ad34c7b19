import type { organization } from '@dmp/contract'
import { isImportOpen, type OrganizationImport } from '@dmp/contract/organization'
import { formatBytes, formatNumber, personName } from '@dmp/kit'
import type { Column } from '@dmp/kit/table'
import { Button, Progress, StatusBadge, type BadgeTone } from '@dmp/kit/ui'
import { toCounts, toSentence } from './sentences.ts'
import type { ArchiveUpload } from './useArchiveUpload.ts'

export type ImportAction = 'end' | 'details'

const tones: Readonly<Record<organization.ImportState, BadgeTone>> = {
  Uploading: 'primary',
  Waiting: 'secondary',
  Running: 'primary',
  Done: 'success',
  Failed: 'danger',
  Ended: 'secondary',
  Expired: 'secondary',
}

function toPercent(item: OrganizationImport, upload: ArchiveUpload | undefined): number {
  const { state, bytes, bytesArrived, objects, stored, present, refused } = item
  if (state === 'Uploading') {
    const arrived = upload?.importId === item.id ? Math.max(upload.sent, bytesArrived) : bytesArrived
    return Math.min(99, Math.floor((100 * arrived) / bytes))
  }
  return objects === 0 ? 0 : Math.min(99, Math.floor((100 * (stored + present + refused)) / objects))
}

const hasDetails = ({ objects, files, records }: OrganizationImport): boolean =>
  objects > 0 || files.length > 0 || records.length > 0

export const toImportColumns = (
  upload: ArchiveUpload | undefined,
  act: (kind: ImportAction, item: OrganizationImport) => void,
): Column<OrganizationImport>[] => [
  { title: 'Started', field: 'createdDate', type: 'date' },
  { title: 'By', field: 'createdBy', value: (row) => personName(row.createdBy) },
  { title: 'From', value: (row) => row.from ?? '' },
  {
    title: 'State',
    value: (row) => row.state,
    render: (row) => (
      <>
        <StatusBadge value={row.state} tone={tones[row.state]} />
        {isImportOpen(row) && (
          <Progress
            percent={toPercent(row, upload)}
            size="small"
            aria-label={row.state === 'Uploading' ? 'Upload' : 'Import'}
            status="active"
          />
        )}
        {toSentence(row) !== undefined && <p className="organization-import-message">{toSentence(row)}</p>}
        {row.objects > 0 && <p className="organization-import-message">{toCounts(row)}</p>}
      </>
    ),
    width: 240,
  },
  { title: 'Refused', value: (row) => formatNumber(row.refused) },
  { title: 'Size', value: (row) => formatBytes(row.bytes) },
  {
    title: 'Actions',
    acts: true,
    value: () => '',
    render: (row) => (
      <span className="organization-import-actions">
        {hasDetails(row) && (
          <Button size="small" onClick={() => act('details', row)}>
            Details
          </Button>
        )}
        {isImportOpen(row) && (
          <Button size="small" danger onClick={() => act('end', row)}>
            Stop
          </Button>
        )}
      </span>
    ),
  },
]
