import { sql, type Kysely } from 'kysely'

/**
 * The session for which a download address was made, and with which it ends. Servers of the version before leave it
 * empty; so it is for the visitors of share links.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table scan_downloads add column session_id uuid`.execute(db)
}
