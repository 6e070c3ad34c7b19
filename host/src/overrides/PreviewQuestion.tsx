import { getPreview, openPreview } from '@dmp/contract/releasePreview'
import { useAct, useLookup } from '@dmp/kit'
import { ConfirmModal, DateText } from '@dmp/kit/screen'
import { dismissQuestion } from '../remotes/overrideState.ts'
import { PreviewDetails } from './PreviewDetails.tsx'
import { Waiting } from './Waiting.tsx'

/** Asks before code that is not live runs with the user's session, and says what is known of it. */
export function PreviewQuestion({ part, id }: { part: string; id: string }) {
  const { data: report, error } = useLookup(getPreview, { part, id })
  const {
    act,
    busy,
    error: refused,
    reset,
  } = useAct(openPreview, {
    refreshes: [getPreview],
    onDone: () => {
      dismissQuestion()
      location.reload()
    },
  })
  if (error?.status === 404)
    return <Waiting>This preview has ended, or it is not for you. You see what is live.</Waiting>
  if (error) return <Waiting>{error.message}</Waiting>
  if (report === undefined) return null
  const { title, version, releaseId, endsDate } = report
  return (
    <ConfirmModal
      title={`Open the preview of ${title}?`}
      confirmLabel="Open it in this browser"
      busy={busy}
      error={refused}
      onErrorClose={reset}
      onConfirm={() => void act({ part, id, releaseId })}
      onClose={dismissQuestion}
    >
      <p>
        Release <strong>{[version, releaseId].filter(Boolean).join(' · ')}</strong> is not live. Continue only if you
        trust who made it: it runs in your session and can do everything that you can do.
      </p>
      <p>
        Only this browser is affected, until <DateText value={endsDate} format="moment" /> at the latest. A bar at the
        top of every screen says so and lets you end it.
      </p>
      <PreviewDetails report={report} />
    </ConfirmModal>
  )
}
