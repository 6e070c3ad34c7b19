import type { ReleaseFigures, ReleaseStatus } from '@dmp/contract/releaseCalls'
import type { BadgeTone } from '@dmp/kit/ui'

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
