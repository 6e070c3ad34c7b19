import { scan } from '@dmp/contract'
import type { Transfer } from '@dmp/contract/scan'
import { call, refresh, session } from '@dmp/kit'
import { notify, tasks } from '@dmp/kit/ui'
import { percentOf } from './transferProgress.ts'

const pollMs = 3000
const states = { Queued: 'waiting', Running: 'running', Done: 'done', Failed: 'failed' } as const

/** Tells the task tray how a transfer goes, whatever screen is shown, until it is over or whoever started it is gone. */
export async function watchTransfer(started: Transfer): Promise<void> {
  const owner = session.get().user?.email
  let transfer = started
  while (session.get().user?.email === owner) {
    tell(transfer)
    if (transfer.finishedDate !== null) return sayOver(transfer)
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    transfer = await newestOf(transfer)
  }
}

// A failed look is no failed transfer: the next one tells.
async function newestOf(known: Transfer): Promise<Transfer> {
  const list = await call(scan.listTransfers, {}).catch(() => [])
  return list.find(({ id }) => id === known.id) ?? known
}

function tell(transfer: Transfer): void {
  const { id, dstOrganizationName, state, scans } = transfer
  tasks.put({ id: `scan/transfer/${id}`, title: `Transfer to ${dstOrganizationName}`, url: '/scan', percent: percentOf(transfer), state: states[state], note: scans.length === 1 ? '1 scan' : `${scans.length} scans` })
}

function sayOver({ dstOrganizationName, state }: Transfer): void {
  refresh([scan.listTransfers])
  if (state === 'Failed') notify.warning(`The transfer to ${dstOrganizationName} failed, at least in part. The scan list says why.`)
  else notify.success(`The transfer to ${dstOrganizationName} is done`)
}
