import { useState } from 'react'
import { dicomPartner } from '@dmp/contract'
import type { DicomPartner } from '@dmp/contract/dicomPartner'
import { call, updateCache, useAct, useCan, useUser } from '@dmp/kit'
import { FormModal } from '@dmp/kit/form'
import { useNavigate } from '@dmp/kit/router'
import { ActionBox, ConfirmModal, ErrorAlert } from '@dmp/kit/screen'
import { Button, notify, offerUndo } from '@dmp/kit/ui'
import { DicomPartnerForm, toDefaults, toDraft } from './dicomPartnerForm.ts'
import { DicomPartnerFields } from './DicomPartnerFields.tsx'

interface DialogProps {
  readonly item: DicomPartner
  readonly onClose: () => void
}

const refreshes = [dicomPartner.list]
const toEnabledText = ({ name }: DicomPartner) => `${name} enabled`
const dialogs = { edit: EditPartnerModal, remove: DeletePartnerModal }

/** Only people of its organization open a door in its name; the provider's staff may close it. */
export function DicomPartnerActions({ item }: { item: DicomPartner }) {
  const user = useUser()
  const mayUpdate = useCan(dicomPartner.update)
  const mayRemove = useCan(dicomPartner.remove)
  const [open, setOpen] = useState<keyof typeof dialogs>()
  const mayDecide = mayUpdate && user.organization === item.organization
  const Dialog = open && dialogs[open]
  if (!mayUpdate && !mayRemove) return null
  return (
    <ActionBox>
      {mayDecide && <Button onClick={() => setOpen('edit')}>Edit</Button>}
      {mayUpdate && item.status !== 'Disabled' && <DisableButton item={item} mayEnable={mayDecide} />}
      {mayDecide && item.status === 'Disabled' && <EnableButton item={item} />}
      {mayRemove && (
        <Button danger onClick={() => setOpen('remove')}>
          Delete partner
        </Button>
      )}
      {Dialog && <Dialog item={item} onClose={() => setOpen(undefined)} />}
    </ActionBox>
  )
}

/** Who may not open the door again is offered no Undo. */
function DisableButton({ item, mayEnable }: { item: DicomPartner; mayEnable: boolean }) {
  const { act, busy, error, reset } = useAct(dicomPartner.disable, {
    refreshes,
    onDone: ({ id, name }) =>
      offerUndo(
        `${name} disabled`,
        mayEnable ? { by: dicomPartner.enable, input: { id }, refreshes, toText: toEnabledText } : undefined,
      ),
  })
  return (
    <>
      <Button loading={busy} onClick={() => void act({ id: item.id })}>
        Disable
      </Button>
      {error && <ErrorAlert error={error} onClose={reset} />}
    </>
  )
}

function EnableButton({ item }: { item: DicomPartner }) {
  const { act, busy, error, reset } = useAct(dicomPartner.enable, {
    refreshes,
    onDone: (partner) => notify.success(toEnabledText(partner)),
  })
  return (
    <>
      <Button type="primary" loading={busy} onClick={() => void act({ id: item.id })}>
        Enable
      </Button>
      {error && <ErrorAlert error={error} onClose={reset} />}
    </>
  )
}

function EditPartnerModal({ item, onClose }: DialogProps) {
  return (
    <FormModal
      title="Edit DICOM partner"
      draft={false}
      schema={DicomPartnerForm}
      defaults={toDefaults(item)}
      call={(form: DicomPartnerForm) => call(dicomPartner.update, { id: item.id, ...toDraft(form) })}
      submitLabel="Save"
      onClose={onClose}
      onDone={(answer, form) => {
        updateCache(dicomPartner.update, {
          input: { id: item.id, ...toDraft(form) },
          answer,
          refreshes: [dicomPartner.list, dicomPartner.listCallers],
        })
        notify.success(`${answer.name} saved`)
        onClose()
      }}
    >
      <DicomPartnerFields />
    </FormModal>
  )
}

/** Asks first, because a device is refused from now on. */
function DeletePartnerModal({ item, onClose }: DialogProps) {
  const navigate = useNavigate()
  const { act, busy, error, reset } = useAct(dicomPartner.remove, {
    refreshes,
    onDone: () => {
      notify.success(`${item.name} deleted`)
      navigate('/account/dicom-partners')
    },
  })
  return (
    <ConfirmModal
      title="Delete DICOM partner"
      confirmLabel="Delete partner"
      danger
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() => void act({ id: item.id })}
      onClose={onClose}
    >
      <p>{item.name} is refused from now on, and what it is sending breaks off. What it has sent stays.</p>
    </ConfirmModal>
  )
}
