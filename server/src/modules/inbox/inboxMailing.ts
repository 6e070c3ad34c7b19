import { inboxKindNames, inboxKinds } from '@dmp/contract/inbox'
import { toPolicy } from '@dmp/contract/policy'
import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../db/tables/index.ts'
import type { Dependencies } from '../../dependencies.ts'
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
/** Of one round; the others' turn comes in the next. */
const mostPeople = 500

type Sender = Pick<Dependencies, 'db' | 'mail' | 'publicUrl'>

/**
 * Sends what people want to be told by mail. Every server looks once a minute; the first to lock a person's rows sends.
 */
export function sendInboxMails(app: FastifyInstance, deps: Dependencies): void {
  let running: Promise<void> | undefined
  const timer = setInterval(() => {
    running ??= sendDueMails(deps, new Date())
      .catch((error: unknown) =>
        deps.log.warn({ reason: error instanceof Error ? error.message : 'unknown' }, 'mails of inboxes were not sent'),
      )
      .finally(() => (running = undefined))
  }, everyMs)
  timer.unref()
  app.addHook('preClose', async () => {
    clearInterval(timer)
    await running
  })
}

/** Up to when facts are told by now. */
const untilOf = (now: Date): Date => new Date(now.getTime() - settledMs)

/** The last seven o'clock, where the server is, up to which facts are told by now. */
function lastDaily(now: Date): Date {
  const until = untilOf(now)
  const today = new Date(until)
  today.setHours(dailyHour, 0, 0, 0)
  return today <= until ? today : new Date(today.setDate(today.getDate() - 1))
}

export async function sendDueMails(deps: Sender, now: Date): Promise<void> {
  await addDefaults(deps)
  const { rows } = await sql<{ user_id: string }>`
    select distinct c.user_id from inbox_choices c join users u on u.id = c.user_id
    where (c.choice = 'Daily' and c.told_date < ${lastDaily(now)}::timestamptz)
      or (c.choice = 'AtOnce'
        and (c.mailed_date is null or c.mailed_date <= ${new Date(now.getTime() - pauseMs)}::timestamptz)
        and exists (select 1 from inbox_facts f where f.kind = c.kind and f.created_date > c.told_date
          and (f.user_id = c.user_id or (f.user_id is null
            and (f.organization_id = u.organization_id or f.organization_id is null)))))
    order by c.user_id limit ${mostPeople}`.execute(deps.db)
  for (const { user_id: userId } of rows) await deps.db.transaction().execute((trx) => sendTo(deps, trx, userId, now))
  if (rows.length > 0) deps.mail.deliver()
}

/** Kinds that are mailed to people who chose nothing: from then on they stand among the choices of those concerned. */
async function addDefaults({ db }: Sender): Promise<void> {
  const kinds = inboxKindNames.filter((kind) => inboxKinds[kind].otherwise === 'AtOnce')
  await sql`
    insert into inbox_choices (user_id, kind, choice, told_date)
      select f.user_id, f.kind, 'AtOnce', min(f.created_date) - interval '1 second' from inbox_facts f
      where f.user_id is not null and f.kind = any(${kinds}::text[]) and f.created_date > now() - interval '1 day'
        and not exists (select 1 from inbox_choices c where c.user_id = f.user_id and c.kind = f.kind)
      group by f.user_id, f.kind
    on conflict do nothing`.execute(db)
}

/** One mail of all kinds that are due; marks and mail are written together, so that a second round sends nothing. */
async function sendTo({ mail, publicUrl }: Sender, trx: Transaction<Tables>, userId: string, now: Date): Promise<void> {
  const choices = await trx
    .selectFrom('inbox_choices')
    .selectAll()
    .where('user_id', '=', userId)
    .where('choice', 'in', ['AtOnce', 'Daily'])
    .orderBy('kind')
    .forUpdate()
    .skipLocked()
    .execute()
  const [daily, soon] = [lastDaily(now), new Date(now.getTime() - pauseMs)]
  const due = choices.filter(({ choice, told_date, mailed_date }) =>
    choice === 'Daily' ? told_date < daily : mailed_date === null || mailed_date <= soon,
  )
  if (due.length === 0) return
  const until = untilOf(now)
  const toldDates = new Map(due.map(({ kind, told_date }) => [kind, told_date]))
  const person = await findPerson(trx, userId)
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
    .select(['email', 'civility', 'first_name', 'last_name', 'role', 'organization_id'])
    .where('users.id', '=', userId)
    .where('users.status', '=', 'Activated')
    .where('users.role', '!=', 'service_user')
    .where('organizations.status', '=', 'Activated')
    .executeTakeFirst()
  if (!user) return undefined
  const { email, role, organization_id: organizationId } = user
  const isInternal = role === 'super_admin' || role === 'sys_admin'
  return { email, fullName: fullName(user), reader: { userId, organizationId, policy: toPolicy(role), isInternal } }
}
