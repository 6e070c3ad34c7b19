import { createHmac, generateKeyPairSync } from 'node:crypto'
import { account } from '@dmp/contract'
import { exportJWK, SignJWT, UnsecuredJWT } from 'jose'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'

let server: TestServer
let staff: SignedIn

beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const parts = () => (staff.tokens.accessToken ?? '').split('.') as [string, string, string]
const claims = () => JSON.parse(Buffer.from(parts()[1], 'base64url').toString()) as Record<string, unknown>
const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

const signed = (header: Record<string, unknown>, change: Record<string, unknown> = {}) =>
  new SignJWT({ ...claims(), ...change })
    .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: server.deps.keys.kid, ...header })
    .sign(server.deps.keys.signing)

/** The same signature in other letters: its last one has four bits that stand for nothing. */
function respell(token: string): string {
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return token.slice(0, -1) + (letters[letters.indexOf(token.slice(-1)) ^ 1] ?? '')
}

const stranger = generateKeyPairSync('ed25519')
const [aSecond, anHour] = [1, 3600]
const now = () => Math.floor(Date.now() / 1000)

const forgeries: readonly (readonly [what: string, make: () => string | Promise<string>])[] = [
  ['algorithm none', () => new UnsecuredJWT(claims()).encode()],
  ['algorithm none in capitals', () => `${json({ alg: 'NONE', typ: 'at+jwt' })}.${parts()[1]}.`],
  [
    'algorithm none with the real signature',
    () => `${json({ alg: 'none', typ: 'at+jwt' })}.${parts()[1]}.${parts()[2]}`,
  ],
  [
    'HMAC keyed with the public key',
    () => {
      const pem = server.deps.keys.verifying.export({ type: 'spki', format: 'pem' }).toString()
      const body = `${json({ alg: 'HS256', typ: 'at+jwt' })}.${parts()[1]}`
      return `${body}.${createHmac('sha256', pem).update(body).digest('base64url')}`
    },
  ],
  [
    'another key',
    () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: server.deps.keys.kid })
        .sign(stranger.privateKey),
  ],
  [
    'a key in the header',
    async () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', jwk: await exportJWK(stranger.publicKey) })
        .sign(stranger.privateKey),
  ],
  [
    'a key address in the header',
    () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', jku: 'https://evil.example/keys' })
        .sign(stranger.privateKey),
  ],
  [
    'a certificate in the header',
    () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', x5c: ['MIIB'] })
        .sign(stranger.privateKey),
  ],
  [
    'a kid that is a path',
    () =>
      new SignJWT(claims())
        .setProtectedHeader({ alg: 'EdDSA', typ: 'at+jwt', kid: '../../dev/null' })
        .sign(stranger.privateKey),
  ],
  [
    'a critical extension that nobody knows',
    () => `${json({ alg: 'EdDSA', typ: 'at+jwt', crit: ['x'], x: 1 })}.${parts()[1]}.${parts()[2]}`,
  ],
  ['another type', () => signed({ typ: 'JWT' })],
  ['no type', () => signed({ typ: undefined })],
  ['the id token', () => staff.tokens.idToken ?? ''],
  ['the refresh token', () => staff.tokens.refreshToken ?? ''],
  ['another audience', () => signed({}, { aud: 'somewhere' })],
  ['no audience', () => signed({}, { aud: undefined })],
  ['another issuer', () => signed({}, { iss: 'somebody' })],
  ['no issuer', () => signed({}, { iss: undefined })],
  ['no expiry', () => signed({}, { exp: undefined })],
  ['an expiry in words', () => signed({}, { exp: 'tomorrow' })],
  ['an expiry that is past', () => signed({}, { exp: now() - aSecond })],
  ['a beginning that is to come', () => signed({}, { nbf: now() + anHour })],
  ['no subject', () => signed({}, { sub: undefined })],
  ['another subject', () => signed({}, { sub: '00000000-0000-4000-8000-000000000801' })],
  ['no session', () => signed({}, { sid: undefined })],
  ['a session that does not exist', () => signed({}, { sid: '00000000-0000-4000-8000-00000000dead' })],
  ['a session that is no id', () => signed({}, { sid: "' or 1=1 --" })],
  ['no scope', () => signed({}, { scope: undefined })],
  ['a scope that does not exist', () => signed({}, { scope: 'root' })],
  [
    'changed claims under the old signature',
    () => `${parts()[0]}.${json({ ...claims(), sub: '00000000-0000-4000-8000-000000000801' })}.${parts()[2]}`,
  ],
  ['no signature', () => `${parts()[0]}.${parts()[1]}.`],
  ['a cut signature', () => (staff.tokens.accessToken ?? '').slice(0, -4)],
  ['another last letter of the signature', () => respell(staff.tokens.accessToken ?? '')],
  ['two parts', () => `${parts()[0]}.${parts()[1]}`],
  ['four parts', () => `${staff.tokens.accessToken}.x`],
  ['a header that is no JSON', () => `bm90IGpzb24.${parts()[1]}.${parts()[2]}`],
  ['nothing', () => ''],
  ['an endless token', () => 'a'.repeat(9000)],
]

describe('the API takes tokens that it signed for itself, and no others', () => {
  it('takes the real one [7.40]', async () => {
    expect((await staff.call(account.validateToken, {})).status).toBe(200)
  })

  it.each(forgeries)('refuses %s with 401 [7.40, P09]', async (_what, make) => {
    const reply = await server.call(account.validateToken, {}, { headers: { authorization: `Bearer ${await make()}` } })
    expect([reply.status, reply.code]).toEqual([401, 'NOT_SIGNED_IN'])
  })

  it('says in the id token who it is and nothing more [3.01]', () => {
    const id = JSON.parse(
      Buffer.from((staff.tokens.idToken ?? '').split('.')[1] ?? '', 'base64url').toString(),
    ) as Record<string, unknown>
    expect(Object.keys(id).sort()).toEqual(['aud', 'email', 'exp', 'iat', 'iss', 'name', 'sub'])
    // One key signs both: each names whom it is for.
    expect([id['aud'], claims()['aud']]).toEqual(['dmp-web', 'dmp-api'])
  })
})
