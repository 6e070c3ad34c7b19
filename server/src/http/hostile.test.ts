import { type Endpoint } from '@dmp/contract'
import { calls } from '@dmp/contract/calls'
import { toRequest } from '../testing/request.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

/** Made from the contract: every field of every call, with every payload. The database is thrown away afterwards. */
let server: TestServer
let root: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  // Signing out, resetting and the like must not end the session that tries the rest.
  await server.deps.db
    .updateTable('users')
    .set({ password_hash: 'x' })
    .where('email', '=', 'new@north.example')
    .execute()
})
afterAll(() => server.close())

it('takes no list where an object is expected, also where every field is optional [P16]', async () => {
  for (const call of calls.filter(({ definition }) => definition.method !== 'GET')) {
    const { method, url } = toRequest(call, {})
    const headers = { ...root.headers, 'content-type': 'application/json' }
    const reply = await server.app.inject({ method, url: url.replace(/\/(?=\/|$)/g, '/x'), headers, payload: '[]' })
    expect([call.name, reply.statusCode]).toEqual([call.name, 400])
  }
})

const payloads: readonly unknown[] = [
  "' or 1=1 --",
  "'; drop table users; --",
  '1; select pg_sleep(5)',
  '${7*7}{{7*7}}<%= 7*7 %>',
  '../../../../etc/passwd',
  '\u0000',
  '%00%0d%0aSet-Cookie: a=b',
  '\ud800',
  '<script>alert(1)</script>',
  'x'.repeat(20_000),
  -1,
  1e308,
  true,
  null,
  [],
  ['a', 'b'],
  { $gt: '' },
  { toString: 'x', length: 3 },
]

interface WithEntries {
  readonly entries?: Readonly<Record<string, unknown>>
  readonly pipe?: readonly WithEntries[]
}
const entriesOf = (schema: unknown): string[] => {
  const { entries, pipe } = (schema ?? {}) as WithEntries
  return entries ? Object.keys(entries) : entriesOf(pipe?.[0] ?? { entries: {} })
}

const uuid = '00000000-0000-4000-8000-00000000abcd'
const plausible = (keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(keys.map((key) => [key, /uid$/i.test(key) ? '1.2.3' : /id$/i.test(key) ? uuid : 'text']))

const send = (call: Endpoint, input: Record<string, unknown>) => {
  const { method, url, payload } = toRequest(call, input)
  return server.app.inject({ method, url, headers: { ...root.headers }, ...(payload ? { payload } : {}) })
}

describe.each(calls.map((call) => [call.name, call] as const))('%s', (_name, call) => {
  const { params, query, body } = call.definition
  const keys = [...entriesOf(params), ...entriesOf(query), ...entriesOf(body)]

  if (keys.length > 0) {
    it.each(keys)('takes hostile values of %s as text or refuses them, and never breaks [P16]', async (key) => {
      for (const payload of payloads) {
        const reply = await send(call, { ...plausible(keys), [key]: payload })
        expect({ payload, status: reply.statusCode < 500 }).toEqual({ payload, status: true })
        expect(reply.body).not.toMatch(/syntax error|invalid input syntax|at Object|node:internal|valibot/i)
      }
    })
  }

  it('refuses what it does not declare, wherever it stands [P03]', async () => {
    for (const extra of [{ role: 'super_admin' }, { organizationID: uuid }, { isAdmin: true }, { policy: 'all' }]) {
      const { method, url } = toRequest(call, plausible(keys))
      const inQuery = await server.app.inject({
        method,
        url: `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(Object.entries(extra).map(([name, value]): [string, string] => [name, String(value)]))}`,
        headers: { ...root.headers },
      })
      expect(inQuery.statusCode).toBe(400)
      // A body of GET is not read at all.
      if (method !== 'GET') expect((await send(call, { ...plausible(keys), ...extra })).statusCode).toBe(400)
    }
  })
})

describe('bodies', () => {
  const post = (payload: string, type = 'application/json') =>
    server.app.inject({ method: 'POST', url: '/api/account/login', payload, headers: { 'content-type': type } })
  const good = '"ClientId":"dmp-web","email":"staff@north.example","password":"wrong"'

  it.each([
    ['a key given twice', `{${good},"email":"super@dmp.example"}`, 400],
    ['a key given twice, once escaped', `{${good},"em\\u0061il":"super@dmp.example"}`, 400],
    ['__proto__', `{${good},"__proto__":{"role":"super_admin"}}`, 400],
    ['__proto__, escaped', `{${good},"__proto\\u005f_":{"role":"super_admin"}}`, 400],
    ['constructor.prototype', `{${good},"constructor":{"prototype":{"isAdmin":true}}}`, 400],
    ['deep nesting', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`, 400],
    ['a list', '[1,2,3]', 400],
    ['a number', '1', 400],
    ['null', 'null', 400],
    ['nothing', '', 400],
    ['a key in a list', `["ClientId":"dmp-web"]`, 400],
    ['a key that is no text', `{"em\\x":1,${good}}`, 400],
    ['half of it', `{${good}`, 400],
    ['two of it', `{${good}}{${good}}`, 400],
    ['a comment', `{${good}/*x*/}`, 400],
    ['not a number', `{${good},"n":NaN}`, 400],
    ['more than is accepted', `{"a":"${'x'.repeat(200_000)}"}`, 413],
  ])('%s is refused [P16]', async (_what, payload, status) => {
    const reply = await post(payload)
    expect(reply.statusCode).toBe(status)
    expect(reply.json()).toMatchObject({
      code: expect.stringMatching(/^[A-Z_]+$/),
      message: expect.any(String),
      requestId: expect.any(String),
    })
  })

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'text/plain; application/json',
  ])('of type %s are refused with 415 [P10]', async (type) => {
    expect((await post(`{${good}}`, type)).statusCode).toBe(415)
  })

  it('are read as the one JSON they are: a quote in a value changes nothing [P16]', async () => {
    expect(
      (await post(`{"ClientId":"dmp-web","email":"staff@north.example","password":"\\",\\"ClientId\\":\\"x"}`))
        .statusCode,
    ).toBe(401)
  })
})

describe('addresses', () => {
  it.each([
    '/api/%',
    '/api/account/%ff',
    '/api/account/profile%00',
    '/api//account//profile',
    `/api/${'x'.repeat(3000)}`,
    '/api/account/profile/x',
    '/api/nothing',
  ])('%s is refused in one shape', async (url) => {
    const reply = await server.app.inject({ method: 'GET', url })
    expect(reply.statusCode).toBeGreaterThanOrEqual(400)
    expect(reply.statusCode).toBeLessThan(500)
    expect(reply.json()).toMatchObject({ code: expect.stringMatching(/^[A-Z_]+$/), requestId: expect.any(String) })
  })

  it('are matched without regard to case and to a slash at their end [7.01]', async () => {
    for (const url of ['/api/ROLE/LIST', '/API/role/list', '/Api/Role/List', '/api/role/list/'])
      expect((await server.app.inject({ method: 'GET', url, headers: { ...root.headers } })).statusCode).toBe(200)
  })
})
