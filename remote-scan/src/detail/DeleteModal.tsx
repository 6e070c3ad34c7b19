import { limits, scan } from '@dmp/contract'
import { DeleteForm } from '@dmp/contract/scan'
import { call, refresh } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
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

/** 5.15: the phrase has to be typed, since nothing brings a deleted scan back. */
export function DeleteModal({ organizationId, seriesUIDs, subjects, onClose, onDeleted }: DeleteModalProps) {
  const isOne = seriesUIDs.length === 1
  return (
    <FormModal
      title="Delete"
      danger
      // A confirmation is given anew each time.
      draft={false}
      schema={DeleteForm}
      call={() => call(scan.remove, { organizationId, seriesIdList: [...seriesUIDs] })}
      submitLabel="Delete"
      onClose={onClose}
      onDone={() => {
        refresh(scanLists)
        notify.success(isOne ? 'Scan deleted' : `${seriesUIDs.length} scans deleted`)
        onDeleted()
      }}
    >
      <SubjectList subjects={subjects} />
      <p>
        {isOne
          ? 'The scan, its images and its share links are deleted immediately. This cannot be undone.'
          : `${seriesUIDs.length} scans, their images and their share links are deleted immediately. This cannot be undone.`}
      </p>
      <TextField name="phrase" label={`Type '${limits.deletePhrase}' to confirm`} autoFocus />
    </FormModal>
  )
}
