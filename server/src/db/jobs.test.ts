import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type pg from 'pg'
import { PgBoss } from 'pg-boss'
import { startServer, type TestServer } from '../testing/server.ts'
import { createLocalBus } from './bus.ts'
import type { Database } from './client.ts'
import { openJobs, type Job, type Jobs } from './jobs.ts'

let server: TestServer
const opened: Jobs[] = []
beforeAll(async () => {
  server = await startServer()
})
afterEach(async () => {
  for (const jobs of opened.splice(0)) await jobs.close()
})
afterAll(() => server.close())

/** Another server on the same database. */
async function another(): Promise<Jobs> {
  const { database, bus, log } = server.deps
  const jobs = await openJobs(database, bus, log)
  opened.push(jobs)
  return jobs
}

const add = async (jobs: Jobs, ids: readonly string[]): Promise<void> => {
  await server.deps.db.transaction().execute((trx) =>
    jobs.add(
      trx,
      'mail',
      ids.map((id) => ({ id })),
    ),
  )
  jobs.wake('mail')
}
const until = async (isDone: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 500 && !isDone(); tries += 1) await new Promise((again) => setTimeout(again, 10))
}
/** The database of the server by way of a pool, whichever it is. */
function watchQueries(
  onQuery: (text: string) => void,
  onRelease: (isBroken: boolean) => unknown = () => undefined,
): Database {
  const { embedded, ...database } = server.deps.database
  const connect = async () => {
    const client = database.pool
      ? await database.pool.connect()
      : {
          query: (text: string, values?: unknown[]) =>
            values?.length ? embedded?.query(text, values) : embedded?.exec(text),
          release: () => undefined,
        }
    return {
      query: (text: string, values?: unknown[]) => (onQuery(text), client.query(text, values as never)),
      release: (isBroken: boolean) => (onRelease(isBroken), client.release(isBroken)),
    }
  }
  return { ...database, pool: { connect } as unknown as pg.Pool }
}
const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID())

