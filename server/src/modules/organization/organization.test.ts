import { account, complaint, organization } from '@dmp/contract'
import { northClinic, provider, southClinic, westClinic } from '@dmp/contract/examples'
import { demoPassword } from '../account/demoAccounts.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const unknownId = '00000000-0000-4000-8000-00000000dead'
const login = (email: string) => server.call(account.login, { ClientId: 'dmp-web', email, password: demoPassword })
const licensesOf = async (id: string) => (await root.call(organization.listLicenses, { id })).data
const licenseId = async (saas: string) =>
  (await licensesOf(northClinic.id)).find((license) => license.saas === saas)?.licenseId ?? ''

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
    const all = await root.call(organization.list, {})
    expect(all.data.map(({ name }) => name)).toEqual([
      'Alpen-Diagnostik',
      'Harbor-Imaging',
      'Lakeside-Radiology',
      'North-Clinic',
      'Provider',
      'South-Clinic',
      'Summit-Ortho',
      'West-Clinic',
    ])
    expect(all.total).toBeUndefined()
    const active = await root.call(organization.listActivated, {})
    expect(active.data.map(({ name }) => name)).toEqual(
      all.data.filter(({ status }) => status === 'Activated').map(({ name }) => name),
    )
    expect(active.data.some(({ id }) => id === westClinic.id)).toBe(false)
    expect((await admin.call(organization.list, {})).status).toBe(403)
  })
})

