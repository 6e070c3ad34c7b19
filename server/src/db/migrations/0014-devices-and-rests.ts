import { sql, type Kysely } from 'kysely'

/**
 * The device that a challenge was opened from, where it had signed in to the account before; and how often a download
 * that broke was continued. Servers of the version before leave the first empty, as it is for devices that nobody
 * knows, and do not count.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table challenges add column device_hash text`.execute(db)
  await sql`alter table scan_downloads add column rests int not null default 0`.execute(db)
}
