import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import type { Settings } from '../../settings/settings.ts'

export type RollbackRules = Pick<
  Settings,
  | 'releaseWatch'
  | 'releaseWatchMinutes'
  | 'releaseWatchPages'
  | 'releaseWatchPeople'
  | 'releaseWatchPercent'
  | 'releaseWatchTimes'
>

/**
 * Why a release has to be taken back; undefined while nothing speaks against it. It has to have failed on some pages,
 * on a share of them, and more often than what it is compared with: a bad network fails for every release.
 */
export function findRollbackReason(
  rules: RollbackRules,
  now: ReleaseFigures,
  before: ReleaseFigures | undefined,
): string | undefined {
  const bad = now.failures + now.errors
  const share = now.badShare ?? 0
  const usual = before?.badShare ?? 0
  if (
    bad < rules.releaseWatchPages ||
    share * 100 < rules.releaseWatchPercent ||
    share < usual * rules.releaseWatchTimes
  )
    return undefined
  const faults = [...now.faults].sort((a, b) => b.pages - a.pages).map(({ fault, pages }) => `${fault} ${pages}`)
  const kinds = [...faults, ...(now.errors > 0 ? [`uncaught error ${now.errors}`] : [])].join(', ')
  return `It failed on ${percent(share)} of ${now.pages} pages (${kinds}); the release before on ${before === undefined || before.badShare === null ? 'none that is known' : percent(usual)}.`
}

const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`
