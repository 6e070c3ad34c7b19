import { account, businessUser } from '@dmp/contract'
import { sql } from 'kysely'
import { createTransport } from 'nodemailer'
import { SMTPServer } from 'smtp-server'
import { demoPassword } from '../modules/account/demoAccounts.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { sendMail } from './mail.ts'

interface Received {
  readonly to: readonly string[]
  readonly source: string
}

/** A real SMTP server on a free port; it refuses the first `failures` messages, and takes none before `opening`. */
async function mailServer(
  failures = 0,
  opening: Promise<unknown> = Promise.resolve(),
): Promise<{ url: string; received: Received[]; close(): Promise<void> }> {
  const received: Received[] = []
  let left = failures
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, session, done) => {
      let source = ''
      stream.on('data', (chunk: Buffer) => (source += chunk.toString()))
      stream.on('end', async () => {
        await opening
        if (left > 0) {
          left -= 1
          return done(new Error('try later'))
        }
        received.push({ to: session.envelope.rcptTo.map((one) => one.address), source })
        return done()
      })
    },
  })
  await new Promise<void>((listening) => smtp.listen(0, '127.0.0.1', () => listening()))
  const { port } = smtp.server.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, received, close: () => new Promise((closed) => smtp.close(() => closed())) }
}

const until = async (isDone: () => boolean | Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200 && !(await isDone()); tries += 1) await new Promise((again) => setTimeout(again, 25))
}

describe('mail', () => {
  it('really goes out through SMTP_URL, as text and as HTML [2.45]', async () => {
    const smtp = await mailServer()
    const server = await startServer({ SMTP_URL: smtp.url, DMP_MAIL_FROM: 'DMP <no-reply@clinic.example>' })
    try {
      await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
      await until(() => smtp.received.length > 0)
      const [mail] = smtp.received
      expect(mail?.to).toEqual(['staff@north.example'])
      expect(mail?.source).toMatch(/^From: DMP <no-reply@clinic\.example>/m)
      expect(mail?.source).toMatch(/Content-Type: text\/plain/)
      expect(mail?.source).toMatch(/Content-Type: text\/html/)
    } finally {
      await server.close()
      await smtp.close()
    }
  })

  it('that the mail server refuses is kept and sent later; nobody waits for it', async () => {
    const smtp = await mailServer(1)
    const server = await startServer({ SMTP_URL: smtp.url })
    const waiting = () => server.deps.db.selectFrom('mails').selectAll().executeTakeFirst()
    try {
      expect(
        (await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })).status,
      ).toBe(200)
      const refused = async () =>
        (
          await sql<{
            tries: number
          }>`select retry_count::int as tries from jobs.job where name = 'mail' and state = 'retry'`.execute(
            server.deps.db,
          )
        ).rows
      await until(async () => (await refused()).length > 0)
      expect(await waiting()).toMatchObject({ sent_date: null })
      // What takes a minute otherwise.
      await sql`update jobs.job set start_after = now() where name = 'mail'`.execute(server.deps.db)
      server.deps.mail.deliver()
      await until(() => smtp.received.length > 0)
      await until(async () => (await waiting())?.sent_date !== null)
      expect((await waiting())?.sent_date).toBeInstanceOf(Date)
    } finally {
      await server.close()
      await smtp.close()
    }
  })

  it('that somebody waits for goes before what may wait, however much that is [P05, P18]', async () => {
    let open = (): void => undefined
    const smtp = await mailServer(0, new Promise<void>((opened) => (open = opened)))
    const server = await startServer({ SMTP_URL: smtp.url })
    try {
      const person = await server.signIn('super_admin')
      const termsLink = server.deps.settings.termsLink
      const terms = await person.call(businessUser.sendUpdatedTermsOfUse, { termsLink })
      expect(terms.status).toBe(200)
      const email = 'mfa@north.example'
      await server.call(account.login, { ClientId: 'dmp-web', email, password: demoPassword })
      await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
      const links = () => server.deps.db.selectFrom('mails').select('id').where('subject', '=', 'Change your password')
      await until(async () => (await links().execute()).length > 0)
      open()
      await until(() => smtp.received.length > 10)
      // Two were on their way already.
      const first = smtp.received.slice(0, 4).map(({ source }) => /^Subject: (.*)$/m.exec(source)?.[1])
      expect(first).toEqual(expect.arrayContaining(['Your verification code', 'Change your password']))
    } finally {
      open()
      await server.close()
      await smtp.close()
    }
  })

  it('leaves no code or link behind once it is sent, outside of the demo [P23]', async () => {
    const smtp = await mailServer()
    const server = await startServer()
    const transport = createTransport(smtp.url)
    const { db } = server.deps
    try {
      const { id } = await db
        .insertInto('mails')
        .values({
          recipient: 'a@b.example',
          subject: 's',
          text: 'code 123456',
          html: '<p>123456</p>',
          links: ['https://x.example/1'],
          code: '123456',
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      await sendMail(db, transport, id, false)
      expect(smtp.received[0]?.source).toContain('123456')
      expect(
        await server.deps.db.selectFrom('mails').select(['text', 'html', 'links', 'code']).executeTakeFirst(),
      ).toEqual({ text: '', html: '', links: [], code: null })
    } finally {
      transport.close()
      await server.close()
      await smtp.close()
    }
  })
})

describe('the demo mailbox', () => {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer()
    await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
    await server.mailTo('staff@north.example')
  })
  afterAll(() => server.close())

  it('lists mails of an address, newest first, with links and codes', async () => {
    const { data } = (await server.app.inject({ method: 'GET', url: '/dev/mail.json?to=Staff@North.example' })).json<{
      data: Record<string, unknown>[]
    }>()
    expect(data[0]).toEqual({
      to: 'staff@north.example',
      subject: 'Change your password',
      text: expect.any(String),
      html: expect.any(String),
      links: [expect.stringContaining('/reset-password/')],
      code: null,
      sentAt: expect.stringMatching(/^\d{4}-.*Z$/),
    })
    expect((await server.app.inject({ method: 'GET', url: '/dev/mail.json?to=nobody@x.example' })).json()).toEqual({
      data: [],
    })

    await server.deps.db
      .updateTable('mails')
      .set({ created_date: new Date(Date.now() - 60_000) })
      .execute()
    await server.call(account.forgotPassword, { Email: 'admin@north.example', ClientId: 'dmp-web' })
    await server.mailTo('admin@north.example')
    const all = (await server.app.inject({ method: 'GET', url: '/dev/mail.json' })).json<{ data: { to: string }[] }>()
    expect(all.data.slice(0, 2).map(({ to }) => to)).toEqual(['admin@north.example', 'staff@north.example'])
  })

  it('shows the last two hundred mails', async () => {
    const mail = { recipient: 'many@north.example', subject: 's', text: 't', html: 'h', links: [], code: null }
    await server.deps.db
      .insertInto('mails')
      .values(Array.from({ length: 201 }, () => mail))
      .execute()
    expect(
      (await server.app.inject({ method: 'GET', url: '/dev/mail.json?to=many@north.example' })).json<{
        data: unknown[]
      }>().data,
    ).toHaveLength(200)
    await server.deps.db.deleteFrom('mails').where('recipient', '=', 'many@north.example').execute()
  })

  it('is a page that runs no script [P14, P30]', async () => {
    const page = await server.app.inject({ method: 'GET', url: '/dev/mail' })
    expect(page.headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'nonce-/)
    expect(page.body).toContain('Change your password')
    expect(page.body).not.toContain('<script')
  })
})
