import { sql, type Kysely } from 'kysely'

/** What the page announces for external apps: how many may still exchange the session id, and until when. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table live_sessions add column exchanges int not null default 0, add column exchange_until timestamptz`.execute(
    db,
  )
}
