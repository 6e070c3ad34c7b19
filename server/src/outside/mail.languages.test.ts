import { account, businessUser, registration } from '@dmp/contract'
import { sayIn } from '../core/languages.ts'
import { addUser } from '../modules/businessUser/businessUserInTests.ts'
import { createDraft, register, reject } from '../modules/registration/registrationInTests.ts'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { startServer, type TestServer } from '../testing/server.ts'

const resetSubject = 'Change your password'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())
beforeEach(async () => {
  await server.deps.db.deleteFrom('mails').execute()
})

const asking = (language: string | undefined) =>
  language === undefined ? {} : { headers: { 'accept-language': language } }

const signIn = (email: string, language?: string) =>
  server.call(account.login, { ClientId: 'dmp-web', email, password: demoPassword }, asking(language))

async function mailedSubject(address: string): Promise<string> {
  const { subject } = await server.mailTo(address)
  return subject
}

async function askForReset(Email: string, language?: string): Promise<string> {
  await server.deps.db.deleteFrom('challenges').execute()
  // The mail of a sign-in may be as new as the one that is asked for.
  await server.deps.db.deleteFrom('mails').execute()
  await server.call(account.forgotPassword, { Email, ClientId: 'dmp-web' }, asking(language))
  return mailedSubject(Email)
}

describe('the language of a mail', () => {
  it('is the one in which its reader signed in last, whoever asks for it in whatever language [17.13]', async () => {
    await signIn('staff@north.example', 'de-DE,en;q=0.5')
    expect(await askForReset('staff@north.example', 'fr')).toBe(sayIn('de', resetSubject))
    expect(sayIn('de', resetSubject)).not.toBe(resetSubject)
    const { text, html } = await server.mailTo('staff@north.example')
    expect(html).toContain('<html lang="de" dir="ltr">')
    expect(text).not.toMatch(/Dear|Use this link|This mail/)
  })

  it('stays when a program signs in, which asks for none', async () => {
    await signIn('staff@north.example', 'de')
    await signIn('staff@north.example')
    expect(await askForReset('staff@north.example')).toBe(sayIn('de', resetSubject))
  })

  it('is English for who reads English, also when a stranger asks in another one', async () => {
    await signIn('admin@south.example', 'en-GB')
    expect(await askForReset('admin@south.example', 'de')).toBe(resetSubject)
  })

  it('follows its reader to another language, with the next sign-in', async () => {
    await signIn('admin@north.example', 'de')
    await signIn('admin@north.example', 'fr')
    expect(await askForReset('admin@north.example')).toBe(sayIn('fr', resetSubject))
  })

  it('is not chosen by whoever signs in from a new place, nor is the clock [P04]', async () => {
    await server.call(
      account.login,
      { ClientId: 'dmp-web', email: 'sys@dmp.example', password: demoPassword },
      { headers: { 'accept-language': 'de', 'dmp-time-zone': 'Europe/Berlin' } },
    )
    const thief = { 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/150.0', 'dmp-time-zone': 'Asia/Tokyo' }
    await server.call(
      account.login,
      { ClientId: 'dmp-web', email: 'sys@dmp.example', password: demoPassword },
      { headers: { ...thief, 'accept-language': 'ar' } },
    )
    const warning = await server.mailTo('sys@dmp.example')
    expect(warning.subject).toBe(sayIn('de', 'Your account was used in a new place'))
    expect(warning.text).toContain('(Europe/Berlin)')
    expect(await askForReset('sys@dmp.example')).toBe(sayIn('de', resetSubject))
  })

  it('is that of the form for who has no account yet', async () => {
    const sys = await server.signIn('sys_admin')
    const draft = createDraft({})
    await server.call(registration.add, draft, asking('ja'))
    const { data: listed } = await sys.call(registration.list, { search: draft.email })
    const { id } = listed[0] ?? { id: '' }
    await reject(sys, id, 'We know nobody of this name.')
    expect(await mailedSubject(draft.email)).toBe(sayIn('ja', 'Your registration was rejected'))
    const { text } = await server.mailTo(draft.email)
    expect(text).toContain('> We know nobody of this name.')
  })

  it('does not make a second mail of one that goes out once a day', async () => {
    const sys = await server.signIn('sys_admin')
    const { email } = createDraft()
    await register(server, sys, { email })
    await server.deps.db.deleteFrom('mails').execute()
    for (const language of ['de', 'fr', 'en']) {
      await server.call(registration.add, createDraft({ email }), asking(language))
      await server.mailTo(email)
    }
    await new Promise((later) => setTimeout(later, 100))
    const mails = server.deps.db.selectFrom('mails').select('id').where('recipient', '=', email)
    expect(await mails.execute()).toHaveLength(1)
  })

  it('is that of the administrator for somebody new, and counts with the others against too many', async () => {
    const admin = await server.signIn('admin')
    const { id, email } = await addUser(admin)
    const again = (language: string) => admin.call(businessUser.resetTemporaryPassword, { id }, asking(language))
    const statuses: number[] = []
    for (const language of ['de', 'fr', 'es', 'ja', 'ar']) statuses.push((await again(language)).status)
    expect(statuses).toEqual([200, 200, 200, 200, 429])
    const mails = server.deps.db.selectFrom('mails').select('subject').where('recipient', '=', email)
    const subjects = (await mails.execute()).map(({ subject }) => subject)
    const said = ['en', 'de', 'fr', 'es', 'ja'].map((language) => sayIn(language, 'Your temporary password'))
    expect(subjects.toSorted()).toEqual(said.toSorted())
    expect(new Set(said).size).toBe(5)
  })
})
