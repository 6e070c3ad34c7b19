import { Session } from './Session.ts'

const server = new URL('http://dmp.test')
afterEach(() => jest.restoreAllMocks())

/** A server whose tokens are good for so many seconds; keeps what it was asked. */
function serverWith(seconds: number): string[] {
  const asked: string[] = []
  jest.spyOn(globalThis, 'fetch').mockImplementation((request) => {
    asked.push(new URL(request instanceof Request ? request.url : request).pathname.replace('/api/account/', ''))
    return Promise.resolve(Response.json({ data: { accessToken: `token ${asked.length}`, refreshToken: 'again', expireDate: new Date(Date.now() + seconds * 1000).toISOString() } }))
  })
  return asked
}
const session = () => new Session({ server, email: 'service@north.example', password: 'secret', askCode: undefined })

it('uses a token that is good for more than a minute again', async () => {
  const asked = serverWith(90)
  const own = session()
  expect([await own.token(), await own.token()]).toEqual(['token 1', 'token 1'])
  expect(asked).toEqual(['login'])
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
