import { apiToken } from '@dmp/contract'
import { decodeJwt } from 'jose'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { askForToken, basic, makeApiToken } from './apiTokenInTests.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const grant = { grant_type: 'client_credentials' }
interface TokenAnswer {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in: number
  readonly scope: string
}
const search = (token: string) =>
  server.app.inject({ url: '/dicom-web/studies', headers: { authorization: `Bearer ${token}` } })

describe('the token endpoint (RFC 6749, 4.4)', () => {
  it('gives an access token of some minutes for client credentials, by Basic and in the body [P35]', async () => {
    const { id, token } = await makeApiToken(admin)
    const replies = [
      await askForToken(server, grant, { authorization: basic(id, token) }),
      await askForToken(server, { ...grant, client_id: id, client_secret: token }),
    ]
    for (const reply of replies) {
      expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store'])
      const answer = reply.json<TokenAnswer>()
      expect(answer).toMatchObject({ token_type: 'Bearer', scope: 'read upload delete' })
      expect(answer.expires_in).toBeGreaterThan(890)
      expect(answer.expires_in).toBeLessThanOrEqual(900)
      expect((await search(answer.access_token)).statusCode).toBe(200)
      expect(JSON.stringify(decodeJwt(answer.access_token))).not.toContain(token)
    }
  })

  it('narrows the scopes when it is asked to, and never widens them [P35]', async () => {
    const { id, token } = await makeApiToken(admin, { scopes: ['read', 'upload'] })
    const ask = (scope: string) => askForToken(server, { ...grant, scope }, { authorization: basic(id, token) })
    const { access_token: narrow, scope } = (await ask('upload')).json<TokenAnswer>()
    expect([scope, (await search(narrow)).statusCode]).toEqual(['upload', 403])
    for (const wide of ['delete', 'read delete', 'all', 'read  upload']) {
      const refused = await ask(wide)
      expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([400, 'invalid_scope'])
    }
  })

  it('gives no access token that outlives the API token [P35]', async () => {
    const { id, token } = await makeApiToken(admin)
    const soon = new Date(Date.now() + 60_000)
    await server.deps.db.updateTable('api_tokens').set({ expires_date: soon }).where('id', '=', id).execute()
    const { expires_in: seconds } = (
      await askForToken(server, grant, { authorization: basic(id, token) })
    ).json<TokenAnswer>()
    expect(seconds).toBeLessThanOrEqual(60)
  })

  const refusals: readonly (readonly [
    what: string,
    make: (id: string, token: string) => readonly [Record<string, string> | string, Record<string, string>?],
    status: number,
    error: string,
  ])[] = [
    ['nothing', () => [{}], 400, 'invalid_request'],
    ['an empty grant', () => [{ grant_type: '' }], 400, 'invalid_request'],
    ['the password grant', () => [{ grant_type: 'password' }], 400, 'unsupported_grant_type'],
    ['no client', () => [grant], 401, 'invalid_client'],
    ['a client without a secret', (id) => [{ ...grant, client_id: id }], 401, 'invalid_client'],
    ['a secret without a client', (_id, token) => [{ ...grant, client_secret: token }], 401, 'invalid_client'],
    [
      'the secret of another client',
      (_id, token) => [grant, { authorization: basic('00000000-0000-4000-8000-00000000dead', token) }],
      401,
      'invalid_client',
    ],
    ['a wrong secret', (id) => [grant, { authorization: basic(id, 'dmp_wrong') }], 401, 'invalid_client'],
    [
      'the secret twice',
      (id, token) => [{ ...grant, client_secret: token }, { authorization: basic(id, token) }],
      400,
      'invalid_request',
    ],
    ['a parameter twice', () => ['grant_type=client_credentials&grant_type=password'], 400, 'invalid_request'],
  ]
  it.each(refusals)('refuses %s as the standard says [P35]', async (_what, make, status, error) => {
    const { id, token } = await makeApiToken(admin)
    const [parameters, headers] = make(id, token)
    const reply = await askForToken(server, parameters, headers)
    expect([reply.statusCode, reply.json<{ error: string }>().error]).toEqual([status, error])
    const challenge = status === 401 && headers?.['authorization'] !== undefined
    expect(String(reply.headers['www-authenticate'] ?? '').startsWith('Basic ')).toBe(challenge)
  })

  it.each([
    ['application/json', '{"grant_type":"client_credentials"}'],
    ['application/json', '{'],
    ['text/plain', 'grant_type=client_credentials'],
    [undefined, 'x'],
  ])('tells in the words of the standard that %s is no form (5.2) [P35]', async (type, payload) => {
    const headers = type === undefined ? {} : { 'content-type': type }
    const reply = await server.app.inject({ method: 'POST', url: '/api/oauth/token', headers, payload })
    expect([reply.statusCode, reply.headers['cache-control'], reply.json()]).toEqual([
      400,
      'no-store',
      {
        error: 'invalid_request',
        error_description: 'Send the parameters as a form, with Content-Type: application/x-www-form-urlencoded.',
      },
    ])
  })

  it('refuses an ended token, an address that it does not name, and what is no form [P35]', async () => {
    const { id, token } = await makeApiToken(admin, { addresses: ['127.0.0.1'] })
    const authorization = basic(id, token)
    expect((await askForToken(server, grant, { authorization }, '192.0.2.1')).statusCode).toBe(401)
    const json = await server.app.inject({
      method: 'POST',
      url: '/api/oauth/token',
      payload: grant,
      headers: { authorization },
    })
    expect(json.json<{ error: string }>().error).toBe('invalid_request')
    expect((await askForToken(server, grant, { authorization })).statusCode).toBe(200)
    await admin.call(apiToken.end, { id })
    expect((await askForToken(server, grant, { authorization })).statusCode).toBe(401)
  })
})
