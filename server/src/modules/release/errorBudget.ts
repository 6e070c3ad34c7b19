import type { ReleaseFigures } from '@dmp/contract/releaseCalls'
import { findCanaryStart } from '@dmp/release/moveHistory'
import { readRegistry, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { Refusal } from '../../core/errors.ts'
import { findKept } from '@dmp/release/kept'
import { getMetrics, type MetricsQuery } from './metrics.ts'
import { isBlamed } from './rollbackPolicy.ts'
import type { ReleaseDependencies } from './reports.ts'

/** A canary that used its error budget up: fewer pages than withdraw it, and still more than everybody should meet. */
export async function findSpent(
  { db, settings }: Pick<ReleaseDependencies, 'db' | 'settings'>,
  store: ReleaseStore,
  release: MetricsQuery,
): Promise<{ readonly percent: number; readonly pages: number } | undefined> {
  const { canaries = [], history } = (await readRegistry(store)) ?? { history: [] }
  const canary = canaries.find(({ name, releaseId }) => name === release.name && releaseId === release.releaseId)
  if (canary === undefined) return undefined
  const start = findCanaryStart(history, canary)
  const { bad, pages } = countBad(await getMetrics(db, release, new Date(start?.at ?? 0)))
  const percent = (bad / Math.max(pages, 1)) * 100
  if (bad < settings.releaseWatchPages || percent <= settings.releaseErrorBudget) return undefined
  return { percent: Math.round(percent * 10) / 10, pages }
}

/** Throws where more people would get such a canary. Somebody who knows better keeps it first. */
export async function assertWithinBudget(
  deps: Pick<ReleaseDependencies, 'db' | 'settings'>,
  store: ReleaseStore,
  release: MetricsQuery,
): Promise<void> {
  const spent = await findSpent(deps, store, release)
  if (spent === undefined || (await findKept(store, release)) !== undefined) return
  throw new Refusal(
    409,
    'DOES_NOT_FIT',
    `The canary of ${release.name} failed on ${spent.percent} % of ${spent.pages} pages; its error budget is ${deps.settings.releaseErrorBudget} %. Look at its errors and bring a release without them, or keep this one on the platform screen.`,
  )
}

/** Pages that speak against a release; a bad network does not. */
function countBad({ pages, errors, faults }: ReleaseFigures): { readonly bad: number; readonly pages: number } {
  const failed = faults.reduce((sum, { fault, pages: of }) => sum + (isBlamed(fault as 'http') ? of : 0), 0)
  return { bad: Math.min(failed + errors, Math.max(pages, 1)), pages: Math.max(pages, 1) }
}
