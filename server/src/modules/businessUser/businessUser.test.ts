import { account, businessUser, organization } from '@dmp/contract'
import { northClinic, provider, southClinic, westClinic } from '@dmp/contract/examples'
import { roleIds } from '../../identity/roles.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { addUser, chosenPassword, firstSignIn, login } from './businessUserInTests.ts'

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

describe('activating and deactivating', () => {
  it('ends every session at once and lets the person in again later [2.61, 4.03, 7.17]', async () => {
    const { id, email } = await addUser(admin)
    const signedIn = await firstSignIn(server, email)
    const headers = { authorization: `Bearer ${signedIn.data.accessToken}` }
    expect((await server.call(account.profile, {}, { headers })).status).toBe(200)

    const { status, data } = await admin.call(businessUser.deactivateUser, { id })
    expect([status, data.status.status, data.status.createdByUser]).toEqual([200, 'Deactivated', 'Mrs Nora Lind'])
    expect((await server.call(account.profile, {}, { headers })).status).toBe(401)
    expect((await login(server, email, chosenPassword)).status).toBe(401)
    expect(await admin.call(businessUser.deactivateUser, { id })).toMatchObject({ status: 409, code: 'UNCHANGED' })

    const again = await admin.call(businessUser.activateUser, { id })
    expect([again.status, again.data.status.status]).toEqual([200, 'Activated'])
    expect((await login(server, email, chosenPassword)).status).toBe(200)
    expect((await server.call(account.profile, {}, { headers })).status).toBe(401)
    expect((await admin.call(businessUser.activateUser, { id })).status).toBe(409)
  })

  it('is not possible with oneself, in any writing of the id', async () => {
    for (const id of [admin.userId, admin.userId.toUpperCase()])
      expect(await admin.call(businessUser.deactivateUser, { id })).toMatchObject({ status: 409, code: 'OWN_ACCOUNT' })
    expect((await admin.call(account.validateToken, {})).status).toBe(200)
  })

  it('leaves one super administrator, also when two deactivate each other at once', async () => {
    const other = await addUser(root, {
      roleId: roleIds.super_admin,
      organizationId: provider.id,
      email: 'super2@dmp.example',
    })
    const { data } = await firstSignIn(server, 'super2@dmp.example')
    const headers = { authorization: `Bearer ${data.accessToken}` }
    const replies = await Promise.all([
      root.call(businessUser.deactivateUser, { id: other.id }),
      server.call(businessUser.deactivateUser, { id: root.userId }, { headers }),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const activatedSuperAdmins = await server.deps.db
      .selectFrom('users')
      .select('id')
      .where('role', '=', 'super_admin')
      .where('status', '=', 'Activated')
      .execute()
    expect(activatedSuperAdmins).toHaveLength(1)
    // The same call by an administrator who was deactivated at this very moment.
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
    const { id, email } = await addUser(admin)
    const first = await server.mailTo(email)
    const opened = await login(server, email, first.code ?? '')
    expect((await admin.call(businessUser.resetTemporaryPassword, { id })).status).toBe(200)
    expect((await login(server, email, first.code ?? '')).status).toBe(401)
    const stale = await server.call(account.setNewPassword, {
      challengeResponse: { userName: email, newPassword: chosenPassword },
      clientId: 'dmp-web',
      session: opened.data.session ?? '',
    })
    expect(stale.status).toBe(401)
    const second = await server.mailTo(email)
    expect(second.code).not.toBe(first.code)
    expect((await firstSignIn(server, email)).data.accessToken).toEqual(expect.any(String))
    expect(await admin.call(businessUser.resetTemporaryPassword, { id })).toMatchObject({
      status: 409,
      code: 'ALREADY_CONFIRMED',
    })
  })

  it('is mailed five times an hour at most, so that nobody fills the mailbox of a stranger [7.19, P19]', async () => {
    const { id, email } = await addUser(admin)
    const again = () => admin.call(businessUser.resetTemporaryPassword, { id })
    for (let n = 0; n < 4; n += 1) expect((await again()).status).toBe(200)
    const newest = (await server.mailTo(email)).code ?? ''
    const refused = await again()
    expect([refused.status, Number(refused.headers['retry-after']) > 3000]).toEqual([429, true])
    // The one that was mailed last still opens.
    expect((await login(server, email, newest)).data.challengeName).toBe('new-password-required')
  })

  it('is not sent to somebody who is deactivated', async () => {
    const { id } = await addUser(admin)
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
    const previousMails = await server.deps.db
      .selectFrom('mails')
      .select('id')
      .where('subject', '=', 'Updated Terms of Use')
      .execute()
    expect(previousMails).toEqual([])
    expect((await sys.call(businessUser.sendUpdatedTermsOfUse, { termsLink })).status).toBe(200)
    const termsMails = await server.deps.db
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
    expect(termsMails.map(({ recipient }) => recipient).sort()).toEqual(expected.map(({ email }) => email).sort())
    expect(
      termsMails.every(
        ({ links, text, html }) => links[0] === termsLink && text.includes(termsLink) && html.includes(termsLink),
      ),
    ).toBe(true)
    expect((await admin.call(businessUser.sendUpdatedTermsOfUse, { termsLink })).status).toBe(403)
  })
})

it('records who saw and changed whom, without names, addresses or passwords [P23, P24]', async () => {
  const { id, email } = await addUser(admin, { firstName: 'Canaryfirst', email: 'canary@north.example' })
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
  const recordedText = JSON.stringify(rows) + server.logs.join('')
  for (const secret of ['Canaryfirst', 'canary@north.example', code ?? '-']) expect(recordedText).not.toContain(secret)
})

it('drops the blanks that a copied name brings along, also from what a list is searched for [5.06, 5.19]', async () => {
  const { id, fullName } = await addUser(admin, { firstName: '  Jürgen ', lastName: ' Groß-Müller ' })
  expect(fullName).toBe('Ms Jürgen Groß-Müller')
  const found = (await admin.call(businessUser.list, { search: ' Groß-Müller  ' })).data
  expect(found.map((user) => user.id)).toEqual([id])
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
