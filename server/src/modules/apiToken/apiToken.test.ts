import { apiToken, audit } from '@dmp/contract'
import { southClinic } from '@dmp/contract/examples'
import { limits } from '@dmp/contract/limits'
import { hashApiTokenSecret, isApiTokenSecret } from '../../identity/apiTokenSecret.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { makeApiToken } from './apiTokenInTests.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let root: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_API_TOKEN_MAX_DAYS: '180' })
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

const draft = { name: 'Orthanc', scopes: ['read'], password: demoPassword }
const search = (secret: string, remoteAddress = '127.0.0.1') =>
  server.app.inject({ url: '/dicom-web/studies', headers: { authorization: `Bearer ${secret}` }, remoteAddress })
const eventsOf = async (event: string) => (await admin.call(audit.list, { event })).data
const subjectOf = (row: { subject: readonly { key: string; value: string }[] } | undefined) =>
  Object.fromEntries((row?.subject ?? []).map(({ key, value }) => [key, value]))

describe('an API token', () => {
  it('is made with a name and scopes, shown once, and kept as a hash [P35]', async () => {
    const made = await admin.call(apiToken.add, {
      ...draft,
      name: ' CT in room 3 ',
      addresses: ['10.1.2.3/16', '::1', '::ffff:10.2.0.0/112'],
    })
    expect(made.status).toBe(200)
    const { token, ...row } = made.data
    expect(token).toMatch(/^dmp_[0-9A-Za-z]{49}$/)
    expect(isApiTokenSecret(token)).toBe(true)
    expect(row).toMatchObject({
      name: 'CT in room 3',
      status: 'Active',
      scopes: ['read'],
      addresses: ['10.1.0.0/16', '::1/128', '10.2.0.0/16'],
      organization: 'North-Clinic',
      hint: token.slice(-4),
      lastUsedDate: null,
      endedDate: null,
    })
    const days = (Date.parse(row.expiresDate) - Date.parse(row.createdDate)) / 86_400_000
    expect(Math.round(days)).toBe(limits.apiTokenDefaultDays)
    const stored = await server.deps.db.selectFrom('api_tokens').selectAll().where('id', '=', row.id).executeTakeFirst()
    expect(stored?.hash).toBe(hashApiTokenSecret(token))
    expect(JSON.stringify(stored)).not.toContain(token)
    const listed = (await admin.call(apiToken.list, {})).data
    expect(listed.find(({ id }) => id === row.id)).toEqual(row)
    expect(JSON.stringify(listed)).not.toContain(token)
  })

  it.each([
    ['no scope', { scopes: [] }, 'scopes'],
    ['a scope twice', { scopes: ['read', 'read'] }, 'scopes'],
    ['an unknown scope', { scopes: ['admin'] }, 'scopes.0'],
    ['a blank name', { name: '  ' }, 'name'],
    ['a name of two lines', { name: 'a\nb' }, 'name'],
    ['no days', { expireInDays: 0 }, 'expireInDays'],
    ['more days than the platform allows', { expireInDays: 181 }, 'expireInDays'],
    ['more days than any platform allows', { expireInDays: 366 }, 'expireInDays'],
    ['an address that is none', { addresses: ['10.1.2.300'] }, 'addresses'],
    ['a network that is none', { addresses: ['10.0.0.0/33'] }, 'addresses'],
    ['an address that programs read differently', { addresses: ['10.1'] }, 'addresses'],
    ['an address whose zeros programs read as octal', { addresses: ['010.0.0.1'] }, 'addresses'],
    ['such a network', { addresses: ['10.0.0.08/30'] }, 'addresses'],
    ['a name that turns its letters round', { name: 'Dr Berg \u202E' }, 'name'],
    ['a wrong password', { password: 'Wrong Passw0rd!' }, 'password'],
    ['no password', { password: undefined }, 'password'],
    ['somebody as its owner', { ownerId: southClinic.id }, 'ownerId'],
    ['an organization', { organizationId: southClinic.id }, 'organizationId'],
  ])('is not made with %s [P03, P35]', async (_what, more, path) => {
    const refused = await admin.call(apiToken.add, { ...draft, name: 'Refused', ...more })
    expect([refused.status, refused.fields?.[0]?.path]).toEqual([400, path])
  })

  it('lasts as many days as the platform allows, and not one more [P35]', async () => {
    const { status, data } = await admin.call(apiToken.add, { ...draft, name: 'Longest', expireInDays: 180 })
    expect(status).toBe(200)
    const { data: made } = await admin.call(apiToken.get, { id: data.id })
    expect(Math.round((Date.parse(made.expiresDate) - Date.now()) / 86_400_000)).toBe(180)
    await admin.call(apiToken.end, { id: data.id })
  })

  it('has a name of its own among those that go on [P35]', async () => {
    const first = await makeApiToken(admin, { name: 'Twice' })
    const again = await admin.call(apiToken.add, { ...draft, name: 'TWICE' })
    expect([again.status, again.code, again.fields?.[0]?.path]).toEqual([409, 'NAME_TAKEN', 'name'])
    await makeApiToken(south, { name: 'Twice' })
    await admin.call(apiToken.end, { id: first.id })
    await makeApiToken(admin, { name: 'Twice' })
  })

  it('never may more than the person who makes it [P01, P35]', async () => {
    const operator = await server.signIn('sys_admin')
    const refused = await operator.call(apiToken.add, { ...draft, scopes: ['delete'] })
    expect([refused.status, refused.fields?.[0]?.path]).toEqual([400, 'scopes'])
    const { policy } = (
      await server.deps.apiTokens.letIn(
        { ip: '127.0.0.1' } as never,
        (await makeApiToken(operator, { scopes: ['read'] })).token,
      )
    ).viewer
    expect(policy[0]?.actions).toEqual(['List', 'Get'])
  })

  it.each(['staff', 'service_user'] as const)('is no matter of a %s [6.02]', async (role) => {
    const person = await server.signIn(role)
    const { id } = await makeApiToken(admin)
    for (const [call, input] of [
      [apiToken.list, {}],
      [apiToken.add, draft],
      [apiToken.end, { id }],
    ] as const)
      expect((await person.call(call, input)).status).toBe(403)
  })

  it('tells when and from where it was used last [P35]', async () => {
    const { id, token } = await makeApiToken(admin)
    await search(token)
    await search(token, '192.0.2.44')
    const used = async () => (await admin.call(apiToken.list, {})).data.find((row) => row.id === id)
    while ((await used())?.lastUsedAddress !== '192.0.2.44') await new Promise((again) => setTimeout(again, 200))
    expect(Date.now() - Date.parse((await used())?.lastUsedDate ?? '')).toBeLessThan(60_000)
  })

  it('is ended at once by its owner, an administrator of its organization, or the provider [P35]', async () => {
    for (const who of [admin, root]) {
      const { id, token } = await makeApiToken(admin)
      expect((await search(token)).statusCode).toBe(200)
      const ended = await who.call(apiToken.end, { id })
      expect([ended.status, ended.data.status, ended.data.endedBy !== null]).toEqual([200, 'Ended', true])
      expect((await search(token)).statusCode).toBe(401)
      expect((await who.call(apiToken.end, { id })).code).toBe('UNCHANGED')
    }
  })

  it('does not exist for another organization, by list, search or id [P02, P35]', async () => {
    const { id, name } = await makeApiToken(admin, { name: 'Hidden from the south' })
    expect((await south.call(apiToken.list, { search: name })).data).toEqual([])
    const foreign = await south.call(apiToken.end, { id })
    const unknown = await south.call(apiToken.end, { id: '00000000-0000-4000-8000-00000000dead' })
    const withoutId = (body: string) => body.replace(/"requestId":"[^"]*"/, '')
    expect([foreign.status, withoutId(foreign.raw.body)]).toEqual([404, withoutId(unknown.raw.body)])
    expect((await root.call(apiToken.list, { search: name })).data.map((row) => row.id)).toEqual([id])
  })

  it('has a limited number in an organization [P19, P35]', async () => {
    const west = await server.signIn('admin@south.example')
    const had = (await west.call(apiToken.list, {})).data.filter(({ status }) => status !== 'Ended').length
    for (let n = had; n < limits.apiTokensPerOrganization; n += 1) await makeApiToken(west)
    const [again, others] = [await west.call(apiToken.add, draft), await admin.call(apiToken.add, draft)]
    expect([again.status, again.code, others.status]).toEqual([409, 'TOO_MANY', 200])
  })
})

