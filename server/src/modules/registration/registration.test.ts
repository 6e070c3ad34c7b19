import { account, businessUser, organization, registration } from '@dmp/contract'
import { regions } from '@dmp/contract/examples'
import { registrationStatusIds } from '@dmp/contract/registration'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let sys: SignedIn
beforeAll(async () => {
  server = await startServer()
  sys = await server.signIn('sys_admin')
})
afterAll(() => server.close())

let made = 0
const draft = (over: Record<string, unknown> = {}) => {
  made += 1
  return {
    civility: 'Dr',
    firstName: 'Ada',
    lastName: 'Byron',
    organizationName: `Clinic-${made}`,
    email: `ada${made}@clinic.example`,
    mobile: '+49 170 5550100',
    landline: '',
    fax: null,
    ...over,
  }
}
const register = async (over: Record<string, unknown> = {}) => {
  const input = draft(over)
  expect((await server.call(registration.add, input)).status).toBe(200)
  const { data } = await sys.call(registration.list, { search: input.email })
  const [found] = data
  if (!found) throw new Error(`${input.email} was not kept`)
  return found
}
const reject = (id: string, comment = 'Not now.', statusId = registrationStatusIds.Rejected) =>
  sys.call(registration.reject, { id, statusId, comment })
const background = () => new Promise((later) => setTimeout(later, 50))

describe('the public form', () => {
  it('keeps what was entered, as New [1.06, 1.10, 2.57, 3.11, 4.05, 7.37]', async () => {
    const found = await register({ firstName: 'Zoë', organizationName: 'Zoë-Clinic' })
    expect(found).toMatchObject({
      organizationName: 'Zoë-Clinic',
      status: 'New',
      region: regions[0]?.name,
      registrationStatus: { status: 'New', createdByUser: null, comment: null },
      contactInfo: {
        civility: 'Dr',
        firstName: 'Zoë',
        lastName: 'Byron',
        mobile: '+49 170 5550100',
        landline: null,
        fax: null,
      },
    })
    expect((await sys.call(registration.get, { id: found.id })).data).toEqual(found)
  })

  it.each([
    ['firstName', '', 'Please enter a first name.'],
    ['firstName', 'x'.repeat(31), 'Please use at most 30 characters.'],
    ['lastName', '', 'Please enter a last name.'],
    ['lastName', 'Byron!', 'Only alphanumericals, - and _ allowed'],
    ['organizationName', '', 'Please enter an organization name.'],
    ['organizationName', 'My Clinic', 'Only alphanumericals, - and _ allowed'],
    ['organizationName', 'x'.repeat(256), 'Please use at most 255 characters.'],
    ['email', '', 'This field is required!'],
    ['email', 'nobody', 'Please enter a valid email.'],
    ['email', `${'x'.repeat(250)}@a.example`, 'Please use at most 255 characters.'],
    ['mobile', 'call me', 'Only numbers, +, -, and space allowed'],
    ['fax', '1'.repeat(16), 'Please use at most 15 characters.'],
    ['civility', 'Sir', 'This field is required!'],
  ])('refuses %s %j [5.04, 5.05, 5.06, 5.07, 5.16, 5.17]', async (field, value, message) => {
    expect(await server.call(registration.add, draft({ [field]: value }))).toMatchObject({
      status: 400,
      fields: [{ path: field, message }],
    })
  })

  it('answers alike for an address that has an account, is waiting, or is blocked, and keeps nothing [P07]', async () => {
    const waiting = await register()
    const count = async () => (await sys.call(registration.list, { page: 1 })).total
    const before = await count()
    const fresh = await server.call(registration.add, draft())
    for (const email of [
      'staff@north.example',
      'STAFF@north.example',
      waiting.contactInfo.email,
      'emil.straub@north.example',
    ]) {
      const { status, raw } = await server.call(registration.add, draft({ email }))
      expect([status, raw.body]).toEqual([fresh.status, fresh.raw.body])
    }
    expect(await count()).toBe((before ?? 0) + 1)
  })

  it('tells the owner of a known address, once a day and in no words of the form', async () => {
    const email = 'admin@south.example'
    for (let tries = 0; tries < 3; tries += 1)
      await server.call(registration.add, draft({ email, firstName: 'Canary' }))
    const mail = await server.mailTo(email)
    await background()
    expect(mail.subject).toBe('Your registration')
    expect(mail.text + mail.html).not.toContain('Canary')
    const recorded = await server.deps.db
      .selectFrom('audit')
      .select(['outcome', 'subject'])
      .where('event', '=', 'RegistrationAdded')
      .orderBy('position', 'desc')
      .limit(6)
      .execute()
    const told = recorded.filter(({ subject }) => 'mailed' in subject).map(({ subject }) => subject.mailed)
    expect([new Set(recorded.map(({ outcome, subject }) => `${outcome} ${String(subject.reason)}`)), told]).toEqual([
      new Set(['refused address known']),
      [false, false, true],
    ])
    const { n } = await server.deps.db
      .selectFrom('mails')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow()
    expect(Number(n)).toBe(1)
  })

  it('says one thing of every address that cannot be used [5.04, P07]', async () => {
    const { contactInfo } = await register()
    for (const email of [
      'staff@north.example',
      'Staff@North.example',
      contactInfo.email,
      'emil.straub@north.example',
    ]) {
      expect((await server.call(registration.emailAvailable, { email })).data).toEqual({
        available: false,
        message: 'This email cannot be used for a registration.',
      })
    }
    expect((await server.call(registration.emailAvailable, { email: 'free@clinic.example' })).data).toEqual({
      available: true,
      message: '',
    })
  })

  it('makes one registration of many that come at once', async () => {
    const input = draft()
    const all = await Promise.all(Array.from({ length: 6 }, () => server.call(registration.add, input)))
    expect(new Set(all.map(({ raw }) => `${raw.statusCode} ${raw.body}`))).toEqual(new Set(['200 {"data":null}']))
    expect((await sys.call(registration.list, { search: input.email })).data).toHaveLength(1)
  })

  it('lets somebody who was rejected register again', async () => {
    const first = await register()
    await reject(first.id)
    expect((await server.call(registration.emailAvailable, { email: first.contactInfo.email })).data.available).toBe(
      true,
    )
    expect((await server.call(registration.add, draft({ email: first.contactInfo.email }))).status).toBe(200)
    expect(
      (await sys.call(registration.list, { search: first.contactInfo.email })).data.map(({ status }) => status),
    ).toEqual(['New', 'Rejected'])
  })
})

