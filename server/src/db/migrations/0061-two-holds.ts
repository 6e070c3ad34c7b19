import { sql, type Kysely } from 'kysely'

/** A study is held by its organization, by the provider, or by both: neither stands in the other's way. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`drop index legal_holds_in_force`.execute(db)
  await sql`create unique index legal_holds_in_force on legal_holds (organization_id, study_uid, is_by_provider)
    where ended_date is null`.execute(db)
}
