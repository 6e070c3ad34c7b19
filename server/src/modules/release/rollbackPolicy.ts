import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
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
