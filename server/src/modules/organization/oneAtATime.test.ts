import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import { startServer, type TestServer } from '../../testing/server.ts'
import { oneAtATime } from './oneAtATime.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const organization = { id: '00000000-0000-4000-8000-0000000000aa', name: 'Moved-Clinic' }
const never = new AbortController().signal
/** Goes on until it is told to end. */
const untilEnded = (signal: AbortSignal): Promise<never> =>
  pause(60_000, undefined, { signal }).then(
    () => Promise.reject(new Error('Nobody ended it.')),
    () => Promise.reject(signal.reason),
  )

it('lets nobody else move an organization meanwhile, and the next one when it is done', async () => {
  const { database } = server.deps
  const stop = new AbortController()
  const first = oneAtATime(database, organization, stop.signal, untilEnded)
  const second = oneAtATime(database, organization, never, async () => 'second')
  await expect(second).rejects.toThrow('An export or import of Moved-Clinic is under way.')
  stop.abort(new Error('stopped'))
  await expect(first).rejects.toThrow('stopped')
  expect(await oneAtATime(database, organization, never, async () => 'third')).toBe('third')
})

it('ends the work whose place was lost with its connection, on PostgreSQL [P21]', async () => {
  const { database, db } = server.deps
  // The embedded database has one process, and no connection to lose.
  if (!database.pool) return
  const work = oneAtATime(database, organization, never, async (signal) => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      and state = 'idle in transaction' and query like '%organization moves%'`.execute(db)
    return untilEnded(signal)
  })
  await expect(work).rejects.toThrow('The database was away for a moment.')
  expect(await oneAtATime(database, organization, never, async () => 'next')).toBe('next')
})
