import { sql, type Kysely } from 'kysely'

/**
 * Logos of organizations, beside their rows, which are read with every call. A mail says whose it bears, and brings it
 * when it is sent.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table organization_logos (
    organization_id uuid primary key references organizations (id) on delete cascade,
    content bytea not null,
    width integer not null,
    height integer not null,
    updated_date timestamptz not null default now()
  )`.execute(db)
  await sql`alter table mails add column logo_of uuid`.execute(db)
}
