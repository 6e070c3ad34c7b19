import { limits, scan } from '@dmp/contract'
import { DeleteForm } from '@dmp/contract/scan'
import { call, refresh, settings } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { offerUndo } from '@dmp/kit/ui'
import { daysText } from '../shared/counts.ts'
import { scanLists } from '../shared/scanLists.ts'
import type { ScanSubject } from '../shared/scanSubject.ts'
import { SubjectList } from '../shared/SubjectList.tsx'

interface DeleteModalProps {
  readonly organizationId: string
  readonly seriesUIDs: readonly string[]
  /** What is deleted, by patient, study and images. */
  readonly subjects: readonly ScanSubject[]
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** 5.15: the phrase has to be typed, since only an administrator brings a deleted scan back, for some days. */
export function DeleteModal({ organizationId, seriesUIDs, subjects, onClose, onDeleted }: DeleteModalProps) {
  const isOne = seriesUIDs.length === 1
  const days = settings().binDays ?? 0
  const input = { organizationId, seriesIdList: [...seriesUIDs] }
  return (
    <FormModal
      title="Delete"
      danger
      // A confirmation is given anew each time.
      draft={false}
      schema={DeleteForm}
      call={() => call(scan.remove, input)}
      submitLabel="Delete"
      onClose={onClose}
      onDone={() => {
        refresh(scanLists)
        offerUndo(
          isOne ? 'Scan deleted' : `${seriesUIDs.length} scans deleted`,
          days === 0
            ? undefined
            : {
                by: scan.undoDelete,
                input,
                refreshes: scanLists,
                toText: () => (isOne ? 'Scan restored' : `${seriesUIDs.length} scans restored`),
              },
        )
        onDeleted()
      }}
    >
      <SubjectList subjects={subjects} />
      <p>
        {isOne
          ? 'The scan, its images and its share links are deleted immediately.'
          : `${seriesUIDs.length} scans, their images and their share links are deleted immediately.`}{' '}
        {days === 0
          ? 'This cannot be undone.'
          : `For ${daysText(days)} an administrator can restore what is deleted from the bin, without its share links.`}
      </p>
      <TextField name="phrase" label={`Type '${limits.deletePhrase}' to confirm`} autoFocus />
    </FormModal>
  )
}
