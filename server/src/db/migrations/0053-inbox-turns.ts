import { sql, type Kysely } from 'kysely'

/** Whose customer's a fact for the provider's staff is, so that none of them pushes out another's. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`alter table inbox_facts add column about_organization_id uuid`.execute(db)
}
