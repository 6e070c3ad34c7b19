import { limits, scan } from '@dmp/contract'
import { DeleteForm } from '@dmp/contract/scan'
import { call, refresh } from '@dmp/kit'
import { FormModal, TextField } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { notify } from '@dmp/kit/ui'

/** 5.15: the phrase has to be typed, since nothing brings a deleted scan back. */
export function DeleteModal({
  organizationId,
  seriesUID,
  onClose,
}: {
  organizationId: string
  seriesUID: string
  onClose: () => void
}) {
  const navigate = useNavigate()
  return (
    <FormModal
      title="Delete"
      danger
      // A confirmation is given anew each time.
      draft={false}
      schema={DeleteForm}
      call={() => call(scan.remove, { organizationId, seriesIdList: [seriesUID] })}
      submitLabel="Delete"
      onClose={onClose}
      onDone={() => {
        refresh([scan.list, scan.getStorage, scan.listConflicts])
        notify.success('Scan deleted')
        navigate('/scan')
      }}
    >
      <p>The scan, its images and its share links are deleted immediately. This cannot be undone.</p>
      <TextField name="phrase" label={`Type '${limits.deletePhrase}' to confirm`} autoFocus />
    </FormModal>
  )
}
