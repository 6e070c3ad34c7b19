import os from 'node:os'
import { isOfLine, Session, toUnreached, toUnsent } from './Session.ts'
import { exitCodes, Stop } from './stop.ts'

const server = new URL('http://dmp.test')
afterEach(() => jest.restoreAllMocks())

/** A server whose tokens are good for so many seconds; keeps what it was asked. */
function serverWith(seconds: number): string[] {
  const asked: string[] = []
  jest.spyOn(globalThis, 'fetch').mockImplementation((request) => {
    asked.push(new URL(request instanceof Request ? request.url : request).pathname.replace('/api/account/', ''))
    return Promise.resolve(
      Response.json({
        data: {
          accessToken: `token ${asked.length}`,
          refreshToken: 'again',
          expireDate: new Date(Date.now() + seconds * 1000).toISOString(),
        },
      }),
    )
  })
  return asked
}
const session = (askCode?: () => Promise<string>) =>
  new Session({ server, email: 'service@north.example', password: 'secret', askCode })

it('uses a token that is good for more than a minute again', async () => {
  const asked = serverWith(90)
  const own = session()
  expect([await own.token(), await own.token()]).toEqual(['token 1', 'token 1'])
  expect(asked).toEqual(['login'])
})

it('waits half a minute for an answer, and no longer', async () => {
  serverWith(90)
  const patience = jest.spyOn(AbortSignal, 'timeout')
  await session().token()
  expect(patience.mock.calls).toEqual([[30_000]])
})

it('renews a token that ends within a minute, or that the server did not take, before the next call', async () => {
  const asked = serverWith(30)
  const own = session()
  expect([await own.token(), await own.token()]).toEqual(['token 1', 'token 2'])
  expect(asked).toEqual(['login', 'renewToken'])

  serverWith(90)
  const other = session()
  other.reject(await other.token())
  expect(await other.token()).toBe('token 2')
})

it('asks once for a token that many files wait for', async () => {
  const asked = serverWith(90)
  const own = session()
  expect(new Set(await Promise.all(Array.from({ length: 8 }, () => own.token())))).toEqual(new Set(['token 1']))
  expect(asked).toEqual(['login'])
})

it('renews a token that is good for exactly a minute', async () => {
  jest.spyOn(Date, 'now').mockReturnValue(1_000_000_000_000)
  const asked = serverWith(60)
  const own = session()
  expect([await own.token(), await own.token()]).toEqual(['token 1', 'token 2'])
  expect(asked).toEqual(['login', 'renewToken'])
})

it('says on which system it works', async () => {
  const fetching = jest
    .spyOn(globalThis, 'fetch')
    .mockResolvedValue(Response.json({ data: { accessToken: 'a', refreshToken: 'b', expireDate: null } }))
  await session().token()
  const names: Record<string, string> = { Linux: 'Linux', Darwin: 'Mac OS X', Windows_NT: 'Windows' }
  expect(fetching.mock.calls[0]?.[1]?.headers).toMatchObject({
    'user-agent': expect.stringContaining(`(${names[os.type()]} `) as string,
  })
})

it.each([
  [new TypeError('fetch failed', { cause: { code: 'ECONNRESET' } }), 'ECONNRESET'],
  [new TypeError('fetch failed', { cause: null }), 'no answer'],
  [new TypeError('fetch failed'), 'no answer'],
  [new TypeError('fetch failed', { cause: new Error('bad port') }), 'bad port'],
  [
    new TypeError('fetch failed', { cause: new Error('unexpected redirect') }),
    'it sends on to another address: use that one',
  ],
  [
    new TypeError('fetch failed', { cause: { code: 'SELF_SIGNED_CERT_IN_CHAIN' } }),
    'SELF_SIGNED_CERT_IN_CHAIN: this machine does not trust its certificate; NODE_EXTRA_CA_CERTS names further authorities',
  ],
  [Object.assign(new Error('The operation was aborted'), { name: 'TimeoutError' }), 'no answer in time'],
  ['gone', 'no answer'],
])('puts off what has to wait for the line, and says what is wrong with it: %s', async (cause, why) => {
  jest.spyOn(globalThis, 'fetch').mockRejectedValue(cause)
  expect(await session().ready()).toEqual({
    kind: 'later',
    reason: `dmp.test does not respond (${why}).`,
    code: 'LINE_LOST',
    isUnreachable: true,
  })
})

