import * as inbox from '@dmp/contract/inbox'
import { useAct, type Lookup } from '@dmp/kit'
import { ErrorAlert } from '@dmp/kit/screen'
import { Button } from '@dmp/kit/ui'

/** Marks what is shown; what has come since then stays unread. */
export function MarkAllButton({ found }: { found: Lookup<typeof inbox.list> }) {
  const { act, busy, error, reset } = useAct(inbox.markAllRead, { refreshes: [inbox.count, inbox.list] })
  const [newest] = found.data?.entries ?? []
  return (
    <>
      <Button
        disabled={!newest || found.data?.unread === 0}
        loading={busy}
        onClick={() => newest && void act({ until: newest.date })}
      >
        Mark all as read
      </Button>
      <ErrorAlert error={error} onClose={reset} />
    </>
  )
}
