import { limits, scan } from '@dmp/contract'
import { DeleteForm, type BinEntry } from '@dmp/contract/scan'
import { call, refresh } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import { countOf, imagesText } from '../shared/counts.ts'
import { nameEntry } from './entryTexts.ts'

/** From here on nothing brings it back, so the phrase is typed as for the deletion itself. */
export function PurgeModal({ entry, onClose }: { entry: BinEntry; onClose: () => void }) {
  const images = imagesText(countOf(entry))
  return (
    <FormModal
      title="Delete for good"
      danger
      // A confirmation is given anew each time.
      draft={false}
      schema={DeleteForm}
      call={() => call(scan.purge, { organizationId: entry.organizationId, ids: [entry.id] })}
      submitLabel="Delete for good"
      onClose={onClose}
      onDone={() => {
        refresh(scan.scanLists)
        notify.success('Deleted for good. The audit trail says how much it was, with its hash.')
        onClose()
      }}
    >
      <p>
        <bdi>{nameEntry(entry)}</bdi>
      </p>
      <p>{images} will be removed from the storage now. Nobody can restore them.</p>
      <TextField name="phrase" label={`Type '${limits.deletePhrase}' to confirm`} autoFocus />
    </FormModal>
  )
}
