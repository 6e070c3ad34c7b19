import { dicomPartner } from '@dmp/contract'
import type { DicomCaller } from '@dmp/contract/dicomPartner'
import { call, refresh } from '@dmp/kit'
import { FormModal } from '@dmp/kit/form'
import { notify } from '@dmp/kit/ui'
import { DicomPartnerForm, newDefaults, toCallerDefaults, toDraft } from './dicomPartnerForm.ts'
import { DicomPartnerFields } from './DicomPartnerFields.tsx'
import { useIsNodeOff } from './NodeOff.tsx'

/** Lets a partner in; for a refused caller, what is known of it is filled in. */
export function NewPartnerModal({ caller, onClose }: { caller?: DicomCaller; onClose: () => void }) {
  const isNodeOff = useIsNodeOff()
  return (
    <FormModal
      title="New DICOM partner"
      // It holds the person's password.
      draft={false}
      schema={DicomPartnerForm}
      defaults={caller ? toCallerDefaults(caller) : newDefaults}
      call={(form: DicomPartnerForm) => call(dicomPartner.add, toDraft(form))}
      submitLabel="Add partner"
      onClose={onClose}
      onDone={({ name }) => {
        refresh([dicomPartner.list, dicomPartner.listCallers])
        notify.success(isNodeOff ? `${name} may connect once the DICOM node is on` : `${name} may connect now`)
        onClose()
      }}
    >
      <DicomPartnerFields />
    </FormModal>
  )
}
