import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

/** A page names one for its session, and keeps it. */
const mostLabels = 100

/**
 * Binds the label that a client made to the session that names it first; false when it belongs to another session, or
 * when the session has named too many.
 */
export async function bindSessionLabel(db: Db, sessionLabel: string, sessionId: string): Promise<boolean> {
  const label = sessionLabel.toLowerCase()
  await sql`
    insert into session_labels (label, session_id) select ${label}, ${sessionId}::uuid
    where (select count(*) from session_labels where session_id = ${sessionId}::uuid) < ${mostLabels}
    on conflict do nothing`.execute(db)
  const row = await db.selectFrom('session_labels').select('session_id').where('label', '=', label).executeTakeFirst()
  return row?.session_id === sessionId
}

export interface SessionOwner {
  readonly sessionId: string
  readonly userId: string
  readonly organizationId: string
}

/** The owner of the label, while its session counts; also for viewers that are launched without the live channel. */
export async function findSessionByLabel(db: Db, sessionLabel: string): Promise<SessionOwner | undefined> {
  return db
    .selectFrom('session_labels')
    .innerJoin('sessions', 'sessions.id', 'session_labels.session_id')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['sessions.id as sessionId', 'users.id as userId', 'users.organization_id as organizationId'])
    .where('session_labels.label', '=', sessionLabel.toLowerCase())
    .where('sessions.ended_date', 'is', null)
    .where('sessions.expires_date', '>', sql<Date>`now()`)
    .where('users.status', '=', 'Activated')
    .where('organizations.status', '=', 'Activated')
    .executeTakeFirst()
}

/** A person opens no more apps than this at the same moment. */
const maxExchanges = 5

/** Lets one more external app exchange the label for a token, for two minutes. */
export async function allowExchange(db: Db, sessionLabel: string): Promise<void> {
  await sql`
    update session_labels set
      exchanges = case when exchange_until > now() then least(exchanges + 1, ${maxExchanges}::int) else 1 end,
      exchange_until = now() + interval '2 minutes'
    where label = ${sessionLabel.toLowerCase()}`.execute(db)
}

/** Uses one of the exchanges up; false when there is none. */
export async function takeExchange(db: Db, sessionLabel: string): Promise<boolean> {
  const { rows } = await sql`
    update session_labels set exchanges = exchanges - 1
    where label = ${sessionLabel.toLowerCase()} and exchanges > 0 and exchange_until > now() returning 1`.execute(db)
  return rows.length > 0
}
