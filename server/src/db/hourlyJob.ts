import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import type { Db } from './client.ts'
import { goHourly } from './hourly.ts'
import type { JobKind } from './jobQueues.ts'
import { toJobId, type Job, type Jobs } from './jobs.ts'
import { patiently } from './patience.ts'

interface HourlyJob {
  readonly kind: JobKind
  /** How long one of it counts: in that time, a server of several does it once. */
  readonly everyMs: number
  /** Whether there is anything to do; always where left out. */
  readonly isDue?: () => Promise<boolean>
  readonly work: (job: Job) => Promise<void>
  /** What the log says where it could not be added. */
  readonly problem: string
}

interface Deps {
  readonly jobs: Jobs
  readonly db: Db
  readonly log: Pick<Logger, 'error'>
}

/** Adds a job by the clock, looked at every hour; whichever server takes it does it. */
export function workHourly(
  app: FastifyInstance,
  { jobs, db, log }: Deps,
  { kind, everyMs, isDue, work, problem }: HourlyJob,
): void {
  const add = async (): Promise<void> => {
    if (isDue && !(await isDue())) return
    const id = toJobId(`${kind} ${Math.floor(Date.now() / everyMs)}`)
    await db.transaction().execute((trx) => jobs.add(trx, kind, [{ id }]))
    jobs.wake(kind)
  }
  let hourly: ReturnType<typeof goHourly> | undefined
  app.addHook('onReady', async () => {
    await jobs.work(kind, 1, (job) => patiently(() => work(job)))
    hourly = goHourly(add, (error) =>
      log.error({ reason: error instanceof Error ? error.message : 'unknown' }, problem),
    )
  })
  app.addHook('preClose', () => hourly?.close())
}
