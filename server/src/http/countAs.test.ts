import { account } from '@dmp/contract'
import type { InjectOptions } from 'fastify'
import { limitsByCall } from '../core/rateLimits.ts'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { toRequest } from '../testing/request.ts'

const factor = 0.05
/** Of calls of an address in a minute. */
const most = 3000 * factor
const clinic = '10.30.0.1'

let server: TestServer
beforeEach(async () => {
  server = await startServer({ DMP_LIMIT_FACTOR: String(factor), DMP_PUBLIC_URL: 'https://dmp.example.org' })
})
afterEach(() => server.close())

const ask = async (options: InjectOptions) =>
  (await server.app.inject({ remoteAddress: clinic, ...options })).statusCode
async function flood(count: number, options: InjectOptions): Promise<number> {
  for (let n = 0; n < count; n += 1) await ask(options)
  return ask(options)
}
const signIn = (email: string, more: InjectOptions = {}) => {
  const { method, url } = toRequest(account.login, {})
  const payload = { ClientId: 'dmp-web', email, password: demoPassword }
  return server.app.inject({ method, url, payload, remoteAddress: clinic, ...more })
}
/** Signs in elsewhere, and has the cookies of that sign-in. */
async function comeBack(email: string, remoteAddress: string, names: readonly string[]) {
  const { cookies } = await signIn(email, { remoteAddress, headers: { 'sec-fetch-site': 'same-origin' } })
  const kept = cookies.filter(({ name }) => names.some((wanted) => name.endsWith(wanted)))
  expect(kept).toHaveLength(names.length)
  return kept.map(({ name, value }) => `${name}=${value}`).join('; ')
}

describe('limits of an address', () => {
  it('that a stranger behind it has used up leave people with a session their own [P19]', async () => {
    const staff = await server.signIn('staff')
    expect(await flood(most, { url: '/api/x' })).toBe(429)
    expect(await ask({ url: '/api/role/list', headers: staff.headers })).toBe(200)
    expect(await ask({ url: '/api/role/list', headers: { authorization: 'Bearer garbage' } })).toBe(429)
  })

  it('are not touched by what a page elsewhere sends from a browser behind it [P10, P19]', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
      { origin: 'https://evil.example', 'content-type': 'text/plain' },
    ])
      await flood(most, { url: '/api/x', headers })
    expect(await ask({ url: '/api/x', headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } })).toBe(
      429,
    )
    expect(await ask({ url: '/api/x' })).toBe(404)
    const { method, url } = toRequest(account.login, {})
    const logins = (limitsByCall['POST /account/login']?.[0]?.calls ?? 0) * factor
    await flood(logins, { method, url, payload: 'x', headers: { origin: 'https://evil.example' } })
    expect((await signIn('staff@north.example')).statusCode).toBe(200)
  })

  it.each([
    ['a browser', ['dmp-audience']],
    ['an app such as the uploader', ['dmp-device']],
  ])(
    'that strangers have used up let somebody sign in on %s that has done so before [P04, P19]',
    async (_what, names) => {
      const cookie = await comeBack('staff@north.example', '10.30.0.2', names)
      let last = 0
      for (let n = 0; n <= 100 * factor; n += 1) last = (await signIn('nobody@north.example')).statusCode
      expect(last).toBe(429)
      expect((await signIn('staff@north.example', { headers: { cookie } })).statusCode).toBe(200)
    },
  )

  it('hold for cookies that this server did not write, and for altered ones [P19]', async () => {
    const cookie = await comeBack('staff@north.example', '10.30.0.2', ['dmp-audience', 'dmp-device'])
    for (let n = 0; n <= 100 * factor; n += 1) await signIn('nobody@north.example')
    const altered = cookie.replaceAll(
      /([=.])(.)/g,
      (_all, sign: string, first: string) => sign + (first === 'A' ? 'B' : 'A'),
    )
    expect((await signIn('staff@north.example', { headers: { cookie: altered } })).statusCode).toBe(429)
  })

  it('are one for all cookies of a person, however often that person signs in [P19]', async () => {
    const statuses: number[] = []
    let cookie = await comeBack('staff@north.example', '10.30.0.2', ['dmp-audience'])
    for (let n = 0; n <= 100 * factor; n += 1) {
      const answer = await signIn('staff@north.example', { headers: { cookie }, remoteAddress: `10.31.0.${n}` })
      statuses.push(answer.statusCode)
      const renewed = answer.cookies.find(({ name }) => name.endsWith('dmp-audience'))
      if (renewed) cookie = `${renewed.name}=${renewed.value}`
    }
    expect(statuses.at(-1)).toBe(429)
  })
})
