import { apiToken } from '@dmp/contract'
import { limits } from '@dmp/contract/limits'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from './apiTokenInTests.ts'
import { mostOfAll } from './device.repository.ts'
import { approve, begin, clientId, connect, poll, post, type Codes } from './deviceInTests.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_PUBLIC_URL: 'https://dmp.clinic.example' })
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const wanted = { client_id: clientId, name: 'CT', scope: 'upload' }
const countWaiting = async () =>
  (await server.deps.db.selectFrom('device_codes').select('device_code_hash').execute()).length

describe('the door for machines that ask (RFC 8628, 3.1)', () => {
  it('gives a code to keep, one to show and where to type it, and names nobody [P45]', async () => {
    const reply = await post(server, 'device', wanted)
    const codes = reply.json<Codes>()
    expect([reply.statusCode, reply.headers['cache-control']]).toEqual([200, 'no-store'])
    expect(codes).toEqual({
      device_code: expect.stringMatching(/^[\w-]{43}$/) as string,
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/) as string,
      verification_uri: 'https://dmp.clinic.example/account/device',
      verification_uri_complete: `https://dmp.clinic.example/account/device?code=${codes.user_code}`,
      expires_in: 600,
      interval: 5,
    })
  })

  it('takes the client id for a name where there is none [P45]', async () => {
    const codes = (await post(server, 'device', { client_id: 'curl', scope: 'read' })).json<Codes>()
    const { data } = await admin.call(apiToken.getDevice, { code: codes.user_code })
    expect([data.name, data.clientId]).toEqual(['curl', 'curl'])
  })

  it.each([
    ['no client id', { scope: 'read' }, 'invalid_request'],
    ['a client id with a blank', { client_id: 'a b', scope: 'read' }, 'invalid_request'],
    ['no scope', { client_id: 'a' }, 'invalid_request'],
    ['a scope that is none', { client_id: 'a', scope: 'read admin' }, 'invalid_scope'],
    ['a name of two lines', { ...wanted, name: 'a\nb' }, 'invalid_request'],
    ['a name that turns its letters round', { ...wanted, name: 'CT \u202E' }, 'invalid_request'],
    ['a name that is too long', { ...wanted, name: 'x'.repeat(limits.apiTokenNameMaxChars + 1) }, 'invalid_request'],
  ])('refuses %s, and keeps nothing [P45]', async (_what, parameters, error) => {
    const before = await countWaiting()
    const reply = await post(server, 'device', parameters)
    expect([reply.statusCode, reply.json<{ error: string }>().error]).toEqual([400, error])
    expect(await countWaiting()).toBe(before)
  })

  it('lets few wait at one address, at once as well, and others go on [P18, P19, P45]', async () => {
    const from = (address: string) => post(server, 'device', wanted, address)
    const replies = await Promise.all(Array.from({ length: 30 }, () => from('203.0.113.1')))
    expect(replies.filter(({ statusCode }) => statusCode === 200)).toHaveLength(20)
    const refused = replies.find(({ statusCode }) => statusCode !== 200)
    expect([refused?.statusCode, Number(refused?.headers['retry-after']) > 0]).toEqual([429, true])
    expect((await from('203.0.113.2')).statusCode).toBe(200)
    // Of IPv6, a whole network is one address.
    for (let n = 0; n < 20; n += 1) await from(`2001:db8::${n + 1}`)
    expect((await from('2001:db8::ffff')).statusCode).toBe(429)
  })

  it('keeps no more than so many, and none for long [P18, P45]', async () => {
    const { db } = server.deps
    const row = await db.selectFrom('device_codes').selectAll().limit(1).executeTakeFirstOrThrow()
    const many = (date: Date) =>
      Array.from({ length: 500 }, (_, n) => ({
        ...row,
        approved_scopes: null,
        approved_addresses: null,
        device_code_hash: `${date.getTime()} ${n}`,
        user_code_hash: `${date.getTime()} ${n}`,
        address_key: 'elsewhere',
        expires_date: date,
      }))
    const soon = Date.now() + 300_000
    for (let n = 0; n < mostOfAll / 500; n += 1)
      await db
        .insertInto('device_codes')
        .values(many(new Date(soon + n)))
        .execute()
    const refused = await post(server, 'device', wanted, '203.0.113.3')
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '60'])
    // What is over keeps nobody waiting, and is gone some minutes later.
    for (const [overMs, left] of [
      [1000, mostOfAll],
      [3_600_000, 0],
    ] as const) {
      await db
        .updateTable('device_codes')
        .set({ expires_date: new Date(Date.now() - overMs) })
        .execute()
      expect((await post(server, 'device', wanted, '203.0.113.3')).statusCode).toBe(200)
      expect(await countWaiting()).toBeGreaterThan(left)
    }
    expect(await countWaiting()).toBe(1)
  })
})

describe('the door for machines that give their token back (RFC 7009)', () => {
  const search = (secret: string) =>
    server.app.inject({ url: '/dicom-web/studies', headers: { authorization: `Bearer ${secret}` } })

  it('ends the API token at once, in the name of the machine [P35, P45]', async () => {
    const { answer } = await connect(server, admin, { name: 'Given back', scopes: ['read'] }, 'read')
    const token = answer.access_token ?? ''
    expect((await search(token)).statusCode).toBe(200)
    const reply = await post(server, 'revoke', { token })
    expect([reply.statusCode, reply.body]).toEqual([200, ''])
    expect((await search(token)).statusCode).toBe(401)
    const row = (await admin.call(apiToken.list, { search: 'Given back' })).data[0]
    expect([row?.status, row?.endedBy]).toEqual(['Ended', 'Given back'])
  })

  it('answers alike for what is unknown, ended, mistyped or empty of meaning [P45]', async () => {
    const { token, id } = await makeApiToken(admin)
    await admin.call(apiToken.end, { id })
    for (const nothing of [token, `${token.slice(0, -1)}!`, 'dmp_', 'anything']) {
      const reply = await post(server, 'revoke', { token: nothing })
      expect([reply.statusCode, reply.body]).toEqual([200, ''])
    }
    expect((await post(server, 'revoke', {})).json<{ error: string }>().error).toBe('invalid_request')
  })

  it('ends nothing for somebody who may not use it, nor by an access token [P35, P45]', async () => {
    const { token, name } = await makeApiToken(admin, { addresses: ['192.0.2.1'] })
    const elsewhere = await post(server, 'revoke', { token }, '198.51.100.1')
    expect([elsewhere.statusCode, elsewhere.json<{ error: string }>().error]).toEqual([400, 'unauthorized_client'])
    expect((await admin.call(apiToken.list, { search: name })).data[0]?.status).toBe('Active')
  })

  it('takes two at once [P45]', async () => {
    const { token } = await makeApiToken(admin)
    const replies = await Promise.all([post(server, 'revoke', { token }), post(server, 'revoke', { token })])
    expect(replies.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })
})

it('is asked again by nobody after the sweep [P18, P45]', async () => {
  const codes = await begin(server)
  await approve(admin, codes)
  await server.deps.db
    .updateTable('device_codes')
    .set({ expires_date: new Date(Date.now() - 3_600_000) })
    .execute()
  await begin(server)
  expect((await poll(server, codes)).error).toBe('invalid_grant')
})
