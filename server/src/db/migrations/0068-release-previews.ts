import { sql, type Kysely } from 'kysely'

/** API tokens name the people who may open the previews that they make. Tokens of servers before name nobody. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql.raw(`alter table api_tokens add column previewers text[] not null default '{}'`).execute(db)
}