it.each([
  ['a page of something else', () => new Response('<html>'), /is not a Data Management Platform/],
  ['no tokens', () => Response.json({ data: { accessToken: null } }), /without giving a token/],
])('ends where the sign-in is answered with %s', async (_what, answer, said) => {
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(answer())
  await expect(session().ready()).rejects.toThrow(said)
})

it.each([
  [400, 'The server refused to sign service@north.example in: In words.', exitCodes.notSignedIn],
  [404, 'dmp.test is not a Data Management Platform.', new Stop('').exitCode],
  [421, 'does not answer to this name. In words.', new Stop('').exitCode],
])('ends where the sign-in is answered with %i', async (status, words, exitCode) => {
  jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json({ code: 'X', message: 'In words.' }, { status }))
  const failure: unknown = await session()
    .ready()
    .catch((cause: unknown) => cause)
  expect(failure).toBeInstanceOf(Stop)
  expect(failure).toMatchObject({ message: expect.stringContaining(words) as string, exitCode })
})

it.each([
  [500, 'X', undefined],
  [502, '', true],
])(
  'waits where the sign-in is answered with %i %s, and knows whether the server is there',
  async (status, code, isUnreachable) => {
    const answer = { ...(code !== '' && { code }), message: 'In words.' }
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(answer, { status }))
    expect(await session().ready()).toMatchObject({ kind: 'later', reason: 'In words.' })
    jest.spyOn(globalThis, 'fetch').mockResolvedValue(Response.json(answer, { status }))
    expect(((await session().ready()) as { isUnreachable?: boolean }).isUnreachable).toBe(isUnreachable)
  },
)

it('signs in anew where the server renews nothing any more, and keeps a token when an older one was not taken', async () => {
  const asked = serverWith(90)
  const own = session()
  const first = await own.token()
  own.reject('an older token')
  expect(await own.token()).toBe(first)
  own.reject(first)
  const renewing = jest.mocked(globalThis.fetch).getMockImplementation()!
  jest
    .spyOn(globalThis, 'fetch')
    .mockImplementation((to, init) =>
      String(to).endsWith('/renewToken') ? Promise.resolve(new Response('', { status: 401 })) : renewing(to, init),
    )
  expect(await own.token()).not.toBe(first)
  expect(asked).toEqual(['login', 'login'])
})

it.each([
  ['https://localhost:4000', 'localhost:4000 speaks http, not https. Write http://localhost:4000 as its address.'],
  ['https://dmp.test', 'dmp.test speaks http, not https, and nothing is sent in the open. Ask its administrator'],
])('says of %s, which speaks http, what the right address is', (address, words) => {
  const cause = new TypeError('fetch failed', { cause: { code: 'ERR_SSL_WRONG_VERSION_NUMBER' } })
  for (const sentence of [toUnreached(new URL(address), cause), toUnsent(new URL(address), cause)])
    expect(sentence).toContain(words)
})

it.each([
  [new TypeError('fetch failed'), true],
  [Object.assign(new Error('aborted'), { name: 'TimeoutError' }), true],
  [new Error('ENOENT: no such file'), false],
  ['fetch failed', false],
])('%p is of the line: %p', (cause, isIt) => {
  expect(isOfLine(cause)).toBe(isIt)
  expect(toUnsent(server, cause).endsWith('Check the connection.')).toBe(isIt)
})

describe('an account with mailed codes', () => {
  const askedFor: unknown[] = []
  beforeEach(() => {
    askedFor.length = 0
    jest.spyOn(globalThis, 'fetch').mockImplementation((to, init) => {
      if (String(to).endsWith('/login'))
        return Promise.resolve(Response.json({ data: { challengeName: 'MFA', session: 'one', userId: 'ada' } }))
      askedFor.push(JSON.parse(String(init?.body)))
      return Promise.resolve(Response.json({ data: { accessToken: 'good', refreshToken: 'again', expireDate: null } }))
    })
  })

  it('is let in by the code that somebody types', async () => {
    expect(await session(() => Promise.resolve(' 123456 ')).token()).toBe('good')
    expect(askedFor).toEqual([{ clientId: 'dmp-uploader', session: 'one', userId: 'ada', mfaCode: '123456' }])
  })

  it('is not used where the uploader cannot enter one', async () => {
    const refused = await session()
      .token()
      .catch((cause: unknown) => cause)
    expect(refused).toBeInstanceOf(Stop)
    expect(refused).toMatchObject({
      exitCode: exitCodes.notSignedIn,
      message: expect.stringContaining('the uploader cannot enter') as string,
    })
    expect(askedFor).toEqual([])
  })
})
