import { useState } from 'react'
import type { ScanRow } from '@dmp/contract/scan'
import { Button, Modal } from '@dmp/kit/ui'
import { PatientHeader } from '../shared/PatientHeader.tsx'
import { countOfRow, imagesText } from '../shared/counts.ts'
import { DeleteModal, DownloadModal, ShareModal, TransferModal } from '../shared/laterDialogs.tsx'
import { subjectOfStudy, toSubject } from '../shared/scanSubject.ts'
import type { Asked } from './rowActions.ts'
import './dialogs.css'

interface WorklistDialogsProps {
  readonly organizationId: string
  readonly asked: Asked
  readonly onClose: () => void
  /** The studies are gone, or on their way: nothing of them stays selected. */
  readonly onDone: () => void
}

/** The dialog of what was asked for; each names what it is about. */
export function WorklistDialogs({ organizationId, asked, onClose, onDone }: WorklistDialogsProps) {
  if (asked.kind === 'download')
    return <DownloadDialog organizationId={organizationId} asked={asked} onClose={onClose} />
  const [first, ...rest] = asked.series.map(({ seriesUID }) => seriesUID)
  if (first === undefined) return null
  if (asked.kind === 'share')
    return <ShareModal organizationId={organizationId} seriesUID={first} alsoSeriesUIDs={rest} onClose={onClose} />
  if (asked.kind === 'transfer')
    return <TransferModal organizationId={organizationId} rows={asked.series} onClose={onClose} onStarted={onDone} />
  return (
    <DeleteModal
      organizationId={organizationId}
      seriesUIDs={[first, ...rest]}
      subjects={asked.series.map(toSubject)}
      onClose={onClose}
      onDeleted={onDone}
    />
  )
}

interface DownloadDialogProps {
  readonly organizationId: string
  readonly asked: AskedDownload
  readonly onClose: () => void
}

/** A zip holds one series: of several, one is chosen first. */
function DownloadDialog({ organizationId, asked, onClose }: DownloadDialogProps) {
  const [picked, setPicked] = useState<ScanRow | undefined>(asked.series.length === 1 ? asked.series[0] : undefined)
  if (!picked) return <SeriesChoice asked={asked} onPick={setPicked} onClose={onClose} />
  const { birthDate, sex } = asked.study
  return (
    <DownloadModal
      organizationId={organizationId}
      seriesUID={picked.seriesUID}
      subject={{ ...toSubject(picked), birthDate, sex }}
      onClose={onClose}
    />
  )
}

type AskedDownload = Extract<Asked, { kind: 'download' }>

function SeriesChoice({
  asked,
  onPick,
  onClose,
}: {
  asked: AskedDownload
  onPick: (row: ScanRow) => void
  onClose: () => void
}) {
  return (
    <Modal open title="Download: choose a series" footer={<Button onClick={onClose}>Cancel</Button>} onCancel={onClose}>
      <PatientHeader subject={subjectOfStudy(asked.study)} isCompact />
      <ul className="worklist-choice">
        {asked.series.map((row) => (
          <li key={row.seriesUID}>
            <button type="button" onClick={() => onPick(row)}>
              <bdi>{row.seriesDescription || 'No description'}</bdi>
              <span className="worklist-quiet">
                {[row.modality, imagesText(countOfRow(row))].filter(Boolean).join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
