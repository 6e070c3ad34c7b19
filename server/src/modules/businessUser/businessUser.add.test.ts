import { businessUser } from '@dmp/contract'
import { northClinic, provider, southClinic, westClinic } from '@dmp/contract/examples'
import { roleIds } from '../../identity/roles.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addUser, createDraft, firstSignIn, login, unknownId } from './businessUserInTests.ts'

let server: TestServer
let root: SignedIn
let sys: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  sys = await server.signIn('sys_admin')
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

describe('adding a user', () => {
  it('mails a temporary password, which only leads to a new one [1.08, 2.62, 3.02, 3.16, 7.16, P06]', async () => {
    const { status, data } = await admin.call(businessUser.add, createDraft({ email: 'rita@north.example' }))
    expect(status).toBe(200)
    expect(data).toMatchObject({
      email: 'rita@north.example',
      userName: 'rita@north.example',
      fullName: 'Ms Rita Levi',
      mobile: '+49 170 5550199',
      fax: null,
      isConfirmed: false,
      organization: northClinic,
      policy: [],
      status: { status: 'Activated', createdByUser: 'Mrs Nora Lind' },
    })
    expect(data.role).toEqual({ id: roleIds.staff, role: 'staff', roleDisplayName: 'Staff' })
    const mail = await server.mailTo('rita@north.example')
    expect(mail.text).toContain(mail.code)
    expect(mail.html).toContain('Dear Ms Rita Levi')
    expect((await login(server, 'rita@north.example', mail.code ?? '')).data).toMatchObject({
      challengeName: 'new-password-required',
      accessToken: null,
    })
    expect((await firstSignIn(server, 'rita@north.example')).data.accessToken).toEqual(expect.any(String))
    expect((await admin.call(businessUser.get, { id: data.id })).data.isConfirmed).toBe(true)
  })

  it('refuses an address that somebody has, whatever its case and whoever it is [5.04]', async () => {
    for (const email of [
      'staff@north.example',
      'STAFF@north.example',
      'admin@south.example',
      'emil.straub@north.example',
    ]) {
      expect(await admin.call(businessUser.add, createDraft({ email }))).toMatchObject({
        status: 409,
        code: 'EMAIL_TAKEN',
        fields: [{ path: 'email', message: 'This email is already in use.' }],
      })
      expect((await admin.call(businessUser.emailAvailable, { email })).data).toEqual({
        available: false,
        message: 'This email is already in use.',
      })
    }
    expect((await admin.call(businessUser.emailAvailable, { email: 'free@north.example' })).data).toEqual({
      available: true,
      message: '',
    })
  })

  it('gives an address to one of many that ask at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        admin.call(businessUser.add, createDraft({ email: n % 2 ? 'race@north.example' : 'Race@North.example' })),
      ),
    )
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
    const { n } = await server.deps.db
      .selectFrom('mails')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('recipient', 'ilike', 'race@north.example')
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(1)
  })

  it('offers and takes roles that are not above one’s own [6.08, 7.18, P03]', async () => {
    const offered = async (who: SignedIn) =>
      (await who.call(businessUser.listAddUserRoles, {})).data.map(({ displayName }) => displayName)
    expect(await offered(root)).toEqual([
      'Super Administrator',
      'System Administrator',
      'Administrator',
      'Staff',
      'Service User',
    ])
    expect(await offered(sys)).toEqual(['System Administrator', 'Administrator', 'Staff', 'Service User'])
    expect(await offered(admin)).toEqual(['Administrator', 'Staff', 'Service User'])
    for (const role of ['super_admin', 'sys_admin'] as const)
      expect(await admin.call(businessUser.add, createDraft({ roleId: roleIds[role] }))).toMatchObject({
        status: 403,
        code: 'ROLE_ABOVE_OWN',
      })
    expect(
      (await sys.call(businessUser.add, createDraft({ roleId: roleIds.super_admin, organizationId: provider.id })))
        .status,
    ).toBe(403)
    expect((await addUser(sys, { roleId: roleIds.sys_admin, organizationId: provider.id })).role.role).toBe('sys_admin')
    expect((await addUser(admin, { roleId: roleIds.admin })).role.role).toBe('admin')
  })

  it('keeps roles that see everything inside the provider’s organization', async () => {
    expect(await root.call(businessUser.add, createDraft({ roleId: roleIds.super_admin }))).toMatchObject({
      status: 400,
      fields: [{ path: 'roleId', message: "This role is only available in the provider's own organization." }],
    })
  })

  it('puts nobody into an organization that is not the viewer’s, or deactivated, or unknown [5.08, P02]', async () => {
    const foreign = await admin.call(businessUser.add, createDraft({ organizationId: southClinic.id }))
    const unknown = await admin.call(businessUser.add, createDraft({ organizationId: unknownId }))
    expect([foreign.status, foreign.code, foreign.message]).toEqual([404, unknown.code, unknown.message])
    expect(await root.call(businessUser.add, createDraft({ organizationId: westClinic.id }))).toMatchObject({
      status: 409,
      code: 'ORGANIZATION_DEACTIVATED',
      fields: [{ path: 'organizationId', message: 'West-Clinic is deactivated. Activate the organization first.' }],
    })
    expect((await admin.call(businessUser.add, createDraft({ roleId: unknownId }))).status).toBe(404)
    expect((await addUser(root, { organizationId: southClinic.id })).organization.name).toBe('South-Clinic')
  })

  it.each([
    ['userName', 'other@north.example', 'The user name must be the email address.'],
    ['firstName', '', 'Please enter a first name.'],
    ['firstName', 'R2-D2!', 'Only alphanumericals, - and _ allowed'],
    ['lastName', '', 'Please enter a last name.'],
    ['landline', 'x', 'Only numbers, +, -, and space allowed'],
    ['civility', '', 'This field is required!'],
  ])('refuses %s %j [3.16, 5.05, 5.06, 5.07]', async (field, value, message) => {
    expect(await admin.call(businessUser.add, createDraft({ [field]: value }))).toMatchObject({
      status: 400,
      fields: [{ path: field, message }],
    })
  })
})
