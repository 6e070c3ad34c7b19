import { createTransport, type Transporter } from 'nodemailer'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/client.ts'
import type { Jobs } from '../db/jobs.ts'
import type { Tables } from '../db/tables/index.ts'
import type { Settings } from '../settings/settings.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Addresses in the text, for the demo mailbox. */
  readonly links?: readonly string[]
  /** Code or temporary password in the text, for the demo mailbox. */
  readonly code?: string
  /** Its reader waits for it at a screen: it goes before those that may wait, however many those are. */
  readonly isAwaited?: boolean
}

export interface Mailer {
  /** Puts a mail into the transaction: it goes out exactly when that commits. Call `deliver` afterwards. */
  queue(trx: Transaction<Tables>, mail: Mail): Promise<void>
  /** Hands over what waits, without making anybody wait for the mail server. */
  deliver(): void
  /** Hands one mail over at once, past those that wait; throws what the mail server, or the way to it, answered. */
  test(mail: Mail): Promise<void>
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
    queue: async (trx, { to, subject, text, html, links = [], code, isAwaited = false }) => {
      const { id } = await trx
        .insertInto('mails')
        .values({ recipient: to, subject, text, html, links: [...links], code: code ?? null })
        .returning('id')
        .executeTakeFirstOrThrow()
      await jobs.add(trx, 'mail', [{ id, isAwaited }])
    },
    deliver: () => jobs.wake('mail'),
    test: async ({ to, subject, text, html }) => {
      if (transport) return inTime(transport.sendMail({ to, subject, text, html }))
      const sent = { recipient: to, subject, text, html, links: [], sent_date: sql<Date>`now()` }
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
  await transport?.sendMail({ to: mail.recipient, subject: mail.subject, text: mail.text, html: mail.html })
  const cleared = keepsText ? {} : { text: '', html: '', links: sql<string[]>`'{}'`, code: null }
  await db
    .updateTable('mails')
    .set({ sent_date: sql<Date>`now()`, ...cleared })
    .where('id', '=', id)
    .execute()
}
