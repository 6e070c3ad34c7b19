import { sql, type Kysely } from 'kysely'

/** Archives that administrators bring into their organization: how far each is, and what became of it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table organization_imports (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations (id),
    user_id uuid not null references users (id),
    created_by text not null,
    created_date timestamptz not null default now(),
    state text not null default 'Uploading',
    reason text,
    ended_by text,
    ended_date timestamptz,
    alive_date timestamptz not null default now(),
    archive_bytes bigint not null,
    bytes_arrived bigint not null default 0,
    tries integer not null default 0,
    sets_done integer not null default 0,
    files_done integer not null default 0,
    result jsonb not null
  )`.execute(db)
  await sql`create index organization_imports_newest
    on organization_imports (organization_id, created_date desc)`.execute(db)
  // One at a time, over all servers.
  await sql`create unique index organization_imports_open
    on organization_imports (organization_id) where state in ('Uploading', 'Waiting', 'Running')`.execute(db)
}
