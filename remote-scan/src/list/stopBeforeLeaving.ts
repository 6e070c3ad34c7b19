import { scan } from '@dmp/contract'
import type { Transfer } from '@dmp/contract/scan'
import { call, refresh } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'

/** From the notice that says that it was started, which is gone with the click. */
export async function stopBeforeLeaving({ id }: Transfer): Promise<void> {
  try {
    sayStopped(await call(scan.stopTransfer, { id }))
  } catch (cause) {
    notify.error(cause instanceof Error ? cause.message : String(cause))
  }
  refresh([scan.listTransfers, scan.listHeld])
}

export function sayStopped({ dstOrganizationName, scans }: Transfer): void {
  const hasArrived = scans.some(({ state }) => state === 'Done')
  notify.success(
    hasArrived
      ? `Transfer to ${dstOrganizationName} stopped`
      : `Transfer to ${dstOrganizationName} stopped. Nothing was sent.`,
  )
}
