import { sql, type Kysely } from 'kysely'

/** A transfer leaves some time after it was asked for, so that it can still be stopped. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw(`alter table transfers add column leaves_date timestamptz`).execute(db)
}
