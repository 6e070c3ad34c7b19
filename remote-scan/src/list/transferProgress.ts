import { scansText as countText } from '../shared/counts.ts'
import type { Transfer } from '@dmp/contract/scan'
import type { BadgeTone } from '@dmp/kit/ui'

/** How much of a transfer's images is done, in whole percent; images that are not counted yet count as none. */
export function toPercent({ state, scans }: Pick<Transfer, 'state' | 'scans'>): number {
  if (state === 'Done') return 100
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
  return result.held ? heldState : { value: result.state, tone: toneOfTransfer(result.state) }
}
export const heldState = { value: 'Held', tone: 'warning' } as const

/** How many scans, and how many of them did not arrive or wait: '3 scans, 1 failed, 1 held'. */
export function scansText(transfer: Pick<Transfer, 'scans'>): string {
  const failed = countFailed(transfer)
  const waiting = transfer.scans.filter(({ held }) => held).length
  return [
    countText(transfer.scans.length),
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

export const toneOfTransfer = (state: Transfer['state']): BadgeTone => tones[state]
