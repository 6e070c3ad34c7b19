import { sql, type Kysely } from 'kysely'

/** A series says which machine sent it, also once its API token is gone. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table series add column sender text`.execute(db)
}
