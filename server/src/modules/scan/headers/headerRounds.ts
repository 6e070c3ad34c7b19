import type { FastifyInstance } from 'fastify'
import { isAnotherVersionThere } from '../../../db/backFills/versions.ts'
import { goHourly } from '../../../db/hourly.ts'
import { toJobId, type Job } from '../../../db/jobs.ts'
import { patiently } from '../../../db/patience.ts'
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
  const { jobs, db, log, settings } = deps
  const add = async (): Promise<void> => {
    if (!settings.shortensHeaders && (await listShortened(db, undefined)).length === 0) return
    const id = toJobId(`short-headers ${Math.floor(Date.now() / roundMs)}`)
    await db.transaction().execute((trx) => jobs.add(trx, 'short-headers', [{ id }]))
    jobs.wake('short-headers')
  }
  let hourly: ReturnType<typeof goHourly> | undefined
  app.addHook('onReady', async () => {
    await jobs.work('short-headers', 1, (job) => patiently(() => runRound(deps, job)))
    hourly = goHourly(add, (error) =>
      log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'headers were not shortened'),
    )
  })
  app.addHook('preClose', () => hourly?.close())
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
