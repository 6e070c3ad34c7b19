import { limits, scan } from '@dmp/contract'
import { DeleteForm } from '@dmp/contract/scan'
import { call, refresh, settings } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { offerUndo } from '@dmp/kit/ui'
import { daysText } from '../shared/counts.ts'
import type { ScanSubject } from '../shared/scanSubject.ts'
import { SubjectList } from '../shared/SubjectList.tsx'
import { Dependents } from './Dependents.tsx'

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
        refresh(scan.scanLists)
        offerUndo(
          isOne ? 'Scan deleted' : `${seriesUIDs.length} scans deleted`,
          days === 0
            ? undefined
            : {
                by: scan.undoDelete,
                input,
                refreshes: scan.scanLists,
                toText: () => (isOne ? 'Scan restored' : `${seriesUIDs.length} scans restored`),
              },
        )
        onDeleted()
      }}
    >
      <SubjectList subjects={subjects} />
      <p>
        {isOne
          ? 'The scan is deleted for everybody at once, and its share links permanently.'
          : `${seriesUIDs.length} scans are deleted for everybody at once, and their share links permanently.`}{' '}
        {days === 0
          ? 'The images are gone with it. This cannot be undone.'
          : `For ${daysText(days)} an administrator can still bring the images back from the bin; after that they are gone permanently, too.`}
      </p>
      <Dependents organizationId={organizationId} seriesUIDs={seriesUIDs} />
      <TextField name="phrase" label={`Type '${limits.deletePhrase}' to confirm`} autoFocus />
    </FormModal>
  )
}
