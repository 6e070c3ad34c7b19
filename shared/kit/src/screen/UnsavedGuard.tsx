import { drafts, forgetUnsaved, hasUnsaved } from '@dmp/kit'
import { useBlocker } from 'react-router-dom'
import { ConfirmModal } from './ConfirmModal.tsx'

/**
 * Asks before the person leaves unsaved input (P27). Mounted once inside the router, by the host and by
 * `renderScreen`.
 */
export function UnsavedGuard() {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => currentLocation.pathname !== nextLocation.pathname && hasUnsaved(),
  )
  if (blocker.state !== 'blocked') return null
  const leave = () => {
    forgetUnsaved()
    drafts.removeAll()
    blocker.proceed()
  }
  return (
    <ConfirmModal
      title="Leave without saving?"
      confirmLabel="Leave"
      cancelLabel="Stay"
      danger
      onConfirm={leave}
      onClose={() => blocker.reset()}
    >
      <p>What you typed on this page has not been saved.</p>
    </ConfirmModal>
  )
}
