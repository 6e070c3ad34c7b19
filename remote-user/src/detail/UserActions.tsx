import { activationMayFollow, businessUser, type User } from '@dmp/contract'
import { useAct, useCan, useUser, personName } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { ActionBox, ConfirmModal, ErrorAlert } from '@dmp/kit/screen'
import { Button, notify, offerUndo } from '@dmp/kit/ui'
import { useState } from 'react'

const refreshes = [businessUser.list]
const toActivatedText = ({ fullName }: User) => `${personName(fullName)} activated`

/**
 * The Actions box (2.61, 4.03, 6.07). A button shows if its call is permitted and would change something. Users cannot
 * deactivate themselves.
 */
export function UserActions({ item }: { item: User }) {
  const navigate = useNavigate()
  const isSelf = useUser().email === item.email
  const { status } = item.status
  const mayEdit = useCan(businessUser.update)
  const offersActivate = useCan(businessUser.activateUser) && activationMayFollow(status, 'Activated')
  const offersDeactivate = useCan(businessUser.deactivateUser) && activationMayFollow(status, 'Deactivated') && !isSelf
  // A deactivated user could not sign in with it.
  const offersReset = useCan(businessUser.resetTemporaryPassword) && !item.isConfirmed && status === 'Activated'

  const activate = useAct(businessUser.activateUser, {
    refreshes,
    onDone: (user) => notify.success(toActivatedText(user)),
  })
  const reset = useAct(businessUser.resetTemporaryPassword, {
    onDone: () => notify.success('Password sent successfully'),
  })
  const [isDeactivating, setDeactivating] = useState(false)

  if (!mayEdit && !offersActivate && !offersDeactivate && !offersReset) return null
  return (
    <ActionBox>
      {mayEdit && <Button onClick={() => navigate(`/user/edit/${item.id}`)}>Edit</Button>}
      {offersActivate && (
        <Button loading={activate.busy} onClick={() => void activate.act({ id: item.id })}>
          Activate User
        </Button>
      )}
      {offersDeactivate && (
        <Button danger onClick={() => setDeactivating(true)}>
          Deactivate User
        </Button>
      )}
      {offersReset && (
        <Button loading={reset.busy} onClick={() => void reset.act({ id: item.id })}>
          Reset Temp Password
        </Button>
      )}
      <ErrorAlert error={activate.error} onClose={activate.reset} />
      <ErrorAlert error={reset.error} onClose={reset.reset} />
      {isDeactivating && <DeactivateModal item={item} onClose={() => setDeactivating(false)} />}
    </ActionBox>
  )
}

/** Asks first, because deactivating signs the user out everywhere. */
function DeactivateModal({ item, onClose }: { item: User; onClose: () => void }) {
  const { act, busy, error } = useAct(businessUser.deactivateUser, {
    refreshes,
    onDone: (user) => {
      offerUndo(`${personName(user.fullName)} deactivated`, {
        by: businessUser.activateUser,
        input: { id: user.id },
        refreshes,
        toText: toActivatedText,
      })
      onClose()
    },
  })
  return (
    <ConfirmModal
      title="Deactivate User"
      confirmLabel="Deactivate"
      danger
      busy={busy}
      error={error}
      onConfirm={() => void act({ id: item.id })}
      onClose={onClose}
    >
      {personName(item.fullName)} will be signed out immediately and cannot sign in until activated again.
    </ConfirmModal>
  )
}
