import { sql, type Kysely } from 'kysely'

/** Which copy a scan of a transfer is making, so that whoever goes on after a server that died can take it back. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table transfer_scans add column copy_series_uid text collate "C"`.execute(db)
}
