import { apiToken } from '@dmp/contract'
import { southClinic } from '@dmp/contract/examples'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from './apiTokenInTests.ts'
import { approve, begin, connect, poll, type Codes } from './deviceInTests.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
})
afterAll(() => server.close())

const ask = (secret: string, method: 'GET' | 'POST' = 'POST') =>
  server.app.inject({ method, url: '/dicom-web/studies', headers: { authorization: `Bearer ${secret}` } })
const end = (codes: Codes) =>
  server.deps.db
    .updateTable('device_codes')
    .set({ expires_date: new Date(Date.now() - 1000) })
    .where('device_code_hash', '=', server.deps.keys.digest('deviceCode', codes.device_code))
    .execute()

describe('a person who reads the code of a machine', () => {
  it('sees what it says of itself, where it asked from and when, however the code is typed [P45]', async () => {
    const codes = await begin(server, { name: 'CT in room 3', scope: 'upload read' }, '198.51.100.7')
    const typed = [codes.user_code, codes.user_code.toLowerCase(), ` ${codes.user_code.replace('-', ' ')} `]
    for (const code of typed) {
      const { data } = await admin.call(apiToken.getDevice, { code })
      expect(data).toMatchObject({
        name: 'CT in room 3',
        clientId: 'dmp-uploader',
        scopes: ['upload', 'read'],
        address: '198.51.100.7',
      })
      expect(Date.parse(data.expiresDate) - Date.parse(data.requestedDate)).toBe(600_000)
    }
  })

  it('gives it an API token of the own organization, with a name, scopes, networks and an end [P35, P45]', async () => {
    const draft = { name: 'CT 3', scopes: ['read'], expireInDays: 30, addresses: ['127.0.0.1'] }
    const { answer } = await connect(server, admin, draft, 'read upload')
    expect(answer).toMatchObject({
      status: 200,
      token_type: 'Bearer',
      scope: 'read',
      name: 'CT 3',
      organization: 'North-Clinic',
      expires_in: 30 * 86_400,
    })
    const secret = answer.access_token ?? ''
    expect([(await ask(secret, 'GET')).statusCode, (await ask(secret)).statusCode]).toEqual([200, 403])
    const row = (await admin.call(apiToken.list, { search: 'CT 3' })).data[0]
    expect(row).toMatchObject({ owner: 'Mrs Nora Lind', hint: secret.slice(-4), addresses: ['127.0.0.1/32'] })
    expect((await south.call(apiToken.list, { search: 'CT 3' })).data).toEqual([])
  })

  it('makes nothing that opens anything before the machine fetches it [P45]', async () => {
    const codes = await begin(server)
    expect((await approve(admin, codes, { name: 'Not fetched' })).status).toBe(200)
    expect((await admin.call(apiToken.list, { search: 'Not fetched' })).data).toEqual([])
    const row = JSON.stringify(await server.deps.db.selectFrom('device_codes').selectAll().execute())
    for (const secret of [codes.device_code, codes.user_code, codes.user_code.replace('-', '')])
      expect(row).not.toContain(secret)
  })

  it.each([
    ['a scope that the machine did not ask for', { scopes: ['upload', 'delete'] }, 'scopes'],
    ['no scope', { scopes: [] }, 'scopes'],
    ['too many days', { expireInDays: 366 }, 'expireInDays'],
    ['a network that is none', { addresses: ['10.0.0.0/33'] }, 'addresses'],
    ['a wrong password', { password: 'Wrong Passw0rd!' }, 'password'],
    ['no password', { password: undefined }, 'password'],
    ['a blank name', { name: ' ' }, 'name'],
    ['an organization', { organizationId: southClinic.id }, 'organizationId'],
  ])('does not approve with %s, and the machine goes on waiting [P01, P45]', async (_what, more, path) => {
    const codes = await begin(server)
    const refused = await approve(admin, codes, more)
    expect([refused.status, refused.fields?.[0]?.path]).toEqual([400, path])
    expect(await poll(server, codes)).toMatchObject({ status: 400, error: 'authorization_pending' })
  })

  it('gives no scope that they do not have themselves [P01, P45]', async () => {
    const operator = await server.signIn('sys_admin')
    const codes = await begin(server, { scope: 'delete' })
    const refused = await approve(operator, codes, { scopes: ['delete'] })
    expect([refused.status, refused.fields?.[0]?.path]).toEqual([400, 'scopes'])
  })

  it('is told at the name that another machine has it [P35, P45]', async () => {
    const { name } = await makeApiToken(admin, { name: 'Taken' })
    const refused = await approve(admin, await begin(server), { name })
    expect([refused.status, refused.code, refused.fields?.[0]?.path]).toEqual([409, 'NAME_TAKEN', 'name'])
  })

  it.each(['staff', 'service_user'] as const)('is no %s [6.02, P45]', async (role) => {
    const person = await server.signIn(role)
    const codes = await begin(server)
    const refused = [
      await person.call(apiToken.getDevice, { code: codes.user_code }),
      await approve(person, codes),
      await person.call(apiToken.denyDevice, { code: codes.user_code }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403])
  })
})

describe('a code', () => {
  const spoil: Readonly<Record<string, (codes: Codes) => Promise<unknown>>> = {
    'was mistyped': async () => undefined,
    'is over': end,
    'was denied': ({ user_code: code }) => admin.call(apiToken.denyDevice, { code }),
    'was approved by somebody else': (codes) => approve(south, codes),
    'was used': async (codes) => {
      await approve(admin, codes)
      expect((await poll(server, codes)).status).toBe(200)
    },
  }
  it.each(Object.entries(spoil))('that %s gets one and the same answer [P45]', async (what, act) => {
    const codes = await begin(server)
    await act(codes)
    const shown = what === 'was mistyped' ? { user_code: 'BBBB-BBBB' } : codes
    const answers = [
      await admin.call(apiToken.getDevice, { code: shown.user_code }),
      await admin.call(apiToken.denyDevice, { code: shown.user_code }),
      await approve(admin, shown),
    ]
    for (const { status, code, fields } of answers)
      expect([status, code, fields?.[0]?.path]).toEqual([400, 'WRONG_CODE', 'code'])
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1)
  })

  it('that two administrators decide about at once is decided by one of them [P45]', async () => {
    const codes = await begin(server)
    const both = await Promise.all([
      approve(admin, codes, { name: 'Of the north' }),
      approve(south, codes, { name: 'Of the south' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
    const winner = both[0].status === 200 ? 'Of the north' : 'Of the south'
    expect(await poll(server, codes)).toMatchObject({ status: 200, name: winner })
  })

  it.each(['AEIO-UUUU', 'BCDF-GHJ', 'BCDFGHJKL', '', 'B'.repeat(40)])(
    'of another form, "%s", is refused without asking the database [P45]',
    async (code) => {
      const spy = jest.spyOn(server.deps.db, 'selectFrom')
      const { status, fields } = await admin.call(apiToken.getDevice, { code })
      const tables = spy.mock.calls.map(([table]) => table)
      spy.mockRestore()
      expect([status, fields?.[0]?.path]).toEqual([400, 'code'])
      expect(tables).not.toContain('device_codes')
    },
  )
})
