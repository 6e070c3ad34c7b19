import { picturesText } from '../shared/counts.ts'
import { scan } from '@dmp/contract'
import type { Transfer } from '@dmp/contract/scan'
import { call, onPersonChange, refresh, session } from '@dmp/kit'
import { notify, tasks } from '@dmp/kit/ui'
import { countFailed, countHeld, isHeld, toPercent, scansText } from './transferProgress.ts'

const pollMs = 3000
/** While it waits for somebody to look at its pictures. */
const heldPollMs = 15_000
const states = { Queued: 'waiting', Running: 'running', Done: 'done', Failed: 'failed' } as const

/** By id: the page announces each transfer once. */
const watched = new Set<string>()
onPersonChange(() => watched.clear())

/** Shows a transfer's progress in the task tray, on every screen, until it is over or its owner has signed out. */
export async function watchTransfer(started: Transfer): Promise<void> {
  if (watched.has(started.id)) return
  watched.add(started.id)
  await tellUntilOver(started).finally(() => watched.delete(started.id))
}

async function tellUntilOver(started: Transfer): Promise<void> {
  const owner = session.get().user?.email
  let transfer = started
  let hasToldHeld = false
  for (;;) {
    tell(transfer)
    if (isHeld(transfer) && !hasToldHeld) sayHeld(transfer)
    hasToldHeld = isHeld(transfer)
    if (transfer.finishedDate !== null) return sayOver(transfer)
    await new Promise((resolve) => setTimeout(resolve, hasToldHeld ? heldPollMs : pollMs))
    // Not one more request with the token of whoever is here now.
    if (session.get().user?.email !== owner) return
    transfer = await findNewest(transfer)
  }
}

// A failed request says nothing of the transfer: the next one does.
async function findNewest(transfer: Transfer): Promise<Transfer> {
  const list = await call(scan.listTransfers, {}).catch(() => [])
  return list.find(({ id }) => id === transfer.id) ?? transfer
}

function tell(transfer: Transfer): void {
  const { id, dstOrganizationName, state } = transfer
  tasks.put({
    id: `scan/transfer/${id}`,
    title: `Transfer to ${dstOrganizationName}`,
    url: isHeld(transfer) ? '/scan/held' : '/scan',
    percent: toPercent(transfer),
    state: isHeld(transfer) ? 'waiting' : states[state],
    note: scansText(transfer),
  })
}

function sayHeld(transfer: Transfer): void {
  refresh([scan.listTransfers, scan.listHeld])
  const count = countHeld(transfer)
  notify.warning(
    `The transfer to ${transfer.dstOrganizationName} waits: ${picturesText(count)} may show text that names the patient. Look at them under “Held pictures”.`,
  )
}

function sayOver(transfer: Transfer): void {
  refresh([scan.listTransfers])
  const { dstOrganizationName: to, scans } = transfer
  const failed = countFailed(transfer)
  if (failed === 0) notify.success(`The transfer to ${to} is complete`)
  else if (failed === scans.length) notify.warning(`The transfer to ${to} failed. See the scan list for the reason.`)
  else
    notify.warning(
      `The transfer to ${to} is complete, but ${failed} of ${scans.length} scans were not transferred. See the scan list for the reasons.`,
    )
}
