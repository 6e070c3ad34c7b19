import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { fromKysely, fromPglite, PgBoss, systemClock, type Db as JobDatabase } from 'pg-boss'
import type { Transaction } from 'kysely'
import type { FastifyBaseLogger } from 'fastify'
import bossPackage from 'pg-boss/package.json' with { type: 'json' }
import type { Bus } from './bus.ts'
import type { Database } from './client.ts'
import { daySeconds, heartbeatSeconds, prepareQueues, schema, type JobKind } from './jobQueues.ts'
import { behind } from './migrate.ts'
import { patiently } from './patience.ts'
import type { Tables } from './tables/index.ts'

export interface Job {
  readonly id: string
  /** Aborted when the server stops or the job was taken away: leave off where it can go on later, and throw. */
  readonly signal: AbortSignal
}

/** For work that any server may add and one has to do: the same name gives the same id, in the form of a UUID. */
export const toJobId = (name: string): string =>
  createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5')

export interface JobToDo {
  /** The id of its subject: adding the same job again does nothing. */
  readonly id: string
  /** Whose transfer it is: those of one run one after another, over all servers. */
  readonly group?: string
  /** Not before so many seconds have passed since its transaction began. */
  readonly afterSeconds?: number
  /** Somebody waits for it: it is done before all those that are not. */
  readonly isAwaited?: boolean
}

export interface Jobs {
  /** Into the transaction: the job is there exactly when that commits. Call `wake` afterwards. */
  add(trx: Transaction<Tables>, kind: JobKind, jobs: readonly JobToDo[]): Promise<void>
  /** Makes some server look at once; without it one looks within seconds. */
  wake(kind: JobKind): void
  /** From now on this server does such jobs, at most so many at a time. One that throws is tried again later. */
  work(kind: JobKind, atOnce: number, handle: (job: Job) => Promise<void>): Promise<void>
  /** Forgets a job that has failed for good: those of its group wait behind it. */
  forget(kind: JobKind, id: string): Promise<void>
  /** Takes back the jobs of servers that died; happens by itself all the time. */
  takeBack(): Promise<void>
  /** Stops between two steps, or in the middle of one that takes too long, and gives back the unfinished job. */
  close(): Promise<void>
}

/** No job is put off for longer than an hour: one that begins later was added before a clock was set back. */
const hurryText = `update ${schema}.job set start_after = now()
  where state in ('created', 'retry') and start_after > now() + interval '90 minutes'`
const pollSeconds = 5
/** Pauses are counted without the machine's time: one that was set back by days would add them to a pause. */
const steadyClock = { ...systemClock, now: () => performance.timeOrigin + performance.now() }
/** The others are woken by the first. */
const pollSecondsOfOthers = 60

/**
 * Background jobs on pg-boss, in a schema of its own in our database. Several servers share the work; embedded there is
 * one.
 */
export async function openJobs(
  database: Database,
  bus: Bus,
  log: FastifyBaseLogger,
  { stopSeconds = 20, migrates = true } = {},
): Promise<Jobs> {
  const isAlone = database.embedded !== undefined
  const stopping = new AbortController()
  const boss = createBoss(database, log, stopping.signal)
  if (!migrates) await assertMigrated(boss)
  await patiently(() => boss.start())
  await prepareQueues(boss, isAlone)

  const hurrying = startHurrying(boss)

  const workers = new Map<string, string[]>()
  const running = new Set<Promise<void>>()
  const wakeHere = (kind: string): void => workers.get(kind)?.forEach((worker) => boss.notifyWorker(worker))
  bus.subscribe((news) => {
    if (news.kind === 'jobsWaiting') wakeHere(news.job)
    if (news.kind === 'missed') for (const kind of workers.keys()) wakeHere(kind)
  })

  return {
    add: async (trx, kind, jobs) => {
      await boss.insert(kind, jobs.map(toBossJob), { db: fromKysely(trx) })
    },
    wake: (kind) => bus.publish({ kind: 'jobsWaiting', job: kind }),
    work: async (kind, atOnce, handle) => {
      const begin = async ([job]: { data: { id: string }; signal: AbortSignal }[]): Promise<void> => {
        if (!job) return
        const signal = AbortSignal.any([job.signal, stopping.signal])
        // What this one found while it polled, others may go on with.
        wakeHere(kind)
        const work = patiently(() => handle({ id: job.data.id, signal }))
        const watched = work.catch(() => undefined).finally(() => running.delete(watched))
        running.add(watched)
        await work
        // The next one may have waited for this one.
        wakeHere(kind)
      }
      workers.set(
        kind,
        await Promise.all(
          Array.from({ length: atOnce }, (_, worker) => {
            const pollingIntervalSeconds = worker === 0 ? pollSeconds : pollSecondsOfOthers
            return boss.work<{ id: string }>(kind, { pollingIntervalSeconds }, begin)
          }),
        ),
      )
    },
    forget: async (kind, id) => {
      await boss.deleteJob(kind, id)
    },
    takeBack: () => boss.supervise(),
    close: async () => {
      clearInterval(hurrying)
      stopping.abort()
      const stoppedKinds = running.size > 0 ? [...workers.keys()] : []
      await giveBack(boss, running, stopSeconds * 1000)
      workers.clear()
      for (const kind of stoppedKinds) bus.publish({ kind: 'jobsWaiting', job: kind })
    },
  }
}

