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

/** How many scans, and how many of them did not arrive: '2 scans, 1 failed'. */
export function scansText(transfer: Pick<Transfer, 'scans'>): string {
  const failed = countFailed(transfer)
  const all = transfer.scans.length === 1 ? '1 scan' : `${transfer.scans.length} scans`
  return failed === 0 ? all : `${all}, ${failed} failed`
}

const tones: Readonly<Record<Transfer['state'], BadgeTone>> = {
  Queued: 'secondary',
  Running: 'primary',
  Done: 'success',
  Failed: 'danger',
}

export const toneOfTransfer = (state: Transfer['state']): BadgeTone => tones[state]
