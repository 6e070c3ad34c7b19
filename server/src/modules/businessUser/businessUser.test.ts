import { account, businessUser, organization } from '@dmp/contract'
import { northClinic, provider, southClinic, westClinic } from '@dmp/contract/examples'
import { roleIds } from '../../identity/roles.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: SignedIn
let sys: SignedIn
let admin: SignedIn
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  sys = await server.signIn('sys_admin')
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const unknownId = '00000000-0000-4000-8000-00000000dead'
const chosenPassword = 'My Own Passw0rd'
let made = 0
const draft = (over: Record<string, unknown> = {}) => {
  made += 1
  const email = String(over.email ?? `person${made}@north.example`)
  return {
    civility: 'Ms',
    firstName: 'Rita',
    lastName: 'Levi',
    mobile: '+49 170 5550199',
    landline: null,
    fax: '',
    organizationId: northClinic.id,
    roleId: roleIds.staff,
    userName: email,
    ...over,
    email,
  }
}
const add = async (over: Record<string, unknown> = {}, by = admin) => {
  const { status, data, message } = await by.call(businessUser.add, draft(over))
  if (status !== 200) throw new Error(message)
  return data
}
const login = (email: string, password: string) => server.call(account.login, { ClientId: 'dmp-web', email, password })
/** Signs in for the first time with the mailed password. */
async function firstSignIn(email: string) {
  const { code } = await server.mailTo(email)
  const { data } = await login(email, code ?? '')
  return server.call(account.setNewPassword, {
    challengeResponse: { userName: email, newPassword: chosenPassword },
    clientId: 'dmp-web',
    session: data.session ?? '',
  })
}