describe('the audit trail', () => {
  it('names who made and ended a token, and the token by its name [P24, P35]', async () => {
    const { id, token } = await makeApiToken(admin, {
      name: 'Told by name',
      scopes: ['read'],
      addresses: ['127.0.0.1'],
    })
    await admin.call(apiToken.end, { id })
    for (const event of ['ApiTokenAdded', 'ApiTokenEnded']) {
      const row = (await eventsOf(event)).find((each) => subjectOf(each)['apiTokenId'] === id)
      expect([row?.actorEmail, row?.organization]).toEqual(['admin@north.example', 'North-Clinic'])
      expect(subjectOf(row)).toMatchObject({ name: 'Told by name', scopes: 'read', addresses: '127.0.0.1/32' })
      expect(JSON.stringify(row)).not.toContain(token)
    }
  })

  it('names the machine that did something, and one that was refused, once [P24, P35]', async () => {
    const { id, token } = await makeApiToken(admin, { name: 'Reader in room 9', addresses: ['127.0.0.1'] })
    await search(token)
    const queried = (await eventsOf('ScansQueried')).filter(({ actor }) => actor === 'Reader in room 9 (API token)')
    expect(queried).toHaveLength(1)
    for (let n = 0; n < 3; n += 1) expect((await search(token, '198.51.100.1')).statusCode).toBe(403)
    await admin.call(apiToken.end, { id })
    for (let n = 0; n < 3; n += 1) expect((await search(token)).statusCode).toBe(401)
    const refused = async () =>
      (await eventsOf('AccessRefused')).filter(({ actor }) => actor === 'Reader in room 9 (API token)')
    while ((await refused()).length < 2) await new Promise((again) => setTimeout(again, 50))
    expect((await refused()).map((row) => [row.address, subjectOf(row)['call']]).sort()).toEqual([
      ['127.0.0.1', 'API token (ended)'],
      ['198.51.100.1', 'API token (from another address)'],
    ])
  })
})
