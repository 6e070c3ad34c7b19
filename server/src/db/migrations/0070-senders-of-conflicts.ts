import { sql, type Kysely } from 'kysely'

/** A conflict says which machine sent what arrived, also once its API token is gone; older ones name its owner. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table scan_conflicts add column sender text`.execute(db)
}
