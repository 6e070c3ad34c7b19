import { account, apiToken } from '@dmp/contract'
import type { NewApiToken } from '@dmp/contract/apiToken'
import { northClinic } from '@dmp/contract/examples'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from '../apiToken/apiTokenInTests.ts'
import { now, objectOf, store, told } from './changesInTests.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const bearer = ({ token }: NewApiToken) => ({ authorization: `Bearer ${token}` })

/** Asks for changes that are still to come, and goes on once the server waits for them. */
async function beginWaiting(headers: Record<string, string>, more = '') {
  const begun = jest.spyOn(server.deps.newsWaits, 'begin')
  const answer = server.app.inject({ url: `/api/Changes?since=${await now(admin)}&wait=25${more}`, headers })
  while (begun.mock.calls.length === 0) await new Promise((later) => setImmediate(later))
  begun.mockRestore()
  return { answer: async () => answer }
}

describe('an answer that is held back', () => {
  it('comes with what arrives, to a person and to a machine [P42]', async () => {
    const machine = bearer(await makeApiToken(admin, { scopes: ['read'] }))
    const waiting = [await beginWaiting(admin.headers), await beginWaiting(machine)]
    await store(server, admin, objectOf('1.47', 1, 1))
    for (const { answer } of waiting) {
      const { statusCode, json } = await answer()
      expect([statusCode, told(json().data.changes)]).toEqual([200, [['SeriesCreated', '1.47.1', 1]]])
    }
  })

  it('comes without changes when its time is over, and says where to go on [P42]', async () => {
    const begin = await now(admin)
    const reply = await server.app.inject({ url: `/api/Changes?since=${begin}&wait=1`, headers: admin.headers })
    expect(reply.json().data).toEqual({ changes: [], next: begin, hasMore: false })
  })

  it.each(['of a token that is ended', 'of a deactivated owner', 'of a deactivated organization'] as const)(
    'is refused with 401 at once, to a machine %s meanwhile [P01, P35, P42]',
    async (what) => {
      const token = await makeApiToken(admin, { scopes: ['read'] })
      const { answer } = await beginWaiting(bearer(token))
      const { db, bus } = server.deps
      const setStatus = async (status: 'Activated' | 'Deactivated'): Promise<void> => {
        if (what === 'of a deactivated owner') {
          await db.updateTable('users').set({ status }).where('id', '=', admin.userId).execute()
          bus.publish({ kind: 'viewersChanged', userIds: [admin.userId] })
        } else {
          await db.updateTable('organizations').set({ status }).where('id', '=', northClinic.id).execute()
          bus.publish({ kind: 'viewersChanged', organizationIds: [northClinic.id] })
        }
      }
      if (what === 'of a token that is ended') await admin.call(apiToken.end, { id: token.id })
      else await setStatus('Deactivated')
      expect((await answer()).statusCode).toBe(401)
      if (what !== 'of a token that is ended') await setStatus('Activated')
    },
  )

  it('is refused with 401 at once, to a person who signs out meanwhile [P42]', async () => {
    const staff = await server.signIn('staff')
    const { answer } = await beginWaiting(staff.headers)
    await server.call(account.logout, { refreshToken: staff.tokens.refreshToken ?? '' })
    expect((await answer()).statusCode).toBe(401)
  })

  it('is one of eight for one caller: a further one is told when to try again, others wait as before [P18, P42]', async () => {
    const [busy, calm] = [bearer(await makeApiToken(admin)), bearer(await makeApiToken(admin))]
    const waiting = []
    for (let n = 0; n < 8; n += 1) waiting.push(await beginWaiting(busy))
    const refused = await server.app.inject({ url: `/api/Changes?wait=25`, headers: busy })
    expect([refused.statusCode, refused.headers['retry-after'], refused.json().code]).toEqual([429, '5', 'SLOW_DOWN'])
    expect((await server.app.inject({ url: '/api/Changes', headers: busy })).statusCode).toBe(200)
    waiting.push(await beginWaiting(calm))
    await store(server, admin, objectOf('1.48', 1, 1))
    for (const { answer } of waiting) expect((await answer()).json().data.changes).toHaveLength(1)
    expect((await server.app.inject({ url: `/api/Changes?wait=1`, headers: busy })).statusCode).toBe(200)
  })
})

it('gives its place back when the line breaks [P18, P42]', async () => {
  const headers = bearer(await makeApiToken(admin))
  const address = await server.listen()
  const lines = new AbortController()
  const begun = jest.spyOn(server.deps.newsWaits, 'begin')
  const broken = Array.from({ length: 8 }, () =>
    fetch(`${address}/api/Changes?wait=25`, { headers, signal: lines.signal }).catch(() => 'broken'),
  )
  while (begun.mock.calls.length < 8) await new Promise((later) => setImmediate(later))
  begun.mockRestore()
  const ask = () => server.app.inject({ url: '/api/Changes?wait=1', headers })
  expect((await ask()).statusCode).toBe(429)
  lines.abort()
  expect(await Promise.all(broken)).toEqual(broken.map(() => 'broken'))
  // A line is closed a moment before whoever waited on it hears of it.
  let status = 429
  while (status === 429) {
    await new Promise((later) => setTimeout(later, 20))
    status = (await ask()).statusCode
  }
  expect(status).toBe(200)
})

describe('a machine', () => {
  it('needs the scope read, and is told so [P35, P42]', async () => {
    const { token } = await makeApiToken(admin, { scopes: ['upload', 'delete'] })
    const url = '/api/Changes'
    const refused = await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
    expect([refused.statusCode, refused.json().message]).toEqual([
      403,
      'This API token may not do this. It needs the scope "read", and an owner who may do it as well.',
    ])
  })
})

it('keeps no server from closing [P42]', async () => {
  const other = await startServer()
  const who = await other.signIn('admin')
  const begun = jest.spyOn(other.deps.newsWaits, 'begin')
  const answer = other.app.inject({ url: '/api/Changes?wait=25', headers: who.headers })
  const replied = answer.then(({ statusCode }) => statusCode)
  while (begun.mock.calls.length === 0) await new Promise((later) => setImmediate(later))
  const since = performance.now()
  await other.close()
  expect([await replied, performance.now() - since < 20_000]).toEqual([200, true])
})
