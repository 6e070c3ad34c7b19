import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import { loadFaults, type ObservationKind } from '@dmp/contract/releaseReport'
import type { Settings } from '../../settings/settings.ts'

export type RollbackRules = Pick<
  Settings,
  | 'releaseWatch'
  | 'releaseWatchMinutes'
  | 'releaseWatchPages'
  | 'releaseWatchPeople'
  | 'releaseWatchOrganizations'
  | 'releaseWatchPercent'
  | 'releaseWatchTimes'
>

type BlamedKind = Exclude<ObservationKind, 'loaded' | 'network' | 'timeout'>

/** Whether this speaks against a release. A bad network looks the same whatever the release is. */
export const isBlamed = (what: ObservationKind): what is BlamedKind =>
  what !== 'loaded' && what !== 'network' && what !== 'timeout'

const blamedKinds = [...loadFaults, 'error' as const].filter(isBlamed)

/** A single page that failed may be an accident of its computer. */
const leastPages = 2

/**
 * Lists, for each kind of fault, the organizations that it speaks for by itself: each from its own pages alone, so
 * that no customer's failures can make up for another's.
 */
export const listAffectedOrganizations = (
  rules: RollbackRules,
  metrics: ReadonlyMap<string, ReleaseFigures>,
  previousMetrics: ReadonlyMap<string, ReleaseFigures> | undefined,
): readonly (readonly string[])[] =>
  blamedKinds.map((kind) =>
    [...metrics].flatMap(([organizationId, figures]) => {
      const share = shareOf(figures, kind)
      const isAffected =
        countPages(figures, kind) >= leastPages &&
        share * 100 >= rules.releaseWatchPercent &&
        share >= shareOf(previousMetrics?.get(organizationId), kind) * rules.releaseWatchTimes
      return isAffected ? [organizationId] : []
    }),
  )

const countPages = ({ faults, errors }: ReleaseFigures, kind: BlamedKind): number =>
  kind === 'error' ? errors : (faults.find(({ fault }) => fault === kind)?.pages ?? 0)

const shareOf = (figures: ReleaseFigures | undefined, kind: BlamedKind): number =>
  figures === undefined ? 0 : Math.min(1, countPages(figures, kind) / Math.max(figures.pages, 1))

/**
 * Returns why a release has to be withdrawn, or undefined. It must have failed on some pages, on a share of them, and
 * more often than the previous release: a bad network fails for every release.
 */
export function findRollbackReason(
  rules: RollbackRules,
  metrics: ReleaseFigures,
  previousMetrics: ReleaseFigures | undefined,
): string | undefined {
  const failures = metrics.failures + metrics.errors
  const share = metrics.badShare ?? 0
  const previousShare = previousMetrics?.badShare ?? null
  if (
    failures < rules.releaseWatchPages ||
    share * 100 < rules.releaseWatchPercent ||
    share < (previousShare ?? 0) * rules.releaseWatchTimes
  )
    return undefined
  const faults = [...metrics.faults].sort((a, b) => b.pages - a.pages).map(({ fault, pages }) => `${fault} ${pages}`)
  const kinds = [...faults, ...(metrics.errors > 0 ? [`uncaught error ${metrics.errors}`] : [])].join(', ')
  const comparison =
    previousShare === null
      ? 'there are no figures for the previous release'
      : `the previous release failed on ${formatPercent(previousShare)}`
  return `It failed on ${formatPercent(share)} of ${metrics.pages} pages (${kinds}); ${comparison}.`
}

const formatPercent = (share: number): string => `${Math.round(share * 1000) / 10} %`
