import { registration } from '@dmp/contract'
import { regions } from '@dmp/contract/examples'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { createDraft, register, reject } from './registrationInTests.ts'

let server: TestServer
let sys: SignedIn
beforeAll(async () => {
  server = await startServer()
  sys = await server.signIn('sys_admin')
})
afterAll(() => server.close())
const background = () => new Promise((later) => setTimeout(later, 50))

describe('the public form', () => {
  it('keeps what was entered, as New [1.06, 1.10, 2.57, 3.11, 4.05, 7.37]', async () => {
    const registered = await register(server, sys, { firstName: 'Zoë', organizationName: 'Zoë-Clinic' })
    expect(registered).toMatchObject({
      organizationName: 'Zoë-Clinic',
      status: 'New',
      region: regions[0]?.name,
      registrationStatus: { status: 'New', createdByUser: null, comment: null },
      contactInfo: {
        civility: 'Dr',
        firstName: 'Zoë',
        lastName: 'Byron',
        mobile: '+49 170 5550100',
        landline: '+49 30 5550101',
        fax: '+49 30 5550102',
      },
    })
    expect((await sys.call(registration.get, { id: registered.id })).data).toEqual(registered)
  })

  it('keeps no number where none was entered', async () => {
    const { contactInfo } = await register(server, sys, { mobile: null, landline: '', fax: null })
    expect(contactInfo).toMatchObject({ mobile: null, landline: null, fax: null })
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
    ['civility', '', 'This field is required!'],
    ['civility', 'Sir', 'Please choose one of: Mr, Mrs, Ms, Dr, Prof.'],
  ])('refuses %s %j [5.04, 5.05, 5.06, 5.07, 5.16, 5.17]', async (field, value, message) => {
    expect(await server.call(registration.add, createDraft({ [field]: value }))).toMatchObject({
      status: 400,
      fields: [{ path: field, message }],
    })
  })

  it('answers alike for an address that has an account, is waiting, or is blocked, and keeps nothing [P07]', async () => {
    const waiting = await register(server, sys)
    const count = async () => (await sys.call(registration.list, { page: 1 })).total
    const previousCount = await count()
    const fresh = await server.call(registration.add, createDraft())
    for (const email of [
      'staff@north.example',
      'STAFF@north.example',
      waiting.contactInfo.email,
      'emil.straub@north.example',
    ]) {
      const { status, raw } = await server.call(registration.add, createDraft({ email }))
      expect([status, raw.body]).toEqual([fresh.status, fresh.raw.body])
    }
    expect(await count()).toBe((previousCount ?? 0) + 1)
  })

  it('tells the owner of a known address, once a day and in no words of the form', async () => {
    const email = 'admin@south.example'
    const audited = server.deps.db
      .selectFrom('audit')
      .select(['outcome', 'subject'])
      .where('event', '=', 'RegistrationAdded')
      .orderBy('position', 'desc')
    // What becomes of the mail is told behind the answer, and maybe behind the mail: each address has two rows then.
    const settledRows = async () => {
      for (;;) {
        const known = (await audited.execute()).filter(({ subject }) => subject.reason === 'address known')
        if (known.length === 2 * known.filter(({ subject }) => 'mailed' in subject).length) return known
        await background()
      }
    }
    const before = (await settledRows()).length
    for (let tries = 0; tries < 3; tries += 1)
      await server.call(registration.add, createDraft({ email, firstName: 'Canary' }))
    const mail = await server.mailTo(email)
    await background()
    expect(mail.subject).toBe('Your registration')
    expect(mail.text + mail.html).not.toContain('Canary')
    const known = await settledRows()
    const auditRows = known.slice(0, known.length - before)
    const mailed = auditRows.filter(({ subject }) => 'mailed' in subject).map(({ subject }) => subject.mailed)
    expect([new Set(auditRows.map(({ outcome, subject }) => `${outcome} ${String(subject.reason)}`)), mailed]).toEqual([
      new Set(['refused address known']),
      [false, false, true],
    ])
    const countMails = async () => {
      const mails = server.deps.db.selectFrom('mails').select('id').where('recipient', '=', email)
      return (await mails.execute()).length
    }
    expect(await countMails()).toBe(1)
    // The next day.
    const created_date = new Date(Date.now() - 25 * 3_600_000)
    await server.deps.db.updateTable('mails').set({ created_date }).where('recipient', '=', email).execute()
    await server.call(registration.add, createDraft({ email }))
    while ((await countMails()) < 2) await background()
  })

  it('says one thing of every address that cannot be used [5.04, P07]', async () => {
    const { contactInfo } = await register(server, sys)
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
    const input = createDraft()
    const replies = await Promise.all(Array.from({ length: 6 }, () => server.call(registration.add, input)))
    expect(new Set(replies.map(({ raw }) => `${raw.statusCode} ${raw.body}`))).toEqual(new Set(['200 {"data":null}']))
    expect((await sys.call(registration.list, { search: input.email })).data).toHaveLength(1)
  })

  it('lets somebody who was rejected register again', async () => {
    const first = await register(server, sys)
    await reject(sys, first.id)
    expect((await server.call(registration.emailAvailable, { email: first.contactInfo.email })).data.available).toBe(
      true,
    )
    expect((await server.call(registration.add, createDraft({ email: first.contactInfo.email }))).status).toBe(200)
    expect(
      (await sys.call(registration.list, { search: first.contactInfo.email })).data.map(({ status }) => status),
    ).toEqual(['New', 'Rejected'])
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
    const forms = await statuses(() => strict.call(registration.add, createDraft()), 11)
    expect(forms.map(({ status }) => status)).toEqual([...Array.from({ length: 10 }, () => 200), 429])
  } finally {
    await strict.close()
  }
})
