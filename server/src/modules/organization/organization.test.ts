import { account, complaint, organization } from '@dmp/contract'
import { northClinic, provider, southClinic, westClinic } from '@dmp/contract/examples'
import { demoPassword } from '../account/demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { findLicenseId, unknownId } from './organizationInTests.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const login = (email: string) => server.call(account.login, { ClientId: 'dmp-web', email, password: demoPassword })

describe('seeing organizations', () => {
  it('answers name, dates, region, status and licenses [2.52, 3.07, 7.28]', async () => {
    const { data } = await admin.call(organization.get, { id: northClinic.id })
    expect(data).toMatchObject({
      ...northClinic,
      region: 'Europe',
      status: 'Activated',
      organizationStatus: { status: 'Activated', createdByUser: 'System' },
    })
    expect(data.licenses.map(({ saas, isActive }) => [saas, isActive])).toEqual([
      ['Autometrics', true],
      ['BMD', true],
      ['OssView', false],
    ])
  })

  it('lists every organization for the provider’s staff, and only activated ones for the dropdown [2.51, 2.58, 6.05, 7.28]', async () => {
    const everyOrganization = await root.call(organization.list, {})
    expect(everyOrganization.data.map(({ name }) => name)).toEqual([
      'Alpen-Diagnostik',
      'Harbor-Imaging',
      'Lakeside-Radiology',
      'North-Clinic',
      'Provider',
      'South-Clinic',
      'Summit-Ortho',
      'West-Clinic',
    ])
    expect(everyOrganization.total).toBeUndefined()
    const active = await root.call(organization.listActivated, {})
    expect(active.data.map(({ name }) => name)).toEqual(
      everyOrganization.data.filter(({ status }) => status === 'Activated').map(({ name }) => name),
    )
    expect(active.data.some(({ id }) => id === westClinic.id)).toBe(false)
    expect((await admin.call(organization.list, {})).status).toBe(403)
  })
})

describe('deactivating', () => {
  it('signs everybody of the organization out at once, lets nobody in, and activating lets them in again [4.03, 7.30]', async () => {
    const south = await server.signIn('admin@south.example')
    const { status, data } = await root.call(organization.deactivate, { id: southClinic.id })
    expect([status, data.status, data.organizationStatus.createdByUser]).toEqual([200, 'Deactivated', 'Dr Sofia Perez'])

    expect((await south.call(account.validateToken, {})).status).toBe(401)
    expect((await south.call(complaint.list, {})).status).toBe(401)
    expect(
      (await server.call(account.renewToken, { clientId: 'dmp-web', refreshToken: south.tokens.refreshToken ?? '' }))
        .status,
    ).toBe(401)
    const refused = await login('admin@south.example')
    expect([refused.status, refused.code]).toEqual([401, 'WRONG_CREDENTIALS'])

    const again = await root.call(organization.activate, { id: southClinic.id })
    expect([again.status, again.data.status]).toEqual([200, 'Activated'])
    expect((await login('admin@south.example')).status).toBe(200)
    // Ended sessions stay ended.
    expect((await south.call(account.validateToken, {})).status).toBe(401)
  })

  it('is for those who are not so already [4.03]', async () => {
    expect(await root.call(organization.activate, { id: northClinic.id })).toMatchObject({
      status: 409,
      code: 'UNCHANGED',
      message: 'North-Clinic is already activated.',
    })
    expect(await root.call(organization.deactivate, { id: westClinic.id })).toMatchObject({
      status: 409,
      code: 'UNCHANGED',
      message: 'West-Clinic is already deactivated.',
    })
  })

  it('needs DeActivate, which a system administrator lacks [6.02, 6.05]', async () => {
    const sys = await server.signIn('sys_admin')
    expect((await sys.call(organization.deactivate, { id: southClinic.id })).status).toBe(403)
    expect((await admin.call(organization.activate, { id: northClinic.id })).status).toBe(403)
  })
})

describe('the provider’s own organization', () => {
  it.each([
    ['deactivated', () => root.call(organization.deactivate, { id: provider.id })],
    ['activated', () => root.call(organization.activate, { id: provider.id })],
    ['renamed', () => root.call(organization.update, { id: provider.id, updatedOrganizationName: 'Other' })],
    ['given a datastore', () => root.call(organization.createDatastore, { id: provider.id })],
    [
      'given licenses',
      async () =>
        root.call(organization.assignLicenses, {
          id: provider.id,
          licenses: [{ licenseId: await findLicenseId(root, 'BMD'), isActive: true, isAutomaticAnalysis: true }],
        }),
    ],
  ])('cannot be %s [6.09]', async (done, act) => {
    const { status, code, message } = await act()
    expect([status, code, message]).toEqual([
      409,
      'BUILT_IN_ORGANIZATION',
      `The provider's own organization cannot be ${done}.`,
    ])
  })
})

describe('the datastore', () => {
  it('is created once, and then exists [4.04, 7.31, 7.32]', async () => {
    expect((await root.call(organization.datastoreExists, { id: northClinic.id })).data).toEqual({
      organizationExists: true,
    })
    expect((await root.call(organization.datastoreExists, { id: westClinic.id })).data).toEqual({
      organizationExists: false,
    })
    const replies = await Promise.all([
      root.call(organization.createDatastore, { id: westClinic.id }),
      root.call(organization.createDatastore, { id: westClinic.id }),
    ])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(replies.find(({ status }) => status === 200)?.data).toEqual({ organizationExists: true })
    expect((await root.call(organization.datastoreExists, { id: westClinic.id })).data).toEqual({
      organizationExists: true,
    })
    const { datastore_id: id } = await server.deps.db
      .selectFrom('organizations')
      .select('datastore_id')
      .where('id', '=', westClinic.id)
      .executeTakeFirstOrThrow()
    expect(id).toMatch(/^[0-9a-z]{32}$/)
    expect((await root.call(organization.datastoreExists, { id: unknownId })).status).toBe(404)
  })
})

it('records every change in the organization’s own rows [P24]', async () => {
  for (const name of ['South-Clinic-2', southClinic.name])
    await root.call(organization.update, { id: southClinic.id, updatedOrganizationName: name })
  await root.call(organization.assignLicenses, { id: southClinic.id, licenses: [] })
  const rows = await server.deps.db
    .selectFrom('audit')
    .select(['event', 'actor_id'])
    .where('organization_id', '=', southClinic.id)
    .where('actor_id', '=', root.userId)
    .orderBy('position')
    .execute()
  const events = rows.map(({ event }) => event)
  for (const event of ['OrganizationRenamed', 'LicensesAssigned']) expect(events).toContain(event)
  expect(events.filter((event) => event.endsWith('ctivated'))).toEqual([
    'OrganizationDeactivated',
    'OrganizationActivated',
  ])
})
