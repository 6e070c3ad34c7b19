import { sql, type Kysely } from 'kysely'

/** A download address ends when all bytes were sent once; until then a broken download goes on. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table scan_downloads add column ended_date timestamptz`.execute(db)
}
