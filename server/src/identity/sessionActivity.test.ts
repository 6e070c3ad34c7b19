import { randomUUID } from 'node:crypto'
import { startServer, type TestServer } from '../testing/server.ts'
import { createSessionActivity, type SessionActivity } from './sessionActivity.ts'

let server: TestServer
let sessionId: string
let activity: SessionActivity
const began = Date.now()
const problems: unknown[] = []
const at = (ms: number): Date => new Date(began + ms)

beforeAll(async () => {
  server = await startServer()
  const { userId } = await server.signIn('staff')
  sessionId = (
    await server.deps.db.selectFrom('sessions').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow()
  ).id
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.deps.db
    .updateTable('sessions')
    .set({ active_date: at(-3_600_000) })
    .execute()
  activity = createSessionActivity(server.deps.db, (error) => problems.push(error))
})

/** What is kept of it, in milliseconds from the beginning. */
async function kept(): Promise<number> {
  await activity.close()
  expect(problems).toEqual([])
  const row = await server.deps.db
    .selectFrom('sessions')
    .select('active_date')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  return row.active_date.getTime() - began
}

describe('the last activity of a session', () => {
  it('is kept at most every half a minute [4.13]', async () => {
    activity.seen(sessionId, at(-60_000))
    activity.seen(sessionId, at(-30_001))
    expect(await kept()).toBe(-60_000)
    activity = createSessionActivity(server.deps.db, (error) => problems.push(error))
    activity.seen(sessionId, at(-60_000))
    activity.seen(sessionId, at(-30_000))
    expect(await kept()).toBe(-30_000)
  })

  it('never goes back, and never lies in the future, whatever a page reports [4.13]', async () => {
    const clock = jest.spyOn(Date, 'now').mockReturnValue(began)
    activity.seen(sessionId, at(3_600_000))
    clock.mockRestore()
    expect(await kept()).toBe(0)
    activity = createSessionActivity(server.deps.db, (error) => problems.push(error))
    activity.seen(sessionId, at(-120_000))
    expect(await kept()).toBe(0)
  })

  it('is written a few seconds later, and nothing is written where nobody did anything', async () => {
    const timers = jest.spyOn(globalThis, 'setInterval')
    const other = createSessionActivity(server.deps.db, (error) => problems.push(error))
    const [flush, ms] = timers.mock.lastCall ?? []
    timers.mockRestore()
    const queries = jest.spyOn(server.deps.db.getExecutor(), 'executeQuery')
    // The server beside it has jobs.
    const written = () => queries.mock.calls.filter(([{ sql }]) => /^\s*update\s+"?sessions/.test(sql)).length
    await Promise.resolve(flush?.())
    expect([ms, written()]).toEqual([5000, 0])
    other.seen(sessionId, at(-1000))
    // What is being written when the server stops is waited for.
    flush?.()
    await other.close()
    expect(written()).toBe(1)
    queries.mockRestore()
    expect(await kept()).toBe(-1000)
  })

  it('is remembered of ten thousand sessions, so that memory has an end [P18]', async () => {
    activity.seen(sessionId, at(-20_000))
    for (let n = 1; n < 10_000; n += 1) activity.seen(randomUUID(), at(-20_000))
    activity.seen(sessionId, at(-19_000))
    activity.seen(randomUUID(), at(-20_000))
    activity.seen(sessionId, at(-18_000))
    expect(await kept()).toBe(-18_000)
  })
})