/** Jobs leave off by themselves; one that takes longer is given back too, and another server may begin it again. */
async function giveBack(boss: PgBoss, running: ReadonlySet<Promise<void>>, ms: number): Promise<void> {
  const over = new AbortController()
  const leaveOff = async (): Promise<void> => {
    while (running.size > 0) await Promise.all(running)
  }
  await Promise.race([leaveOff(), pause(ms, undefined, { signal: over.signal }).catch(() => undefined)])
  over.abort()
  await boss.stop({ graceful: false, close: false })
}

const toBossJob = ({ id, group, afterSeconds = 0, isAwaited = false }: JobToDo) => ({
  id,
  data: { id },
  ...(group !== undefined && { singletonKey: group }),
  ...(afterSeconds > 0 && { startAfter: afterSeconds }),
  ...(isAwaited && { priority: 1 }),
})

/** Once at the start, and every minute. */
function startHurrying(boss: PgBoss): NodeJS.Timeout {
  const hurry = (): void =>
    void boss
      .getDb()
      .executeSql(hurryText)
      .catch(() => undefined)
  hurry()
  return setInterval(hurry, 60_000).unref()
}

/** The tables of jobs have migrations of their own. */
async function assertMigrated(boss: PgBoss): Promise<void> {
  const version = (await boss.isInstalled()) ? await boss.schemaVersion() : null
  if ((version ?? 0) < bossPackage.pgboss.schema) throw behind('its tables of background jobs')
}

function createBoss({ db, embedded, pool }: Database, log: FastifyBaseLogger, stopping: AbortSignal): PgBoss {
  const isAlone = embedded !== undefined
  const boss = new PgBoss({
    db: embedded ? embeddedDatabase(db, fromPglite(embedded)) : pooledDatabase(pool),
    backend: isAlone ? 'pglite' : 'postgres',
    schema,
    clock: steadyClock,
    schedule: false,
    // A server that is alone has no jobs of others to take back; then this only removes finished ones.
    superviseIntervalSeconds: isAlone ? 3600 : heartbeatSeconds / 2,
    monitorIntervalSeconds: isAlone ? 3600 : heartbeatSeconds / 2,
    // Features that are not used here: left alone they would write to the disk every few seconds of an idle night.
    flowIntervalSeconds: daySeconds / 2,
    bamIntervalSeconds: 3600,
    monitorVacuum: false,
    reindex: false,
  })
  // Errors of its workers come as plain copies with a message.
  boss.on('error', ({ message }) => {
    if (!stopping.aborted) log.error({ reason: message }, 'background jobs met a problem; they go on')
  })
  boss.on('warning', ({ message }) => log.warn({ reason: message }, 'background jobs'))
  return boss
}

/** One statement after another, never between those of a transaction of ours: there is one connection. */
function embeddedDatabase(db: Database['db'], inner: JobDatabase): JobDatabase {
  return { executeSql: (text, values) => db.connection().execute(() => inner.executeSql(text, values)) }
}

function pooledDatabase(pool: Database['pool']): JobDatabase {
  if (!pool) throw new Error('A database without a connection.')
  return {
    executeSql: async (text, values) => {
      const client = await pool.connect()
      let isWhole = false
      try {
        const results: unknown = await client.query(text, values)
        isWhole = true
        return { rows: [results].flat().flatMap((result) => (result as { rows?: unknown[] }).rows ?? []) }
      } finally {
        // Several statements in one text may leave a transaction open when one fails: no other query may get that
        // connection.
        client.release(!isWhole)
      }
    },
  }
}
