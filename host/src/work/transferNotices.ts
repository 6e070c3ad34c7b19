import type { Transfer } from '@dmp/contract/scan'
import { notify } from '@dmp/kit/ui'
import { countHeld, count } from './workTasks.ts'

export function sayHeld(transfer: Transfer): void {
  const pictures = countHeld(transfer)
  const to = transfer.dstOrganizationName
  notify.warning(
    `The transfer to ${to} waits: ${picturesText(pictures)} may show text that names the patient. Look at them under “Held pictures”.`,
  )
}
const picturesText = (pictures: number): string => (pictures === 1 ? '1 picture' : `${pictures} pictures`)

export function sayOver(transfer: Transfer): void {
  const { dstOrganizationName: to, scans } = transfer
  // Whoever stopped it was told then.
  if (scans.some(({ isStopped }) => isStopped)) return
  const failed = count(transfer, 'Failed')
  if (failed === 0) notify.success(`The transfer to ${to} is complete`)
  else if (failed === scans.length) notify.warning(`The transfer to ${to} failed. See the scan list for the reason.`)
  else
    notify.warning(
      `The transfer to ${to} is complete, but ${failed} of ${scans.length} scans were not transferred. See the scan list for the reasons.`,
    )
}
