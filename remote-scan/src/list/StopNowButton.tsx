import { scan } from '@dmp/contract'
import type { Transfer } from '@dmp/contract/scan'
import { useAct } from '@dmp/kit'
import { Button } from '@dmp/kit/ui'
import { sayStopped } from './stopBeforeLeaving.ts'

/** Nothing has left: no question is needed before. */
export function StopNowButton({ transfer: { id, dstOrganizationName } }: { transfer: Transfer }) {
  const { act, busy, error } = useAct(scan.stopTransfer, {
    refreshes: [scan.listTransfers, scan.listHeld],
    onDone: sayStopped,
  })
  return (
    <>
      <Button
        size="small"
        danger
        loading={busy}
        aria-label={`Stop the transfer to ${dstOrganizationName}`}
        onClick={() => void act({ id })}
      >
        Stop
      </Button>
      {error && <span role="alert">{error.message}</span>}
    </>
  )
}
