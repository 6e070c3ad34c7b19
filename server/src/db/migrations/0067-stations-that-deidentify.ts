import { sql, type Kysely } from 'kysely'

/** Whether an uploader sends de-identified copies alone. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table stations add column is_deidentifying boolean not null default false`.execute(db)
}
