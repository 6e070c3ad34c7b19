import { sql, type Kysely } from 'kysely'

/**
 * Mails go out in the language and by the clock of their reader, and those of one kind are counted whatever language
 * they are in.
 */
const statements = [
  `alter table users add column language text, add column time_zone text`,
  `alter table registrations add column language text`,
  `alter table mails add column about text`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
