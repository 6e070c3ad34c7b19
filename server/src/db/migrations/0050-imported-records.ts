import { sql, type Kysely } from 'kysely'

/** What an organization brought along from elsewhere: kept as it was written there, never part of what happens here. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table imported_records (
    organization_id uuid not null references organizations,
    kind text collate "C" not null,
    source_id text collate "C" not null,
    content jsonb not null,
    imported_date timestamptz not null default now(),
    primary key (organization_id, kind, source_id))`.execute(db)
}
