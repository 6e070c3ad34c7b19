import { useState } from 'react'
import type { ScanRow } from '@dmp/contract/scan'
import { Button, Modal } from '@dmp/kit/ui'
import { DeleteModal } from '../detail/DeleteModal.tsx'
import { DownloadModal } from '../detail/DownloadModal.tsx'
import { ShareModal } from '../detail/ShareModal.tsx'
import { TransferModal } from '../list/TransferModal.tsx'
import { PatientHeader } from '../shared/PatientHeader.tsx'
import { imagesText, subjectOfStudy, toSubject } from '../shared/scanSubject.ts'
import type { Asked } from './rowActions.ts'

interface WorklistDialogsProps {
  readonly organizationId: string
  readonly asked: Asked
  readonly onClose: () => void
  /** The studies are gone, or on their way: nothing of them stays selected. */
  readonly onDone: () => void
}

/** The dialog of what was asked for; each names what it is about. */
export function WorklistDialogs({ organizationId, asked, onClose, onDone }: WorklistDialogsProps) {
  if (asked.kind === 'share' || asked.kind === 'download')
    return <OneSeriesDialog organizationId={organizationId} asked={asked} onClose={onClose} />
  if (asked.kind === 'transfer')
    return <TransferModal organizationId={organizationId} rows={asked.series} onClose={onClose} onStarted={onDone} />
  return (
    <DeleteModal
      organizationId={organizationId}
      seriesUIDs={asked.series.map(({ seriesUID }) => seriesUID)}
      subjects={asked.series.map(toSubject)}
      onClose={onClose}
      onDeleted={onDone}
    />
  )
}

type AskedForOne = Extract<Asked, { kind: 'share' | 'download' }>

interface OneSeriesDialogProps {
  readonly organizationId: string
  readonly asked: AskedForOne
  readonly onClose: () => void
}

/** A link and a zip hold one series: of several, one is chosen first. */
function OneSeriesDialog({ organizationId, asked, onClose }: OneSeriesDialogProps) {
  const [picked, setPicked] = useState<ScanRow | undefined>(asked.series.length === 1 ? asked.series[0] : undefined)
  if (!picked) return <SeriesChoice asked={asked} onPick={setPicked} onClose={onClose} />
  const { birthDate, sex } = asked.study
  const Dialog = asked.kind === 'share' ? ShareModal : DownloadModal
  return (
    <Dialog
      organizationId={organizationId}
      seriesUID={picked.seriesUID}
      subject={{ ...toSubject(picked), birthDate, sex }}
      onClose={onClose}
    />
  )
}

const titles = { share: 'Share', download: 'Download' } as const

function SeriesChoice({
  asked,
  onPick,
  onClose,
}: {
  asked: AskedForOne
  onPick: (row: ScanRow) => void
  onClose: () => void
}) {
  return (
    <Modal
      open
      title={`${titles[asked.kind]}: choose a series`}
      footer={<Button onClick={onClose}>Cancel</Button>}
      onCancel={onClose}
    >
      <PatientHeader subject={subjectOfStudy(asked.study)} isCompact />
      <ul className="worklist-choice">
        {asked.series.map((row) => (
          <li key={row.seriesUID}>
            <button type="button" onClick={() => onPick(row)}>
              <bdi>{row.seriesDescription || 'No description'}</bdi>
              <span className="worklist-quiet">
                {[row.modality, imagesText(row.noOfImages)].filter(Boolean).join(' · ')}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Modal>
  )
}
