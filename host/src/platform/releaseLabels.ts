import type { ReleaseFigures, ReleaseStatus, ShownMove } from '@dmp/contract/releaseCalls'
import type { PageTimeKind, PartFigures } from '@dmp/contract/releaseFigures'
import type { ObservationKind } from '@dmp/contract/releaseReport'
import type { BadgeTone } from '@dmp/kit/ui'

/** Judges a release in a word or two, against the share of failures at which the server rolls back. */
export function toHealth(
  { pages, badShare }: ReleaseFigures,
  { percent }: ReleaseStatus['watch'],
): { label: string; tone: BadgeTone } {
  if (badShare === null || pages === 0) return { label: 'No pages yet', tone: 'secondary' }
  if (badShare * 100 >= percent) return { label: 'Failing', tone: 'danger' }
  return badShare > 0.01 ? { label: 'Some failures', tone: 'warning' } : { label: 'Healthy', tone: 'success' }
}

/** Moves as the history names them. */
export const changes: Readonly<Record<ShownMove['change'], { readonly label: string; readonly tone: BadgeTone }>> = {
  activate: { label: 'Activated', tone: 'success' },
  rollback: { label: 'Rolled back', tone: 'danger' },
  canary: { label: 'Canary', tone: 'info' },
  promote: { label: 'Promoted', tone: 'primary' },
  stop: { label: 'Canary stopped', tone: 'warning' },
}

/** Why pages failed to load a part or stopped with it, by what they report. */
const faultTexts: Readonly<Record<Exclude<ObservationKind, 'loaded'>, string>> = {
  http: 'Not delivered by the server',
  network: 'Connection lost',
  timeout: 'Loading took too long',
  integrity: 'Files not those of the release',
  evaluation: 'Failed to start',
  chunk: 'A file not loaded',
  module: 'Release incomplete',
  contract: 'Needs another version',
  unready: 'Shows nothing',
  hang: 'Page stopped responding',
  error: 'Error while in use',
}

const isKnownFault = (fault: string): fault is keyof typeof faultTexts => Object.hasOwn(faultTexts, fault)

/** A word that a later server sends stays as it is. */
export const sayFault = (fault: string): string => (isKnownFault(fault) ? faultTexts[fault] : fault)

export const timeTexts: Readonly<Record<PageTimeKind, string>> = {
  start: 'Start',
  firstRow: 'First data',
  inp: 'Answer to a click',
  cls: 'Shift of the page',
}

export const stateTexts: Readonly<Record<PartFigures['releases'][number]['state'], string>> = {
  live: 'Live',
  canary: 'Canary',
  earlier: 'Earlier',
}