describe('background jobs', () => {
  it('are done by one of the servers, each once, and at once when somebody wakes them [P20]', async () => {
    const done: string[] = []
    const [one, two] = [await another(), await another()]
    for (const jobs of [one, two]) await jobs.work('mail', 2, async ({ id }) => void done.push(id))
    const wanted = ids(12)
    await add(one, wanted)
    await until(() => done.length >= wanted.length)
    expect(done.toSorted()).toEqual(wanted.toSorted())
  })

  it('are looked for when somebody says that there are some, or that it may have been missed, and at no other news', async () => {
    const { database, log } = server.deps
    const bus = createLocalBus()
    const jobs = await openJobs(database, bus, log)
    opened.push(jobs)
    await jobs.work('mail', 2, async () => undefined)
    const looks = jest.spyOn(PgBoss.prototype, 'notifyWorker')
    const after = (news: Parameters<typeof bus.publish>[0]): number => {
      looks.mockClear()
      bus.publish(news)
      return looks.mock.calls.length
    }
    const seen = [
      after({ kind: 'jobsWaiting', job: 'mail' }),
      after({ kind: 'missed' }),
      after({ kind: 'jobsWaiting', job: 'transfer' }),
      after({ kind: 'viewersChanged', userIds: [] }),
    ]
    looks.mockRestore()
    expect(seen).toEqual([2, 2, 0, 0])
  })

  it('give back a connection whose statement failed as one that nobody else may have [P20]', async () => {
    const broken: boolean[] = []
    const jobs = await openJobs(
      watchQueries(
        () => undefined,
        (isBroken) => broken.push(isBroken),
      ),
      createLocalBus(),
      server.deps.log,
    )
    opened.push(jobs)
    expect([broken.length > 0, broken.includes(true)]).toEqual([true, false])
    await expect(jobs.forget('mail', 'no id at all')).rejects.toThrow('invalid input syntax for type uuid')
    expect(broken.filter(Boolean)).toHaveLength(1)
  })

  it('exist exactly when their transaction is committed, and once however often they are added [P20]', async () => {
    const done: string[] = []
    const jobs = await another()
    const [kept = '', lost = ''] = ids(2)
    await expect(
      server.deps.db.transaction().execute(async (trx) => {
        await jobs.add(trx, 'mail', [{ id: lost }])
        throw new Error('rolled back')
      }),
    ).rejects.toThrow('rolled back')
    await add(jobs, [kept])
    await add(jobs, [kept])
    await jobs.work('mail', 2, async ({ id }) => void done.push(id))
    const last = randomUUID()
    await add(jobs, [last])
    await until(() => done.includes(last))
    expect(done.toSorted()).toEqual([kept, last].toSorted())
  })

  it('of one organization run one after another in their order, those of others beside them, over all servers', async () => {
    const log: string[] = []
    const names = new Map<string, string>()
    let together = 0
    const busy = new Set<string>()
    const handle = async ({ id }: Job): Promise<void> => {
      const name = names.get(id) ?? ''
      const [group = ''] = name.split(' ')
      expect(busy.has(group)).toBe(false)
      busy.add(group)
      together = Math.max(together, busy.size)
      await new Promise((later) => setTimeout(later, 30))
      busy.delete(group)
      log.push(name)
    }
    const [one, two] = [await another(), await another()]
    for (const jobs of [one, two]) await jobs.work('transfer', 2, handle)
    for (const number of [1, 2, 3, 4]) {
      for (const group of ['north', 'south']) {
        const id = randomUUID()
        names.set(id, `${group} ${number}`)
        await server.deps.db.transaction().execute((trx) => one.add(trx, 'transfer', [{ id, group }]))
      }
    }
    one.wake('transfer')
    await until(() => log.length === 8)
    expect(together).toBe(2)
    for (const group of ['north', 'south'])
      expect(log.filter((name) => name.startsWith(group))).toEqual([1, 2, 3, 4].map((number) => `${group} ${number}`))
  })

  it('are looked for within seconds after a clock was set back by days in the middle of a look [P20, P21]', async () => {
    const realNow = Date.now.bind(Date)
    let setBackMs: number | undefined
    const clock = jest.spyOn(Date, 'now').mockImplementation(() => realNow() - (setBackMs ?? 0))
    try {
      const jobs = await openJobs(
        watchQueries((text) => {
          if (text.includes("'active'")) setBackMs ??= 2 * 24 * 3_600_000
        }),
        createLocalBus(),
        server.deps.log,
      )
      opened.push(jobs)
      setBackMs = undefined
      const done: string[] = []
      await jobs.work('mail', 1, async ({ id }) => void done.push(id))
      await until(() => setBackMs !== undefined)
      expect(setBackMs).toBeGreaterThan(0)
      const [id = ''] = ids(1)
      // Nobody wakes it.
      await server.deps.db.transaction().execute((trx) => jobs.add(trx, 'mail', [{ id }]))
      for (let rounds = 0; rounds < 4 && done.length === 0; rounds += 1) await until(() => done.length > 0)
      expect(done).toEqual([id])
    } finally {
      clock.mockRestore()
    }
  })

  it('have settings that a start writes where this version has others, and leaves alone where it has the same', async () => {
    const { db } = server.deps
    const read = async () =>
      (
        await sql<{ name: string; retry_limit: number; updated_on: Date }>`
          select name, retry_limit, updated_on from jobs.queue order by name`.execute(db)
      ).rows
    const before = await read()
    await sql`update jobs.queue set retry_limit = 3 where name = 'mail'`.execute(db)
    await another()
    const after = await read()
    expect(after.find(({ name }) => name === 'mail')?.retry_limit).toBe(100)
    const others = ({ name }: { name: string }) => name !== 'mail'
    expect(after.filter(others)).toEqual(before.filter(others))
  })

  it('that a dead server held are done by another one [P20]', async () => {
    const jobs = await another()
    const [id = ''] = ids(1)
    let seen: Job | undefined
    const held = new Promise<void>(() => undefined)
    await jobs.work('mail', 1, (job) => {
      seen = job
      return Promise.race([
        held,
        new Promise<void>((_resolve, reject) =>
          job.signal.addEventListener('abort', () => reject(new Error('the server is dead'))),
        ),
      ])
    })
    await add(jobs, [id])
    await until(() => seen !== undefined)
    // It says nothing any more.
    await sql`update jobs.job set heartbeat_on = now() - interval '1 hour', retry_backoff = false, retry_delay = 0 where id = ${id}`.execute(
      server.deps.db,
    )
    await sql`update jobs.queue set monitor_claim_on = null, monitor_on = null`.execute(server.deps.db)
    const done: string[] = []
    const other = await another()
    await other.takeBack()
    await other.work('mail', 1, async (job) => void done.push(job.id))
    await until(() => done.length > 0)
    expect(done).toEqual([id])
  })

  it.each([
    ['leaves off', (signal: AbortSignal, stop: () => void) => signal.addEventListener('abort', stop)],
    ['hangs', () => undefined],
  ])('are given back by a server that stops while one %s, and tried again [P20, P40]', async (_what, onSignal) => {
    const { database, bus, log } = server.deps
    const jobs = await openJobs(database, bus, log, { stopSeconds: 0.1 })
    const [id = ''] = ids(1)
    let begun = 0
    await jobs.work('mail', 1, async ({ signal }) => {
      begun += 1
      await new Promise<void>((_resolve, reject) => onSignal(signal, () => reject(new Error('stopped'))))
    })
    await add(jobs, [id])
    await until(() => begun === 1)
    await jobs.close()
    const { rows } = await sql<{ state: string }>`select state::text from jobs.job where id = ${id}`.execute(
      server.deps.db,
    )
    expect(rows).toEqual([{ state: 'retry' }])
  })
})
