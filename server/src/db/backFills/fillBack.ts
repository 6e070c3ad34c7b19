import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import type { Database } from '../client.ts'
import { goHourly } from '../hourly.ts'
import { toJobId, type Job, type Jobs } from '../jobs.ts'
import { patiently } from '../patience.ts'
import { backFills, listUnfinished } from './progress.ts'
import { runBackFill } from './runBackFill.ts'

interface FillingDependencies {
  readonly database: Database
  readonly jobs: Jobs
  readonly log: FastifyBaseLogger
}

const minuteMs = 60_000

/**
 * Fills in what migrations left, as a job: one server of several does it, and another one goes on where it died. While
 * an earlier version still serves beside this one, it looks again every minute.
 */
export function fillBack(app: FastifyInstance, deps: FillingDependencies): void {
  const { database, jobs, log } = deps
  const add = async (afterSeconds = 0): Promise<void> => {
    if ((await listUnfinished(database.db)).length === 0) return
    const id = toJobId(`back-fill ${Math.floor((Date.now() + afterSeconds * 1000) / minuteMs)}`)
    await database.db.transaction().execute((trx) => jobs.add(trx, 'back-fill', [{ id, afterSeconds }]))
    jobs.wake('back-fill')
  }
  const work = async (job: Job): Promise<void> => {
    if (!(await fillAll(deps, job))) await add(minuteMs / 1000)
  }
  let hourly: ReturnType<typeof goHourly> | undefined
  app.addHook('onReady', async () => {
    await jobs.work('back-fill', 1, (job) => patiently(() => work(job)))
    hourly = goHourly(add, (error) =>
      log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'nothing was filled in'),
    )
  })
  app.addHook('preClose', () => hourly?.close())
}

/** Whether all of it is over. */
async function fillAll({ database, log }: FillingDependencies, { signal }: Job): Promise<boolean> {
  for (const { name } of await listUnfinished(database.db)) {
    const backFill = backFills.find((one) => one.name === name)
    if (!backFill || !(await runBackFill(backFill, { database, signal }))) return false
    log.info(`the database is filled in for ${name}`)
  }
  return true
}
