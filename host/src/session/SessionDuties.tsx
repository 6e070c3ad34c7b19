import { session, useHasUnsaved, useSession } from '@dmp/kit'
import { countTexts, subscribeToTexts } from '@dmp/kit/language'
import { ConfirmModal } from '@dmp/kit/screen'
import { lazy, Suspense, useEffect, useSyncExternalStore } from 'react'
import { IdleModal } from './IdleModal.tsx'
import { LanguageModal } from './LanguageModal.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { useDuties } from './useDuties.ts'
import './session.css'

// Needs the form controls, which pages without forms do not load.
const loadSignInAgain = () => import('./SignInAgainModal.tsx')
const SignInAgainModal = lazy(async () => ({ default: (await loadSignInAgain()).SignInAgainModal }))

/** The host's duties for the session while the page is open; renders only their dialogs. */
export function SessionDuties() {
  // Its dialogs follow a catalogue that comes late.
  useSyncExternalStore(subscribeToTexts, countTexts, countTexts)
  useDuties()
  usePreparedDialog()
  const idle = useSession((state) => state.idle)
  const asksPassword = useSession((state) => state.asksPassword)
  const asksLeave = useSession((state) => state.asksLeave)
  return (
    <>
      <OfflineBanner />
      <LanguageModal />
      {idle.state === 'warning' && <IdleModal until={idle.until} isFromLive={idle.isFromLive ?? false} />}
      {asksPassword && (
        <Suspense>
          <SignInAgainModal />
        </Suspense>
      )}
      {asksLeave && (
        <ConfirmModal
          title="Log out without saving?"
          confirmLabel="Log out"
          cancelLabel="Stay"
          danger
          onConfirm={() => void session.answerLeave(true)}
          onClose={() => void session.answerLeave(false)}
        >
          <p>What you typed on this page will be lost.</p>
        </ConfirmModal>
      )}
    </>
  )
}

// Loads the dialog as soon as there is unsaved input, so that it also opens offline.
function usePreparedDialog(): void {
  const hasUnsaved = useHasUnsaved()
  useEffect(() => {
    if (hasUnsaved) loadSignInAgain().catch(() => undefined)
  }, [hasUnsaved])
}
