import { businessUser, organization, registration } from '@dmp/contract'
import type { SaasName } from '@dmp/contract/organization'
import { useAct, useCan } from '@dmp/kit'
import { ActionBox, ConfirmModal } from '@dmp/kit/screen'
import { Button, Checkbox, notify } from '@dmp/kit/ui'
import { useState } from 'react'
import { RejectModal } from './RejectModal.tsx'
import './detail.css'

const refreshes = [registration.list]
/** An approval makes an organization and its first user, too. */
const refreshesAfterApproval = [
  ...refreshes,
  organization.list,
  organization.listActivated,
  organization.getSetup,
  businessUser.list,
]

/**
 * 4.05: 'Registration pending' with Approve and Reject while it is new, only Approve once rejected, nothing once
 * approved.
 */
export function RegistrationActions({ item }: { item: registration.Registration }) {
  const offersApprove = useCan(registration.approve) && registration.mayFollow(item.status, 'Approved')
  const offersReject = useCan(registration.reject) && registration.mayFollow(item.status, 'Rejected')
  const [asking, setAsking] = useState<'approve' | 'reject'>()
  const close = () => setAsking(undefined)
  if (!offersApprove && !offersReject) return null
  return (
    <ActionBox {...(item.status === 'New' && { title: 'Registration pending' })}>
      {offersApprove && (
        <Button type="primary" onClick={() => setAsking('approve')}>
          Approve
        </Button>
      )}
      {offersReject && (
        <Button danger onClick={() => setAsking('reject')}>
          Reject
        </Button>
      )}
      {asking === 'approve' && <ApproveModal item={item} onClose={close} />}
      {asking === 'reject' && <RejectModal item={item} refreshes={refreshes} onClose={close} />}
    </ActionBox>
  )
}

/** Asks first, because approving creates an organization and an account and sends mail. */
function ApproveModal({ item, onClose }: { item: registration.Registration; onClose: () => void }) {
  const [saas, setSaas] = useState<readonly SaasName[]>([])
  const toggle = (name: SaasName) =>
    setSaas(saas.includes(name) ? saas.filter((chosen) => chosen !== name) : [...saas, name])
  const { act, busy, error } = useAct(registration.approve, {
    refreshes: refreshesAfterApproval,
    onDone: (approved) => {
      notify.success(`Registration for ${approved.organizationName} approved`)
      onClose()
    },
  })
  return (
    <ConfirmModal
      title="Approve registration"
      confirmLabel="Approve"
      busy={busy}
      error={error}
      onConfirm={() =>
        void act({ id: item.id, seenUpdatedDate: item.updatedDate, ...(saas.length > 0 && { saas: saas.join(',') }) })
      }
      onClose={onClose}
    >
      <p>This creates the organization {item.organizationName}, and at once:</p>
      <ul>
        <li>activates it and creates its datastore, so that scans can be uploaded;</li>
        <li>creates an administrator account for {item.contactInfo.email}, who gets a temporary password by email.</li>
      </ul>
      <fieldset className="registration-saas">
        <legend>Licensed add-on apps (can be changed later)</legend>
        {organization.saasNames.map((name) => (
          <Checkbox key={name} checked={saas.includes(name)} onChange={() => toggle(name)}>
            {name}
          </Checkbox>
        ))}
      </fieldset>
    </ConfirmModal>
  )
}
