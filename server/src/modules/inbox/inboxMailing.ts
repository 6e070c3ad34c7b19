import { limits } from '@dmp/contract'
import { inboxKindNames, inboxKinds } from '@dmp/contract/inbox'
import { toPolicy } from '@dmp/contract/policy'
import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../db/tables/index.ts'
import { goRounds, reasonOf } from '../../core/rounds.ts'
import type { Dependencies } from '../../dependencies.ts'
import { lastHour } from '../../core/timeZones.ts'
import { fullName } from '../../identity/user.ts'
import { inboxMail } from './inbox.mails.ts'
import { readFacts } from './inbox.repository.ts'
import { toBursts } from './toEntries.ts'

const everyMs = 60_000
/** Whoever is told at once gets what follows within this time together. */
const pauseMs = 15 * 60_000
/** A transaction that has written a fact may not have ended yet. */
const settledMs = 5000
const dailyHour = 7
/** A fact waits for the pause of its reader, and for the turn of those who come first. */
const lookBackMs = 60 * 60_000
/** The first round of a server: none may have run for long. */
const longLookBackMs = limits.inboxDays * 86_400_000
/** Of one round; the others' turn comes in the next. */
const mostPeople = 500
/** The others have mails of their own. */
const mailedKinds = inboxKindNames.filter((kind) => inboxKinds[kind].offers.includes('Daily'))

type Sender = Pick<Dependencies, 'db' | 'mail' | 'publicUrl' | 'log'>

/**
 * Sends what people want to be told by mail. Every server looks once a minute; the first to lock a person's rows sends.
 */
export function sendInboxMails(app: FastifyInstance, deps: Dependencies): void {
  let lookBack = longLookBackMs
  const round = async (): Promise<void> => {
    await sendDueMails(deps, new Date(), lookBack)
    lookBack = lookBackMs
  }
  goRounds(app, { everyMs, round, log: deps.log, failure: 'mails of inboxes were not sent' })
}

/** Up to when facts are told by now. */
const untilOf = (now: Date): Date => new Date(now.getTime() - settledMs)

/** The last seven o'clock where a person is, up to which facts are told by now. */
const lastDaily = (now: Date, timeZone: string | null): Date => lastHour(untilOf(now), dailyHour, timeZone ?? undefined)

/** Whose day has begun anew since they were told, by their own clock. */
async function listDaily(deps: Sender, now: Date): Promise<{ zones: (string | null)[]; dates: Date[] }> {
  const rows = await deps.db
    .selectFrom('users')
    .select('time_zone')
    .distinct()
    .where('id', 'in', (from) => from.selectFrom('inbox_choices').select('user_id').where('choice', '=', 'Daily'))
    .execute()
  const zones = rows.map(({ time_zone }) => time_zone)
  return { zones, dates: zones.map((zone) => lastDaily(now, zone)) }
}

/**
 * A round asks what is new, and then whom it is for: people cost nothing while nothing happens to them. Whoever was
 * told longest ago comes first.
 */
export async function sendDueMails(deps: Sender, now: Date, lookBackMs = longLookBackMs): Promise<void> {
  const { zones, dates } = await listDaily(deps, now)
  const { rows } = await sql<{ user_id: string }>`
    select user_id from (select c.user_id, c.told_date from inbox_choices c join users u on u.id = c.user_id
      join unnest(${zones}::text[], ${dates.map((date) => date.toISOString())}::timestamptz[]) as daily (zone, date)
        on daily.zone is not distinct from u.time_zone
      where c.choice = 'Daily' and c.told_date < daily.date and c.kind = any(${mailedKinds}::text[])
    union all
    select c.user_id, c.told_date from (
      select kind, user_id, organization_id, max(created_date) as newest_date from inbox_facts
        where created_date > ${new Date(now.getTime() - lookBackMs)}::timestamptz and kind = any(${mailedKinds}::text[])
        group by kind, user_id, organization_id) f
      join inbox_choices c on c.kind = f.kind and c.choice = 'AtOnce' and c.told_date < f.newest_date
        and (c.mailed_date is null or c.mailed_date <= ${new Date(now.getTime() - pauseMs)}::timestamptz)
      join users u on u.id = c.user_id and (f.user_id = u.id
        or (f.user_id is null and (f.organization_id is null or f.organization_id = u.organization_id)))
    ) due group by user_id order by min(told_date), user_id limit ${mostPeople}`.execute(deps.db)
  for (const { user_id: userId } of rows)
    await deps.db
      .transaction()
      .execute((trx) => sendTo(deps, trx, userId, now))
      // The others are told all the same.
      .catch((error: unknown) => deps.log.warn({ reason: reasonOf(error) }, 'the mail of an inbox was not sent'))
  if (rows.length > 0) deps.mail.deliver()
}

/** One mail of all kinds that are due; marks and mail are written together, so that a second round sends nothing. */
async function sendTo({ mail, publicUrl }: Sender, trx: Transaction<Tables>, userId: string, now: Date): Promise<void> {
  const choices = await trx
    .selectFrom('inbox_choices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('choice', 'in', ['AtOnce', 'Daily'])
    .where('kind', 'in', mailedKinds)
    .orderBy('kind')
    .forUpdate()
    .skipLocked()
    .execute()
  const person = await findPerson(trx, userId)
  const [daily, soon] = [lastDaily(now, person?.timeZone ?? null), new Date(now.getTime() - pauseMs)]
  const due = choices.filter(({ choice, told_date, mailed_date }) =>
    choice === 'Daily' ? told_date < daily : mailed_date === null || mailed_date <= soon,
  )
  if (due.length === 0) return
  const until = untilOf(now)
  const toldDates = new Map(due.map(({ kind, told_date }) => [kind, told_date]))
  const facts = (person ? await readFacts(trx, person.reader) : []).filter(
    ({ kind, read_date, created_date }) =>
      read_date === null && created_date <= until && created_date > (toldDates.get(kind) ?? until),
  )
  if (person && facts.length > 0) await mail.queue(trx, inboxMail(person, toBursts(facts), publicUrl()))
  const kinds = due.map(({ kind }) => kind)
  const told = trx.updateTable('inbox_choices').where('user_id', '=', userId)
  await told.set({ told_date: until }).where('kind', 'in', kinds).where('told_date', '<', until).execute()
  if (facts.length > 0) await told.set({ mailed_date: now }).where('kind', 'in', kinds).execute()
}

/** Only people who could sign in and look. */
async function findPerson(trx: Transaction<Tables>, userId: string) {
  const user = await trx
    .selectFrom('users')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['email', 'civility', 'first_name', 'last_name', 'role', 'organization_id', 'time_zone'])
    .where('users.id', '=', userId)
    .where('users.status', '=', 'Activated')
    .where('users.role', '!=', 'service_user')
    .where('organizations.status', '=', 'Activated')
    .executeTakeFirst()
  if (!user) return undefined
  const { email, role, organization_id: organizationId, time_zone: timeZone } = user
  const isInternal = role === 'super_admin' || role === 'sys_admin'
  return {
    email,
    fullName: fullName(user),
    timeZone,
    reader: { userId, organizationId, policy: toPolicy(role), isInternal },
  }
}
