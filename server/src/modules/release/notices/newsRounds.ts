import { readRegistry, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { goRounds } from '../../../core/rounds.ts'
import { sharedDate } from '../../../core/clock.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { addDelivery } from '../../webhook/delivery.repository.ts'
import { newsPayload } from '../../webhook/payload.ts'
import { newsMail } from './news.mails.ts'
import { readSituation, takeNewErrors, type News, type Situation, type SpentBudget } from './news.ts'

type Needed = Pick<Dependencies, 'db' | 'mail' | 'bus' | 'publicUrl' | 'settings'>

const everyMs = 60_000
/** A team hears once an hour at most, and at once when a release of its part was taken back. */
const restMinutes = 60

/** Tells the teams of all parts what is new. Each part by one server; what one of them told no other tells. */
export async function tellNews(deps: Needed, store: ReleaseStore): Promise<void> {
  const parts = await deps.db
    .selectFrom('release_notices')
    .select('part')
    .where('is_on', '=', true)
    .orderBy('part')
    .execute()
  if (parts.length === 0 || (await readRegistry(store)) === undefined) return
  for (const { part } of parts) await tellPart(deps, part, await readSituation(deps, store, part))
}

async function tellPart(deps: Needed, part: string, situation: Situation): Promise<void> {
  const isSent = await deps.db.transaction().execute(async (trx) => {
    const row = await trx
      .selectFrom('release_notices')
      .selectAll()
      .select(
        sql<boolean>`coalesce(told_date > now() - make_interval(mins => ${restMinutes}) and told_date <= now(), false)`.as(
          'isResting',
        ),
      )
      .where('part', '=', part)
      .where('is_on', '=', true)
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (row === undefined) return false
    const takenBack = situation.takenBack.filter(({ version }) => version > row.seen_version)
    if (row.isResting && takenBack.length === 0) return false
    const spent = situation.spent.filter((budget) => !row.told_spent.includes(toKey(budget)))
    const news: News = { takenBack, spent, ...(await takeNewErrors(trx, part)) }
    if (takenBack.length + spent.length + news.errorCount === 0) return false
    await send(deps, trx, part, row.emails, news)
    await trx
      .updateTable('release_notices')
      .set({
        seen_version: Math.max(row.seen_version, situation.version),
        // A release that nobody gets any more is not in it any more, so the list stays short.
        told_spent: [...new Set([...row.told_spent.filter((key) => isGiven(situation, key)), ...spent.map(toKey)])],
        told_date: sql<Date>`now()`,
      })
      .where('part', '=', part)
      .execute()
    return true
  })
  if (!isSent) return
  deps.mail.deliver()
  deps.bus.publish({ kind: 'webhooksDue' })
}

const toKey = ({ what, releaseId }: SpentBudget): string => `${what} ${releaseId}`

const isGiven = ({ given }: Situation, key: string): boolean => given.includes(key.split(' ')[1] ?? '')

async function send(
  { mail, publicUrl }: Needed,
  trx: Transaction<Tables>,
  part: string,
  emails: readonly string[],
  news: News,
): Promise<void> {
  const address = `${publicUrl()}/platform/part/${part}`
  for (const to of emails) await mail.queue(trx, newsMail({ to, part, address }, news))
  const webhook = await trx.selectFrom('webhooks').select('id').where('part', '=', part).executeTakeFirst()
  if (webhook) await addDelivery(trx, webhook.id, 'ReleaseNews', newsPayload(sharedDate(), { part, address, ...news }))
}

/** Looks once a minute. */
export function watchNews(app: FastifyInstance, deps: Dependencies): void {
  const { log, releases } = deps
  goRounds(app, { everyMs, round: () => tellNews(deps, releases), log, failure: 'teams were not told of their parts' })
}
