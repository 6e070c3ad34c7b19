import { sql } from 'kysely'
import type { Db } from '../db/client.ts'

/** Binds the client's session id to the session that names it first; false when it belongs to another one. */
export async function bindSessionLabel(db: Db, sessionId: string, family: string): Promise<boolean> {
  const id = sessionId.toLowerCase()
  await db
    .insertInto('live_sessions')
    .values({ session_id: id, family_id: family })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const row = await db.selectFrom('live_sessions').select('family_id').where('session_id', '=', id).executeTakeFirst()
  return row?.family_id === family
}

export interface SessionOwner {
  readonly family: string
  readonly userId: string
  readonly organizationId: string
}

/**
 * Whose the session id is, while that session counts. Also for the launch of viewers that come without the live
 * channel.
 */
export async function findSessionByLabel(db: Db, sessionId: string): Promise<SessionOwner | undefined> {
  return db
    .selectFrom('live_sessions')
    .innerJoin('families', 'families.id', 'live_sessions.family_id')
    .innerJoin('users', 'users.id', 'families.user_id')
    .innerJoin('organizations', 'organizations.id', 'users.organization_id')
    .select(['families.id as family', 'users.id as userId', 'users.organization_id as organizationId'])
    .where('session_id', '=', sessionId.toLowerCase())
    .where('families.ended_date', 'is', null)
    .where('families.expires_date', '>', sql<Date>`now()`)
    .where('users.status', '=', 'Activated')
    .where('organizations.status', '=', 'Activated')
    .executeTakeFirst()
}

/** Apps that are opened at the same moment; more at once is no person. */
const mostLaunches = 5

/** One more external app may exchange the session id, for two minutes. */
export async function allowExchange(db: Db, sessionId: string): Promise<void> {
  await sql`
    update live_sessions set exchanges = case when exchange_until > now() then least(exchanges + 1,
    ${mostLaunches}::int) else 1 end, exchange_until = now() + interval '2 minutes'
    where session_id = ${sessionId.toLowerCase()}`.execute(db)
}

/** Uses one of the exchanges up; false when there is none. */
export async function takeExchange(db: Db, sessionId: string): Promise<boolean> {
  const taken =
    await sql`update live_sessions set exchanges = exchanges - 1 where session_id = ${sessionId.toLowerCase()} and exchanges > 0 and exchange_until > now() returning 1`.execute(
      db,
    )
  return taken.rows.length > 0
}