describe('renaming', () => {
  it('gives a new name, by its own administrator too [2.28, 2.53, 5.11, 7.29]', async () => {
    const { status, data } = await admin.call(organization.update, {
      id: northClinic.id,
      updatedOrganizationName: 'North-Clinic_2',
    })
    expect([status, data.name]).toEqual([200, 'North-Clinic_2'])
    expect(Date.parse(data.updatedDate)).toBeGreaterThan(Date.parse(data.createdDate))
    expect((await admin.call(account.profile, {})).data.organization.name).toBe('North-Clinic_2')
    await admin.call(organization.update, { id: northClinic.id, updatedOrganizationName: northClinic.name })
  })

  it.each([
    ['', 'Please enter a new organization name.'],
    ['North Clinic', 'Only alphanumericals, - and _ allowed'],
    ['North.Clinic', 'Only alphanumericals, - and _ allowed'],
    ['<b>', 'Only alphanumericals, - and _ allowed'],
    ['x'.repeat(256), 'Please use at most 255 characters.'],
  ])('refuses the name %j [5.11, 5.17]', async (updatedOrganizationName, message) => {
    const { status, fields } = await root.call(organization.update, { id: northClinic.id, updatedOrganizationName })
    expect([status, fields]).toEqual([400, [{ path: 'updatedOrganizationName', message }]])
  })

  it('takes 255 characters [5.11, 9.03]', async () => {
    expect(
      (await root.call(organization.update, { id: southClinic.id, updatedOrganizationName: 'x'.repeat(255) })).status,
    ).toBe(200)
    expect(
      (await root.call(organization.update, { id: southClinic.id, updatedOrganizationName: southClinic.name })).status,
    ).toBe(200)
  })

  it('never gives a name twice, whatever its case and whoever has it', async () => {
    for (const name of ['South-Clinic', 'SOUTH-clinic', 'West-Clinic', 'provider']) {
      const { status, code, fields } = await root.call(organization.update, {
        id: northClinic.id,
        updatedOrganizationName: name,
      })
      expect([status, code, fields]).toEqual([
        409,
        'NAME_TAKEN',
        [{ path: 'updatedOrganizationName', message: 'There is an organization with this name already.' }],
      ])
    }
    expect((await root.call(organization.get, { id: northClinic.id })).data.name).toBe('North-Clinic')
  })

  it('gives a name to one of two that ask at once', async () => {
    const both = await Promise.all(
      [northClinic, southClinic].map(({ id }) =>
        root.call(organization.update, { id, updatedOrganizationName: 'Wanted' }),
      ),
    )
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const { id, name } of [northClinic, southClinic])
      await root.call(organization.update, { id, updatedOrganizationName: name })
  })

  it('refuses what was made on an older state, with both values', async () => {
    const { updatedDate } = (await root.call(organization.get, { id: northClinic.id })).data
    expect(
      (
        await root.call(organization.update, {
          id: northClinic.id,
          updatedOrganizationName: 'North-A',
          seenUpdatedDate: updatedDate,
        })
      ).status,
    ).toBe(200)
    const late = await admin.call(organization.update, {
      id: northClinic.id,
      updatedOrganizationName: 'North-B',
      seenUpdatedDate: updatedDate,
    })
    expect([late.status, late.code, late.fields]).toEqual([
      409,
      'CHANGED_MEANWHILE',
      [{ path: 'updatedOrganizationName', message: 'Now “North-A”; you entered “North-B”.' }],
    ])
    await root.call(organization.update, { id: northClinic.id, updatedOrganizationName: northClinic.name })
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
    // What was ended stays ended.
    expect((await south.call(account.validateToken, {})).status).toBe(401)
  })

  it('is for those who are not so already [4.03]', async () => {
    expect(await root.call(organization.activate, { id: northClinic.id })).toMatchObject({
      status: 409,
      code: 'UNCHANGED',
      message: 'North-Clinic is activated already.',
    })
    expect(await root.call(organization.deactivate, { id: westClinic.id })).toMatchObject({
      status: 409,
      code: 'UNCHANGED',
      message: 'West-Clinic is deactivated already.',
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
          licenses: [{ licenseId: await licenseId('BMD'), isActive: true, isAutomaticAnalysis: true }],
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
    const both = await Promise.all([
      root.call(organization.createDatastore, { id: westClinic.id }),
      root.call(organization.createDatastore, { id: westClinic.id }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
    expect(both.find(({ status }) => status === 200)?.data).toEqual({ organizationExists: true })
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

describe('licenses', () => {
  it('offers one per app, also those that the organization has not [2.54, 3.08, 7.34]', async () => {
    const licenses = await licensesOf(westClinic.id)
    expect(licenses.map(({ saas }) => saas)).toEqual(['Autometrics', 'BMD', 'OssView', 'PeekMed'])
    expect(licenses.every(({ isActive, isAutomaticAnalysis }) => !isActive && !isAutomaticAnalysis)).toBe(true)
    expect((await admin.call(organization.listLicenses, { id: northClinic.id })).status).toBe(200)
  })

  it('saves both flags of several together, and leaves the others as they are [1.05, 4.06, 7.33]', async () => {
    const [autometrics, peekMed] = [await licenseId('Autometrics'), await licenseId('PeekMed')]
    const { status, data } = await root.call(organization.assignLicenses, {
      id: northClinic.id,
      licenses: [
        { licenseId: autometrics, isActive: false, isAutomaticAnalysis: false },
        { licenseId: peekMed, isActive: true, isAutomaticAnalysis: true },
      ],
    })
    expect(status).toBe(200)
    expect(
      data.licenses.map(({ saas, isActive, isAutomaticAnalysis }) => [saas, isActive, isAutomaticAnalysis]),
    ).toEqual([
      ['Autometrics', false, false],
      ['BMD', true, false],
      ['OssView', false, false],
      ['PeekMed', true, true],
    ])
    expect((await licensesOf(southClinic.id)).find(({ saas }) => saas === 'PeekMed')).toMatchObject({
      isActive: true,
      isAutomaticAnalysis: true,
    })
  })

  it('are left as they are where none is mentioned [4.06]', async () => {
    const before = await licensesOf(southClinic.id)
    expect((await root.call(organization.assignLicenses, { id: southClinic.id, licenses: [] })).status).toBe(200)
    expect(await licensesOf(southClinic.id)).toEqual(before)
  })

  it('say which organization has a place for scans [2.58]', async () => {
    const { data } = await root.call(organization.listActivated, {})
    expect(Object.fromEntries(data.map(({ name, hasDatastore }) => [name, hasDatastore]))).toMatchObject({
      'North-Clinic': true,
      Provider: false,
    })
  })

  it('refuses two for one app and licenses that there are not [3.08]', async () => {
    const id = await licenseId('BMD')
    const on = { isActive: true, isAutomaticAnalysis: true }
    expect(
      await root.call(organization.assignLicenses, {
        id: northClinic.id,
        licenses: [
          { licenseId: id, ...on },
          { licenseId: id.toUpperCase(), ...on },
        ],
      }),
    ).toMatchObject({ status: 400, fields: [{ path: 'licenses.1.licenseId', message: 'Give one license for BMD.' }] })
    expect(
      (
        await root.call(organization.assignLicenses, {
          id: northClinic.id,
          licenses: [{ licenseId: unknownId, ...on }],
        })
      ).status,
    ).toBe(404)
  })

  it('refuses what was made on an older state, with both values', async () => {
    const { updatedDate } = (await root.call(organization.get, { id: southClinic.id })).data
    const assign = async (isActive: boolean, seen: string) =>
      root.call(organization.assignLicenses, {
        id: southClinic.id,
        licenses: [{ licenseId: await licenseId('OssView'), isActive, isAutomaticAnalysis: false }],
        seenUpdatedDate: seen,
      })
    expect((await assign(true, updatedDate)).status).toBe(200)
    expect(await assign(false, updatedDate)).toMatchObject({
      status: 409,
      code: 'CHANGED_MEANWHILE',
      fields: [{ path: 'licenses.0.isActive', message: 'OssView active: Now “on”; you entered “off”.' }],
    })
  })
})

it('records every change in the organization’s own rows [P24]', async () => {
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
