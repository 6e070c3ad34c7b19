import { sql, type Kysely } from 'kysely'

/** What was done to a person, without reading the whole audit. Most rows are about scans and stay out of it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql
    .raw(
      `create index audit_affected on audit ((subject ->> 'userId'), at desc) where subject ->> 'userId' is not null`,
    )
    .execute(db)
}
