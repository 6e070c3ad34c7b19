import type { FastifyInstance } from 'fastify'
import { isAnotherVersionThere } from '../../../db/backFills/versions.ts'
import { workHourly } from '../../../db/hourlyJob.ts'
import type { Job } from '../../../db/jobs.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { lengthenAll, shortenAll } from './shortHeaders.ts'
import { listShortened } from './shortHeaders.repository.ts'

/** Those whose migrations lack it cannot read what it brings. */
const migration = '0077-series-headers'
/** Ten million series are looked through in minutes; what came today may wait. */
const roundMs = 6 * 3_600_000
const quietMinutes = 10

/**
 * Every few hours one server of several takes out of the headers what a series has in common, where `DMP_SHORT_HEADERS`
 * is set and no earlier version serves beside this one. Where it is not set, what was taken out goes back in.
 */
export function keepHeadersShort(app: FastifyInstance, deps: Dependencies): void {
  const { db, settings } = deps
  workHourly(app, deps, {
    kind: 'short-headers',
    everyMs: roundMs,
    isDue: async () => settings.shortensHeaders || (await listShortened(db, undefined)).length > 0,
    work: (job) => runRound(deps, job),
    problem: 'headers were not shortened',
  })
}

async function runRound(deps: Dependencies, { signal }: Job): Promise<void> {
  const { settings, database, log } = deps
  const mayGoOn = async (): Promise<boolean> =>
    database.embedded !== undefined || !(await isAnotherVersionThere(database.db, migration))
  const { headers, left } = settings.shortensHeaders
    ? await shortenAll(deps, { signal, quietMinutes, mayGoOn })
    : await lengthenAll(deps, signal)
  if (headers + left > 0)
    log.info({ headers, left }, settings.shortensHeaders ? 'headers were shortened' : 'headers are whole again')
}
