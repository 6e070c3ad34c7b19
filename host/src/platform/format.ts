import type { ReleaseFigures, ReleaseStatus } from '@dmp/contract/releaseCalls'
import type { BadgeTone } from '@dmp/kit/ui'

const numbers = new Intl.NumberFormat('en-US')

export const formatCount = (count: number): string => numbers.format(count)

/** Transferred bytes, in the unit of the size budgets. */
export const formatKilobytes = (bytes: number): string => `${numbers.format(Math.round(bytes / 1000))} KB`

export const formatLoadTime = (ms: number | null): string =>
  ms === null ? '–' : ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`

/** Small shares matter here: one decimal below ten percent. */
export const formatShare = (share: number | null): string =>
  share === null ? '–' : `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`

/** Shows a release by its version, and by the start of its id where versions are equal or missing. */
export const formatRelease = (
  { version, releaseId }: { version: string; releaseId: string },
  other?: { version: string },
): string =>
  version === ''
    ? releaseId.slice(0, 8)
    : version === other?.version
      ? `${version} (${releaseId.slice(0, 8)})`
      : version

/** Judges a release in one word, against the share of failures at which the server rolls back. */
export function toHealth(
  { pages, badShare }: ReleaseFigures,
  { percent }: ReleaseStatus['watch'],
): { word: string; tone: BadgeTone } {
  if (badShare === null || pages === 0) return { word: 'No pages yet', tone: 'secondary' }
  if (badShare * 100 >= percent) return { word: 'Failing', tone: 'danger' }
  return badShare > 0.01 ? { word: 'Some failures', tone: 'warning' } : { word: 'Healthy', tone: 'success' }
}

export const changeLabels = {
  activate: 'Activated',
  rollback: 'Rolled back',
  canary: 'Canary',
  promote: 'Promoted',
  stop: 'Canary stopped',
} as const
export const changeTones: Readonly<Record<string, BadgeTone>> = {
  Activated: 'success',
  'Rolled back': 'danger',
  Canary: 'info',
  Promoted: 'primary',
  'Canary stopped': 'warning',
}
