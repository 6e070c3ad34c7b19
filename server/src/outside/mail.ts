import { createTransport } from 'nodemailer'
import type { FastifyBaseLogger } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/client.ts'
import type { Tables } from '../db/tables.ts'
import type { Settings } from '../settings.ts'

export interface Mail {
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** Addresses in the text, for the demo mailbox. */
  readonly links?: readonly string[]
  /** Code or temporary password in the text, for the demo mailbox. */
  readonly code?: string
}

export interface Mailer {
  /** Puts a mail into the transaction: it goes out exactly when that commits. Call `deliver` afterwards. */
  queue(trx: Transaction<Tables>, mail: Mail): Promise<void>
  /** Hands over what waits, without making anybody wait for the mail server. */
  deliver(): void
  close(): Promise<void>
}

const retryMinutes = [1, 2, 5, 15, 60]
const roundMs = 15_000

/** With SMTP_URL mails really go out; in demo mode without it the mailbox at /dev/mail is where they arrive. */
export function mailerOf(db: Db, settings: Settings, log: FastifyBaseLogger): Mailer {
  const transport = settings.smtpUrl === undefined ? undefined : createTransport(settings.smtpUrl, { from: settings.mailFrom })
  let running: Promise<void> | undefined
  let isAgain = false

  const deliver = (): void => {
    if (running) {
      isAgain = true
      return
    }
    running = deliverAll()
      .catch((error: unknown) => log.error({ reason: error instanceof Error ? error.message : 'unknown' }, 'mails could not be handed over'))
      .finally(() => {
        running = undefined
        if (!isAgain) return
        isAgain = false
        deliver()
      })
  }

  const deliverAll = async (): Promise<void> => {
    for (;;) {
      const wasOne = await db.transaction().execute((trx) => deliverOne(trx))
      if (!wasOne) return
    }
  }

  /** Holds the row while the mail server is asked, so that two servers never send one mail. */
  const deliverOne = async (trx: Transaction<Tables>): Promise<boolean> => {
    const mail = await trx.selectFrom('mails').selectAll().where('sent_date', 'is', null).where('next_try_date', '<=', sql<Date>`now()`).orderBy('created_date').limit(1).forUpdate().skipLocked().executeTakeFirst()
    if (!mail) return false
    try {
      await transport?.sendMail({ to: mail.recipient, subject: mail.subject, text: mail.text, html: mail.html })
      // The demo mailbox shows what was sent; otherwise codes and links are not kept.
      const kept = settings.isDemo ? {} : { text: '', html: '', links: sql<string[]>`'{}'`, code: null }
      await trx.updateTable('mails').set({ sent_date: sql<Date>`now()`, ...kept }).where('id', '=', mail.id).execute()
    } catch (error) {
      const pause = retryMinutes[Math.min(mail.tries, retryMinutes.length - 1)] ?? 60
      log.warn({ mail: mail.id, reason: error instanceof Error ? error.name : 'unknown', tries: mail.tries + 1 }, 'a mail was not accepted and will be tried again')
      await trx.updateTable('mails').set({ tries: mail.tries + 1, next_try_date: sql<Date>`now() + make_interval(mins => ${pause})` }).where('id', '=', mail.id).execute()
    }
    return true
  }

  // Retries, and what a server that was stopped left behind.
  const rounds = transport ? setInterval(deliver, roundMs) : undefined
  rounds?.unref()

  return {
    queue: async (trx, { to, subject, text, html, links = [], code }) => {
      await trx.insertInto('mails').values({ recipient: to, subject, text, html, links: [...links], code: code ?? null }).execute()
    },
    deliver,
    close: async () => {
      clearInterval(rounds)
      await running
      transport?.close()
    },
  }
}
