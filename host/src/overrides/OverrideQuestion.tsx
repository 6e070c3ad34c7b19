import { add, isAddress } from '@dmp/contract/override'
import { useAct } from '@dmp/kit'
import { ConfirmModal } from '@dmp/kit/screen'
import { dismissQuestion } from '../remotes/overrideState.ts'

/** A link alone changes nothing: its code would run with what the person may do. */
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
            Release <strong>{source}</strong> of this deployment’s store
          </>
        )}{' '}
        takes the place of what is live. It runs with your session and can do what you may do.
      </p>
      <p>
        Only this browser is changed. A bar at the top of every screen names it and takes it out again.
        {isAddress(source) ? ' Go on only if you started that server yourself.' : ''}
      </p>
    </ConfirmModal>
  )
}
