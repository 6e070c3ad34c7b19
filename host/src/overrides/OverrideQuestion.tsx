import { add, isAddress } from '@dmp/contract/override'
import { useAct } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { dismissQuestion } from '../remotes/overrideState.ts'

/** Asks first: the code behind a link would run with the user's permissions. */
export function OverrideQuestion({ part, title, source }: { part: string; title: string; source: string }) {
  const { act, busy, error, reset } = useAct(add, {
    onDone: () => {
      dismissQuestion()
      location.reload()
    },
  })
  return (
    <ConfirmModal
      title={`Use another release of ${title}?`}
      confirmLabel="Use it in this browser"
      danger={isAddress(source)}
      busy={busy}
      error={error}
      onErrorClose={reset}
      onConfirm={() => void act({ part, source })}
      onClose={dismissQuestion}
    >
      <p>
        {isAddress(source) ? (
          <>
            Code from <strong>{source}</strong>, a development server on this computer,
          </>
        ) : (
          <>
            Release <strong>{source}</strong> of this deployment
          </>
        )}{' '}
        replaces the live release. It runs in your session and can do everything that you can do.
      </p>
      <p>
        Only this browser is affected. A bar at the top of every screen shows the override and lets you remove it.
        {isAddress(source) ? ' Continue only if you started that server yourself.' : ''}
      </p>
    </ConfirmModal>
  )
}
