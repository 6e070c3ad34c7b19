import { scansText as scanCountText } from '../shared/counts.ts'
import type { Transfer } from '@dmp/contract/scan'
import type { BadgeTone } from '@dmp/kit/ui'

/** How much of a transfer's images is done, in whole percent; images that are not counted yet count as none. */
export function toPercent({ state, scans }: Pick<Transfer, 'state' | 'scans'>): number {
  if (state === 'Done' && countFailed({ scans }) === 0) return 100
  const images = scans.reduce((sum, { images }) => sum + images, 0)
  const done = scans.reduce((sum, { imagesDone }) => sum + imagesDone, 0)
  return images === 0 ? 0 : Math.floor((100 * done) / images)
}

/** How many scans did not arrive. */
export const countFailed = ({ scans }: Pick<Transfer, 'scans'>): number =>
  scans.filter(({ state }) => state === 'Failed').length

/** How many pictures wait until somebody has looked at them. */
export const countHeld = ({ scans }: Pick<Transfer, 'scans'>): number =>
  scans.reduce((sum, { held }) => sum + (held?.pictures ?? 0), 0)

/** Nothing happens before somebody has looked: every scan that is left is held back. */
export const isHeld = ({ scans, finishedDate }: Pick<Transfer, 'scans' | 'finishedDate'>): boolean =>
  finishedDate === null &&
  countHeld({ scans }) > 0 &&
  scans.every(({ state, held }) => held !== undefined || state === 'Done' || state === 'Failed')

/** The state as people read it, and its tone. */
export function stateOf(result: Transfer['scans'][number]): { value: string; tone: BadgeTone } {
  if (result.held) return heldState
  return result.isStopped ? stoppedState : { value: result.state, tone: toneOfTransfer(result.state) }
}
export const heldState = { value: 'Held', tone: 'warning' } as const
/** No failure: it went as somebody wanted it. */
const stoppedState = { value: 'Stopped', tone: 'secondary' } as const

/** The state of all of it; done is only what has arrived whole. */
export function outcomeOf(transfer: Transfer): { value: string; tone: BadgeTone } {
  const { state, scans } = transfer
  if (isHeld(transfer)) return heldState
  const failed = countFailed(transfer)
  if (failed === scans.length && scans.every(({ isStopped }) => isStopped)) return stoppedState
  if (state !== 'Done' || failed === 0) return { value: state, tone: toneOfTransfer(state) }
  return { value: arrivedText(scans.length - failed, scans.length), tone: 'warning' }
}
export const arrivedText = (arrived: number, all: number): string => `${arrived} of ${scanCountText(all)} arrived`

/** How many scans, and how many of them did not arrive or wait: '3 scans, 1 failed, 1 held'. */
export function scansText(transfer: Pick<Transfer, 'scans'>): string {
  const failed = transfer.scans.filter(({ state, isStopped }) => state === 'Failed' && !isStopped).length
  const waiting = transfer.scans.filter(({ held }) => held).length
  return [
    scanCountText(transfer.scans.length),
    ...(failed > 0 ? [failedText(failed)] : []),
    ...(waiting > 0 ? [heldText(waiting)] : []),
  ].join(', ')
}
const failedText = (count: number): string => `${count} failed`
const heldText = (count: number): string => `${count} held`

const tones: Readonly<Record<Transfer['state'], BadgeTone>> = {
  Queued: 'secondary',
  Running: 'primary',
  Done: 'success',
  Failed: 'danger',
}

const toneOfTransfer = (state: Transfer['state']): BadgeTone => tones[state]
