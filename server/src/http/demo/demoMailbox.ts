import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Dependencies } from '../../dependencies.ts'
import { escapeHtml } from '../../core/escapeHtml.ts'
import { sendPage } from '../../core/htmlPage.ts'
import { forEverybody } from '../../core/access.ts'

const maxMails = 200

/** The demo mailbox: what would have been, or was, sent. Exists in demo mode only. */
export function registerDemoMailbox(app: FastifyInstance, { db, settings }: Dependencies): void {
  if (!settings.isDemo) throw new Error('The demo mailbox belongs to demo mode.')
  const options = { config: { limit: 'demo', access: forEverybody } } as const

  const list = async (to: string | undefined) => {
    let mails = db.selectFrom('mails').selectAll().orderBy('created_date', 'desc').orderBy('id').limit(maxMails)
    if (to) mails = mails.where(sql<string>`lower(recipient)`, '=', to.toLowerCase())
    return (await mails.execute()).map((mail) => ({
      to: mail.recipient,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      links: mail.links,
      code: mail.code,
      sentAt: (mail.sent_date ?? mail.created_date).toISOString(),
    }))
  }

  app.get<{ Querystring: { to?: string } }>('/dev/mail.json', options, async ({ query }, reply) => {
    void reply.header('cache-control', 'no-store')
    return { data: await list(typeof query.to === 'string' ? query.to : undefined) }
  })

  app.get<{ Querystring: { to?: string } }>('/dev/mail', options, async ({ query }, reply) => {
    const mails = await list(typeof query.to === 'string' ? query.to : undefined)
    const body = mails.map(
      ({ to, subject, text, links, sentAt }) =>
        `<article><h2>${escapeHtml(subject)}</h2><p class="quiet">To <a href="/dev/mail?to=${encodeURIComponent(to)}">${escapeHtml(to)}</a>, ${escapeHtml(sentAt)}</p><pre>${escapeHtml(text)}</pre>${links.map((link) => `<p><a href="${escapeHtml(link)}">${escapeHtml(link)}</a></p>`).join('')}</article>`,
    )
    return sendPage(
      reply,
      'Demo mailbox',
      `<p class="quiet">Mails of this demo, newest first. With SMTP_URL set they are really sent as well. As JSON: <a href="/dev/mail.json">/dev/mail.json</a></p>${body.join('') || '<p>No mail yet.</p>'}`,
    )
  })
}
