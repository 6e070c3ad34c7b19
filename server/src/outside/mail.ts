import { createTransport, type Transporter } from 'nodemailer'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/client.ts'
import type { Jobs } from '../db/jobs.ts'
import type { Tables } from '../db/tables/index.ts'
import type { Settings } from '../settings/settings.ts'
import { withLogo, writeLetter, type Letter, type MailLogo } from './letter.ts'

export interface Mailer {
  /**
   * Puts a mail into the transaction: it goes out exactly when that commits, in the language in which its reader was
   * here last. Call `deliver` afterwards.
   */
  queue(trx: Transaction<Tables>, letter: Letter): Promise<void>
  /** Hands over what waits, without making anybody wait for the mail server. */
  deliver(): void
  /** Hands one mail over at once, past those that wait; throws what the mail server, or the way to it, answered. */
  test(letter: Letter): Promise<void>
  /** Hands mails over from now on, on this server too. */
  work(): Promise<void>
  close(): void
}

const testMs = 20_000

/** Somebody waits at a screen; a server that says nothing is one that cannot be reached. */
async function inTime(sending: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(Object.assign(new Error('No answer in time.'), { code: 'ETIMEDOUT' })), testMs)
  })
  // It may still fail after nobody waits for it any more.
  sending.catch(() => undefined)
  await Promise.race([sending, late]).finally(() => clearTimeout(timer))
}

/** A mail server is slow, and has other customers. */
const atOnce = 2

/** With SMTP_URL mails really go out; in demo mode without it the mailbox at /dev/mail is where they arrive. */
export function createMailer(db: Db, jobs: Jobs, settings: Settings, log: FastifyBaseLogger): Mailer {
  const transport =
    settings.smtpUrl === undefined ? undefined : createTransport(settings.smtpUrl, { from: settings.mailFrom })

  return {
    queue: async (trx, letter) => {
      const { to, subject: about, link, code, isAwaited = false } = letter
      const reader = await findReader(trx, letter)
      const { subject, text, html } = writeLetter(letter, reader.language)
      const links = link ? [link.address] : []
      const { id } = await trx
        .insertInto('mails')
        .values({ recipient: to, subject, about, text, html, links, code: code ?? null, logo_of: reader.logoOf })
        .returning('id')
        .executeTakeFirstOrThrow()
      await jobs.add(trx, 'mail', [{ id, isAwaited }])
    },
    deliver: () => jobs.wake('mail'),
    test: async (letter) => {
      const { to } = letter
      const { subject, text, html } = writeLetter(letter, letter.language)
      if (transport) return inTime(transport.sendMail({ to, subject, text, ...withLogo(html, undefined) }))
      const sent = { recipient: to, subject, about: letter.subject, text, html, links: [], sent_date: sql<Date>`now()` }
      await db.insertInto('mails').values(sent).execute()
    },
    work: async () => {
      // Those of a version before jobs, and nothing otherwise: a job of the same id is there already.
      const unsentMails = await db.selectFrom('mails').select('id').where('sent_date', 'is', null).execute()
      await db.transaction().execute((trx) => jobs.add(trx, 'mail', unsentMails))
      await jobs.work('mail', atOnce, async ({ id }) => {
        try {
          await sendMail(db, transport, id, settings.isDemo)
        } catch (error) {
          log.warn(
            { mail: id, reason: error instanceof Error ? error.name : 'unknown' },
            'a mail was not accepted and will be tried again',
          )
          throw new Error('The mail server did not accept it.')
        }
      })
    },
    close: () => transport?.close(),
  }
}

interface Reader {
  /** The one in which the reader signed in last; a person without an account reads that of who makes us write. */
  readonly language: string | undefined
  readonly logoOf: string | null
}

async function findReader(trx: Transaction<Tables>, { to, language, logoOf }: Letter): Promise<Reader> {
  const reader = await trx
    .selectFrom('users')
    .select(['language', 'organization_id'])
    .where(sql<string>`lower(email)`, '=', sql<string>`lower(${to}::text)`)
    .executeTakeFirst()
  return { language: reader?.language ?? language, logoOf: logoOf ?? reader?.organization_id ?? null }
}

/** As it is now: a mail that waited bears no logo that was taken away. */
async function findMailLogo(db: Db, organizationId: string | null): Promise<MailLogo | undefined> {
  if (organizationId === null) return undefined
  const logo = await db
    .selectFrom('organization_logos as logo')
    .innerJoin('organizations', 'organizations.id', 'logo.organization_id')
    .select(['organizations.name', 'logo.content', 'logo.width', 'logo.height'])
    .where('logo.organization_id', '=', organizationId)
    .executeTakeFirst()
  // Drivers differ in the kind of bytes that they return.
  return logo && { ...logo, content: Buffer.from(logo.content) }
}

/**
 * Asks the mail server to take one mail; a mail that was taken keeps no code and no link, unless a demo mailbox shows
 * it.
 */
export async function sendMail(
  db: Db,
  transport: Pick<Transporter, 'sendMail'> | undefined,
  id: string,
  keepsText: boolean,
): Promise<void> {
  const mail = await db
    .selectFrom('mails')
    .selectAll()
    .where('id', '=', id)
    .where('sent_date', 'is', null)
    .executeTakeFirst()
  if (!mail) return
  if (transport) {
    const { html, attachments } = withLogo(mail.html, await findMailLogo(db, mail.logo_of))
    await transport.sendMail({ to: mail.recipient, subject: mail.subject, text: mail.text, html, attachments })
  }
  const cleared = keepsText ? {} : { text: '', html: '', links: sql<string[]>`'{}'`, code: null }
  await db
    .updateTable('mails')
    .set({ sent_date: sql<Date>`now()`, ...cleared })
    .where('id', '=', id)
    .execute()
}
