import { account, businessUser, organization, registration } from '@dmp/contract'
import { registrationStatusIds } from '@dmp/contract/registration'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { register, reject } from './registrationInTests.ts'

let server: TestServer
let sys: SignedIn
beforeAll(async () => {
  server = await startServer()
  sys = await server.signIn('sys_admin')
})
afterAll(() => server.close())

describe('approving', () => {
  it('makes the organization and its first administrator, who signs in with the mailed password and chooses another [2.56, 4.05, 7.37, 8.10, P06]', async () => {
    const { id, organizationName, contactInfo } = await register(server, sys)
    const { status, data } = await sys.call(registration.approve, { id })
    expect(status).toBe(200)
    expect(data).toMatchObject({
      status: 'Approved',
      registrationStatus: { status: 'Approved', createdByUser: 'Mr Sven Holm', comment: null },
    })

    const [home] = (await sys.call(organization.list, { search: organizationName })).data
    expect(home).toMatchObject({ name: organizationName, status: 'Activated', region: 'Europe', licenses: [] })
    const [user] = (await sys.call(businessUser.list, { search: contactInfo.email })).data
    expect(user).toMatchObject({
      email: contactInfo.email,
      fullName: 'Dr Ada Byron',
      isConfirmed: false,
      role: { role: 'admin' },
      organizationId: home?.id,
    })
    const kept = ['civility', 'firstName', 'lastName', 'mobile', 'landline', 'fax'] as const
    expect(kept.map((name) => user?.[name])).toEqual(kept.map((name) => contactInfo[name]))
    expect(new Set(kept.map((name) => user?.[name])).size).toBe(kept.length)

    const mail = await server.mailTo(contactInfo.email)
    expect(mail.subject).toBe('Your registration is approved')
    expect(mail.text).toContain(organizationName)
    expect(mail.html).toContain('Sign in')
    const login = await server.call(account.login, {
      ClientId: 'dmp-web',
      email: contactInfo.email,
      password: mail.code ?? '',
    })
    expect(login.data).toMatchObject({ challengeName: 'new-password-required', accessToken: null })
    const chosen = await server.call(account.setNewPassword, {
      challengeResponse: { userName: user?.id ?? '', newPassword: 'My Own Passw0rd' },
      clientId: 'dmp-web',
      session: login.data.session ?? '',
    })
    expect(chosen.data.accessToken).toEqual(expect.any(String))
    expect(
      (await server.call(account.login, { ClientId: 'dmp-web', email: contactInfo.email, password: mail.code ?? '' }))
        .status,
    ).toBe(401)
  })

  it('leaves a customer that works: activated, with a datastore, the chosen licenses and a mail that says so [P50]', async () => {
    const { id, contactInfo } = await register(server, sys)
    const { data } = await sys.call(registration.approve, { id, saas: 'BMD,PeekMed' })
    const readiness = await sys.call(organization.getReadiness, { id: data.organizationId ?? '' })
    expect(readiness.data).toMatchObject({
      status: 'Activated',
      hasDatastore: true,
      saas: ['BMD', 'PeekMed'],
      invitation: { email: contactInfo.email },
    })
    const mail = await server.mailTo(contactInfo.email)
    expect(mail.text).toContain('Its datastore is ready, so you can upload scans')
    expect(mail.text).toContain('Licensed add-on apps: BMD, PeekMed.')
    expect((await sys.call(registration.get, { id })).data.organizationId).toBe(data.organizationId)
  })

  it.each(['Paint', 'BMD,', 'BMD,BMD,BMD,BMD,BMD', ''])(
    'refuses %j as licenses, and approves nothing [P50]',
    async (saas) => {
      const { id } = await register(server, sys)
      expect((await sys.call(registration.approve, { id, saas })).status).toBe(400)
      expect((await sys.call(registration.get, { id })).data.status).toBe('New')
    },
  )

  it('happens once, however often and whenever it is asked for [4.05]', async () => {
    const { id, organizationName } = await register(server, sys)
    const replies = await Promise.all(Array.from({ length: 4 }, () => sys.call(registration.approve, { id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await sys.call(organization.list, { search: organizationName })).data).toHaveLength(1)
    expect(await sys.call(registration.approve, { id })).toMatchObject({
      status: 409,
      code: 'DECIDED',
      message: `The registration of ${organizationName} has already been approved.`,
    })
    expect((await reject(sys, id)).status).toBe(409)
  })

  it.each(['North-Clinic', 'north-clinic', 'West-Clinic'])(
    'refuses an organization name that exists, activated or not: %s',
    async (organizationName) => {
      const { id, contactInfo } = await register(server, sys, { organizationName })
      // Known on the page of the registration, before anybody presses Approve.
      const [taken] = (await sys.call(organization.list, { search: organizationName })).data
      expect((await sys.call(registration.get, { id })).data.sameNameId).toBe(taken?.id)
      expect(await sys.call(registration.approve, { id })).toMatchObject({ status: 409, code: 'NAME_TAKEN' })
      // All or nothing.
      expect((await sys.call(registration.get, { id })).data.status).toBe('New')
      expect((await sys.call(businessUser.list, { search: contactInfo.email })).data).toEqual([])
    },
  )

  it('refuses an address that got an account meanwhile, and makes no organization', async () => {
    const { id, organizationName, contactInfo } = await register(server, sys)
    await server.deps.db
      .updateTable('users')
      .set({ email: contactInfo.email.toUpperCase() })
      .where('email', '=', 'noor.jansen@south.example')
      .execute()
    expect(await sys.call(registration.approve, { id })).toMatchObject({ status: 409, code: 'EMAIL_TAKEN' })
    expect((await sys.call(organization.list, { search: organizationName })).data).toEqual([])
  })

  it('gives a name to one of two registrations that are approved at once', async () => {
    const twins = [
      await register(server, sys, { organizationName: 'Twin' }),
      await register(server, sys, { organizationName: 'TWIN' }),
    ]
    const replies = await Promise.all(twins.map(({ id }) => sys.call(registration.approve, { id })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

it('lets nobody approve what somebody else has rejected while they still saw it pending, nor reject what changed', async () => {
  const registered = await register(server, sys)
  const early = await sys.call(registration.reject, {
    id: registered.id,
    statusId: registrationStatusIds.Rejected,
    comment: 'x',
    seenUpdatedDate: new Date(0).toISOString(),
  })
  expect([early.status, early.code, early.fields]).toEqual([
    409,
    'CHANGED_MEANWHILE',
    [{ path: 'statusId', message: 'Now “New”; you entered “Rejected”.' }],
  ])
  const approve = (seenUpdatedDate: string) => sys.call(registration.approve, { id: registered.id, seenUpdatedDate })
  const { data: rejected } = await sys.call(registration.reject, {
    id: registered.id,
    statusId: registrationStatusIds.Rejected,
    comment: 'A duplicate.',
    seenUpdatedDate: registered.updatedDate,
  })
  const late = await approve(registered.updatedDate)
  expect([late.status, late.code, late.fields]).toEqual([
    409,
    'CHANGED_MEANWHILE',
    [{ path: 'statusId', message: 'Now “Rejected”; you entered “Approved”.' }],
  ])
  // 4.05: after reading the comment an administrator may still approve.
  expect((await approve(rejected.updatedDate)).data.status).toBe('Approved')
})

describe('rejecting', () => {
  it('needs a comment and mails it, and approving is possible afterwards [4.05, 5.10, 7.37]', async () => {
    const { id, contactInfo } = await register(server, sys)
    expect(await reject(sys, id, ' ')).toMatchObject({
      status: 400,
      fields: [{ path: 'comment', message: 'This field is required!' }],
    })
    const { status, data } = await reject(sys, id, 'Please use <i>another</i> address.')
    expect([status, data.status, data.registrationStatus.comment]).toEqual([
      200,
      'Rejected',
      'Please use <i>another</i> address.',
    ])
    const mail = await server.mailTo(contactInfo.email)
    expect(mail.text).toContain('> Please use <i>another</i> address.')
    expect(mail.html).toContain('Please use &lt;i&gt;another&lt;/i&gt; address.')
    expect((await reject(sys, id)).status).toBe(409)
    expect((await sys.call(registration.approve, { id })).data.status).toBe('Approved')
  })

  it('says so when the status is not Rejected [8.07]', async () => {
    const { id } = await register(server, sys)
    for (const statusId of [registrationStatusIds.Approved, registrationStatusIds.New, id])
      expect(await reject(sys, id, 'x', statusId)).toMatchObject({
        status: 404,
        message: 'Could not find status with given id',
      })
    expect((await sys.call(registration.get, { id })).data.status).toBe('New')
  })
})

it('is for the provider’s staff only [6.02, P01]', async () => {
  const { id } = await register(server, sys)
  for (const role of ['admin', 'staff', 'service_user'] as const) {
    const viewer = await server.signIn(role)
    const answers = await Promise.all([
      viewer.call(registration.list, {}),
      viewer.call(registration.get, { id }),
      viewer.call(registration.approve, { id }),
      viewer.call(registration.reject, { id, statusId: registrationStatusIds.Rejected, comment: 'x' }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403, 403])
  }
})