describe('adding a user', () => {
  it('mails a temporary password, which only leads to a new one [1.08, 2.62, 3.02, 3.16, 7.16, P06]', async () => {
    const { status, data } = await admin.call(businessUser.add, draft({ email: 'rita@north.example' }))
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
    expect((await login('rita@north.example', mail.code ?? '')).data).toMatchObject({
      challengeName: 'NEW_PASSWORD_REQUIRED',
      accessToken: null,
    })
    expect((await firstSignIn('rita@north.example')).data.accessToken).toEqual(expect.any(String))
    expect((await admin.call(businessUser.get, { id: data.id })).data.isConfirmed).toBe(true)
  })

  it('refuses an address that somebody has, whatever its case and whoever it is [5.04]', async () => {
    for (const email of [
      'staff@north.example',
      'STAFF@north.example',
      'admin@south.example',
      'emil.straub@north.example',
    ]) {
      expect(await admin.call(businessUser.add, draft({ email }))).toMatchObject({
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
    const all = await Promise.all(
      Array.from({ length: 5 }, (_, n) =>
        admin.call(businessUser.add, draft({ email: n % 2 ? 'race@north.example' : 'Race@North.example' })),
      ),
    )
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
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
      expect(await admin.call(businessUser.add, draft({ roleId: roleIds[role] }))).toMatchObject({
        status: 403,
        code: 'ROLE_ABOVE_OWN',
      })
    expect(
      (await sys.call(businessUser.add, draft({ roleId: roleIds.super_admin, organizationId: provider.id }))).status,
    ).toBe(403)
    expect((await add({ roleId: roleIds.sys_admin, organizationId: provider.id }, sys)).role.role).toBe('sys_admin')
    expect((await add({ roleId: roleIds.admin })).role.role).toBe('admin')
  })

  it('keeps roles that see everything inside the provider’s organization', async () => {
    expect(await root.call(businessUser.add, draft({ roleId: roleIds.super_admin }))).toMatchObject({
      status: 400,
      fields: [{ path: 'roleId', message: "This role is for the provider's own organization." }],
    })
  })

  it('puts nobody into an organization that is not the viewer’s, or deactivated, or unknown [5.08, P02]', async () => {
    const foreign = await admin.call(businessUser.add, draft({ organizationId: southClinic.id }))
    const unknown = await admin.call(businessUser.add, draft({ organizationId: unknownId }))
    expect([foreign.status, foreign.code, foreign.message]).toEqual([404, unknown.code, unknown.message])
    expect(await root.call(businessUser.add, draft({ organizationId: westClinic.id }))).toMatchObject({
      status: 409,
      code: 'ORGANIZATION_DEACTIVATED',
      fields: [{ path: 'organizationId', message: 'West-Clinic is deactivated.' }],
    })
    expect((await admin.call(businessUser.add, draft({ roleId: unknownId }))).status).toBe(404)
    expect((await add({ organizationId: southClinic.id }, root)).organization.name).toBe('South-Clinic')
  })

  it.each([
    ['userName', 'other@north.example', 'The user name is the email address.'],
    ['firstName', '', 'Please enter a first name.'],
    ['firstName', 'R2-D2!', 'Only alphanumericals, - and _ allowed'],
    ['lastName', '', 'Please enter a last name.'],
    ['landline', 'x', 'Only numbers, +, -, and space allowed'],
    ['civility', '', 'This field is required!'],
  ])('refuses %s %j [3.16, 5.05, 5.06, 5.07]', async (field, value, message) => {
    expect(await admin.call(businessUser.add, draft({ [field]: value }))).toMatchObject({
      status: 400,
      fields: [{ path: field, message }],
    })
  })
})

describe('editing', () => {
  const contact = {
    civility: 'Dr',
    firstName: 'Rita',
    lastName: 'Levi-M',
    mobile: null,
    landline: '030 5550',
    fax: null,
  } as const

  it('changes title, names and phones of another user, and nothing else [2.24, 7.16, P03]', async () => {
    const { id, email, role } = await add()
    const { status, data } = await admin.call(businessUser.update, { id, ...contact })
    expect(status).toBe(200)
    expect(data).toMatchObject({ ...contact, email, role, fullName: 'Dr Rita Levi-M' })
    for (const more of [
      { email: 'x@north.example' },
      { roleId: roleIds.admin },
      { organizationId: southClinic.id },
      { status: 'Deactivated' },
      { isConfirmed: true },
    ]) {
      expect((await admin.call(businessUser.update, { id, ...contact, ...more })).status).toBe(400)
    }
    expect((await staff.call(businessUser.update, { id, ...contact })).status).toBe(403)
  })

  it('of the own profile answers the user with the policy, and later work carries the new name [2.46, 3.15, 4.15, 7.16]', async () => {
    const { data } = await staff.call(businessUser.updateProfile, {
      ...contact,
      firstName: 'Noah',
      lastName: 'Weber-Lind',
    })
    expect([data.fullName, data.id, data.policy.length]).toEqual(['Dr Noah Weber-Lind', staff.userId, 2])
    expect((await staff.call(account.profile, {})).data).toEqual(data)
  })

  it('refuses what was made on an older state, with both values', async () => {
    const { id, updatedDate } = await add()
    expect(
      (await admin.call(businessUser.update, { id, ...contact, lastName: 'First', seenUpdatedDate: updatedDate }))
        .status,
    ).toBe(200)
    const late = await root.call(businessUser.update, {
      id,
      ...contact,
      lastName: 'Second',
      seenUpdatedDate: updatedDate,
    })
    expect(late).toMatchObject({
      status: 409,
      code: 'CHANGED_MEANWHILE',
      fields: [{ path: 'lastName', message: 'Now “First”; you entered “Second”.' }],
    })
    expect(late.message).toBe(
      'Somebody changed this user while you were working on it. Please look at it again before you save.',
    )
    const empty = await root.call(businessUser.update, {
      id,
      ...contact,
      lastName: 'First',
      mobile: '030 1',
      landline: '',
      seenUpdatedDate: updatedDate,
    })
    expect(empty.fields).toEqual([
      { path: 'mobile', message: 'Now empty; you entered “030 1”.' },
      { path: 'landline', message: 'Now “030 5550”; you entered empty.' },
    ])
  })

  it('of the own profile says so in its own words when it was made on an older state', async () => {
    const { data } = await staff.call(account.profile, {})
    const late = await staff.call(businessUser.updateProfile, {
      ...contact,
      seenUpdatedDate: new Date(Date.parse(data.updatedDate) - 1).toISOString(),
    })
    expect([late.status, late.message]).toEqual([
      409,
      'Somebody changed your profile while you were working on it. Please look at it again before you save.',
    ])
  })

  it('always makes the state newer, also where the clock of another server was ahead', async () => {
    const { id } = await add()
    const ahead = new Date(Date.now() + 3_600_000)
    await server.deps.db.updateTable('users').set({ updated_date: ahead }).where('id', '=', id).execute()
    const { data } = await admin.call(businessUser.update, { id, ...contact, seenUpdatedDate: ahead.toISOString() })
    expect(Date.parse(data.updatedDate)).toBeGreaterThan(ahead.getTime())
  })

  it('of somebody above is refused, as are activating, deactivating and resetting them', async () => {
    const above = await add(
      { roleId: roleIds.super_admin, organizationId: provider.id, email: 'waiting@dmp.example' },
      root,
    )
    for (const call of [businessUser.activateUser, businessUser.deactivateUser, businessUser.resetTemporaryPassword])
      expect(await sys.call(call, { id: above.id })).toMatchObject({ status: 403, code: 'ROLE_ABOVE_OWN' })
    expect(await sys.call(businessUser.update, { id: above.id, ...contact })).toMatchObject({
      status: 403,
      code: 'ROLE_ABOVE_OWN',
    })
    expect((await root.call(businessUser.get, { id: above.id })).data).toEqual(above)
    expect((await root.call(businessUser.deactivateUser, { id: above.id })).status).toBe(200)
  })
})

describe('activating and deactivating', () => {
  it('ends every session at once and lets the person in again later [2.61, 4.03, 7.17]', async () => {
    const { id, email } = await add()
    const signedIn = await firstSignIn(email)
    const headers = { authorization: `Bearer ${signedIn.data.accessToken}` }
    expect((await server.call(account.profile, {}, { headers })).status).toBe(200)

    const { status, data } = await admin.call(businessUser.deactivateUser, { id })
    expect([status, data.status.status, data.status.createdByUser]).toEqual([200, 'Deactivated', 'Mrs Nora Lind'])
    expect((await server.call(account.profile, {}, { headers })).status).toBe(401)
    expect((await login(email, chosenPassword)).status).toBe(401)
    expect(await admin.call(businessUser.deactivateUser, { id })).toMatchObject({ status: 409, code: 'UNCHANGED' })

    const again = await admin.call(businessUser.activateUser, { id })
    expect([again.status, again.data.status.status]).toEqual([200, 'Activated'])
    expect((await login(email, chosenPassword)).status).toBe(200)
    expect((await server.call(account.profile, {}, { headers })).status).toBe(401)
    expect((await admin.call(businessUser.activateUser, { id })).status).toBe(409)
  })

  it('is not possible with oneself, in any writing of the id', async () => {
    for (const id of [admin.userId, admin.userId.toUpperCase()])
      expect(await admin.call(businessUser.deactivateUser, { id })).toMatchObject({ status: 409, code: 'OWN_ACCOUNT' })
    expect((await admin.call(account.validateToken, {})).status).toBe(200)
  })

  it('leaves one super administrator, also when two deactivate each other at once', async () => {
    const other = await add(
      { roleId: roleIds.super_admin, organizationId: provider.id, email: 'super2@dmp.example' },
      root,
    )
    const { data } = await firstSignIn('super2@dmp.example')
    const headers = { authorization: `Bearer ${data.accessToken}` }
    const both = await Promise.all([
      root.call(businessUser.deactivateUser, { id: other.id }),
      server.call(businessUser.deactivateUser, { id: root.userId }, { headers }),
    ])
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1)
    const left = await server.deps.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'super_admin')
      .where('status', '=', 'Activated')
      .execute()
    expect(left).toHaveLength(1)
    // As it is seen by one who was deactivated at this very moment.
    await server.deps.db.updateTable('users').set({ status: 'Activated' }).where('id', '=', root.userId).execute()
    server.deps.bus.publish({ kind: 'viewersChanged', userIds: [root.userId] })
    root = await server.signIn('super_admin')
    expect((await root.call(account.profile, {})).status).toBe(200)
    await server.deps.db.updateTable('users').set({ status: 'Deactivated' }).where('id', '=', root.userId).execute()
    await server.deps.db.updateTable('users').set({ status: 'Activated' }).where('id', '=', other.id).execute()
    expect(await root.call(businessUser.deactivateUser, { id: other.id })).toMatchObject({
      status: 409,
      code: 'LAST_SUPER_ADMIN',
    })
    await server.deps.db.updateTable('users').set({ status: 'Activated' }).where('id', '=', root.userId).execute()
    root = await server.signIn('super_admin')
  })
})

describe('a temporary password', () => {
  it('is sent again to somebody who has not confirmed, and the one before is worth nothing [6.07, 7.19, P06]', async () => {
    const { id, email } = await add()
    const first = await server.mailTo(email)
    const opened = await login(email, first.code ?? '')
    expect((await admin.call(businessUser.resetTemporaryPassword, { id })).status).toBe(200)
    expect((await login(email, first.code ?? '')).status).toBe(401)
    const stale = await server.call(account.setNewPassword, {
      challengeResponse: { userName: email, newPassword: chosenPassword },
      clientId: 'dmp-web',
      session: opened.data.session ?? '',
    })
    expect(stale.status).toBe(401)
    const second = await server.mailTo(email)
    expect(second.code).not.toBe(first.code)
    expect((await firstSignIn(email)).data.accessToken).toEqual(expect.any(String))
    expect(await admin.call(businessUser.resetTemporaryPassword, { id })).toMatchObject({
      status: 409,
      code: 'ALREADY_CONFIRMED',
    })
  })

  it('is not sent to somebody who is deactivated', async () => {
    const { id } = await add()
    await admin.call(businessUser.deactivateUser, { id })
    expect(await admin.call(businessUser.resetTemporaryPassword, { id })).toMatchObject({
      status: 409,
      code: 'USER_DEACTIVATED',
    })
  })
})

describe('the updated terms', () => {
  it('go to every active user of an active organization, with the configured address only [7.20, 8.09]', async () => {
    const termsLink = server.deps.settings.termsLink
    for (const other of [
      'https://elsewhere.example/terms',
      `${termsLink}/../evil`,
      `${termsLink}#x`,
      termsLink.toUpperCase(),
    ])
      expect((await sys.call(businessUser.sendUpdatedTermsOfUse, { termsLink: other })).status).toBe(400)
    const before = await server.deps.db
      .selectFrom('mails')
      .select('id')
      .where('subject', '=', 'Updated Terms of Use')
      .execute()
    expect(before).toEqual([])
    expect((await sys.call(businessUser.sendUpdatedTermsOfUse, { termsLink })).status).toBe(200)
    const sent = await server.deps.db
      .selectFrom('mails')
      .select(['recipient', 'links', 'text', 'html'])
      .where('subject', '=', 'Updated Terms of Use')
      .execute()
    const expected = (await sys.call(businessUser.list, {})).data.filter(
      (user) =>
        user.status.status === 'Activated' &&
        user.role.role !== 'service_user' &&
        user.organizationId !== westClinic.id,
    )
    expect(sent.map(({ recipient }) => recipient).sort()).toEqual(expected.map(({ email }) => email).sort())
    expect(
      sent.every(
        ({ links, text, html }) => links[0] === termsLink && text.includes(termsLink) && html.includes(termsLink),
      ),
    ).toBe(true)
    expect((await admin.call(businessUser.sendUpdatedTermsOfUse, { termsLink })).status).toBe(403)
  })
})

it('records who saw and changed whom, without names, addresses or passwords [P23, P24]', async () => {
  const { id, email } = await add({ firstName: 'Canaryfirst', email: 'canary@north.example' })
  const { code } = await server.mailTo(email)
  await admin.call(businessUser.get, { id })
  await admin.call(businessUser.deactivateUser, { id })
  await admin.call(businessUser.list, {})
  const rows = await server.deps.db
    .selectFrom('audit')
    .select(['event', 'subject', 'actor_id'])
    .where('actor_id', '=', admin.userId)
    .orderBy('position', 'desc')
    .limit(4)
    .execute()
  expect(rows.map(({ event }) => event)).toEqual(['UsersExported', 'UserDeactivated', 'UserViewed', 'UserAdded'])
  const said = JSON.stringify(rows) + server.logs.join('')
  for (const secret of ['Canaryfirst', 'canary@north.example', code ?? '-']) expect(said).not.toContain(secret)
})

it('shows another organization’s users to nobody but the provider [P02]', async () => {
  const south = (await root.call(businessUser.list, { search: 'South-Clinic' })).data
  expect(south.length).toBeGreaterThan(5)
  expect(
    (await admin.call(businessUser.list, {})).data.every(({ organizationId }) => organizationId === northClinic.id),
  ).toBe(true)
  expect((await admin.call(businessUser.list, { search: 'South-Clinic' })).data).toEqual([])
  expect((await admin.call(organization.get, { id: southClinic.id })).status).toBe(404)
})