describe('approving', () => {
  it('makes the organization and its first administrator, who signs in with the mailed password and chooses another [2.56, 4.05, 7.37, 8.10, P06]', async () => {
    const { id, organizationName, contactInfo } = await register()
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

    const mail = await server.mailTo(contactInfo.email)
    expect(mail.subject).toBe('Your registration is approved')
    expect(mail.text).toContain(organizationName)
    expect(mail.html).toContain('Sign in')
    const login = await server.call(account.login, {
      ClientId: 'dmp-web',
      email: contactInfo.email,
      password: mail.code ?? '',
    })
    expect(login.data).toMatchObject({ challengeName: 'NEW_PASSWORD_REQUIRED', accessToken: null })
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

  it('happens once, however often and whenever it is asked for [4.05]', async () => {
    const { id, organizationName } = await register()
    const all = await Promise.all(Array.from({ length: 4 }, () => sys.call(registration.approve, { id })))
    expect(all.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await sys.call(organization.list, { search: organizationName })).data).toHaveLength(1)
    expect(await sys.call(registration.approve, { id })).toMatchObject({
      status: 409,
      code: 'DECIDED',
      message: `The registration for ${organizationName} is approved already.`,
    })
    expect((await reject(id)).status).toBe(409)
  })

  it.each(['North-Clinic', 'north-clinic', 'West-Clinic'])(
    'refuses an organization name that exists, activated or not: %s',
    async (organizationName) => {
      const { id, contactInfo } = await register({ organizationName })
      expect(await sys.call(registration.approve, { id })).toMatchObject({ status: 409, code: 'NAME_TAKEN' })
      // All or nothing.
      expect((await sys.call(registration.get, { id })).data.status).toBe('New')
      expect((await sys.call(businessUser.list, { search: contactInfo.email })).data).toEqual([])
    },
  )

  it('refuses an address that got an account meanwhile, and makes no organization', async () => {
    const { id, organizationName, contactInfo } = await register()
    await server.deps.db
      .updateTable('users')
      .set({ email: contactInfo.email.toUpperCase() })
      .where('email', '=', 'noor.jansen@south.example')
      .execute()
    expect(await sys.call(registration.approve, { id })).toMatchObject({ status: 409, code: 'EMAIL_TAKEN' })
    expect((await sys.call(organization.list, { search: organizationName })).data).toEqual([])
  })

  it('gives a name to one of two registrations that are approved at once', async () => {
    const [one, two] = [await register({ organizationName: 'Twin' }), await register({ organizationName: 'TWIN' })]
    const both = await Promise.all([one, two].map(({ id }) => sys.call(registration.approve, { id })))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  })
})

it('lets nobody approve what somebody else has rejected while they still saw it pending, nor reject what changed', async () => {
  const seen = await register()
  const early = await sys.call(registration.reject, {
    id: seen.id,
    statusId: registrationStatusIds.Rejected,
    comment: 'x',
    seenUpdatedDate: new Date(0).toISOString(),
  })
  expect([early.status, early.code, early.fields]).toEqual([
    409,
    'CHANGED_MEANWHILE',
    [{ path: 'statusId', message: 'Now “New”; you entered “Rejected”.' }],
  ])
  const approve = (seenUpdatedDate: string) => sys.call(registration.approve, { id: seen.id, seenUpdatedDate })
  const { data: rejected } = await sys.call(registration.reject, {
    id: seen.id,
    statusId: registrationStatusIds.Rejected,
    comment: 'A duplicate.',
    seenUpdatedDate: seen.updatedDate,
  })
  const late = await approve(seen.updatedDate)
  expect([late.status, late.code, late.fields]).toEqual([
    409,
    'CHANGED_MEANWHILE',
    [{ path: 'statusId', message: 'Now “Rejected”; you entered “Approved”.' }],
  ])
  // Who has read the comment may still approve (4.05).
  expect((await approve(rejected.updatedDate)).data.status).toBe('Approved')
})

describe('rejecting', () => {
  it('needs a comment and mails it, and approving is possible afterwards [4.05, 5.10, 7.37]', async () => {
    const { id, contactInfo } = await register()
    expect(await reject(id, ' ')).toMatchObject({
      status: 400,
      fields: [{ path: 'comment', message: 'This field is required!' }],
    })
    const { status, data } = await reject(id, 'Please use <i>another</i> address.')
    expect([status, data.status, data.registrationStatus.comment]).toEqual([
      200,
      'Rejected',
      'Please use <i>another</i> address.',
    ])
    const mail = await server.mailTo(contactInfo.email)
    expect(mail.text).toContain('> Please use <i>another</i> address.')
    expect(mail.html).toContain('Please use &lt;i&gt;another&lt;/i&gt; address.')
    expect((await reject(id)).status).toBe(409)
    expect((await sys.call(registration.approve, { id })).data.status).toBe('Approved')
  })

  it('says so when the status is not Rejected [8.07]', async () => {
    const { id } = await register()
    for (const statusId of [registrationStatusIds.Approved, registrationStatusIds.New, id])
      expect(await reject(id, 'x', statusId)).toMatchObject({
        status: 404,
        message: 'Could not find status with given id',
      })
    expect((await sys.call(registration.get, { id })).data.status).toBe('New')
  })
})

it('limits how often the form and its check are used, with 429 and Retry-After [P19]', async () => {
  const strict = await startServer({ DMP_LIMIT_FACTOR: '1' })
  try {
    const statuses = async (
      act: () => Promise<{ status: number; headers: Record<string, unknown> }>,
      times: number,
    ) => {
      const answers = []
      for (let n = 0; n < times; n += 1) answers.push(await act())
      return answers
    }
    const checks = await statuses(() => strict.call(registration.emailAvailable, { email: 'free@clinic.example' }), 11)
    expect(checks.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
    expect(Number(checks.at(-1)?.headers['retry-after'])).toBeGreaterThan(0)
    const forms = await statuses(() => strict.call(registration.add, draft()), 11)
    expect(forms.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  } finally {
    await strict.close()
  }
})

it('is for the provider’s staff only [6.02, P01]', async () => {
  const { id } = await register()
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
