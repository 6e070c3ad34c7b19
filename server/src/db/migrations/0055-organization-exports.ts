import { sql, type Kysely } from 'kysely'

/**
 * Exports of organizations that their administrators ask for: how far each is, the layout of its archive part by part,
 * and of its bytes those alone that lie nowhere else (lists, directories, records).
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table organization_exports (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations (id),
    user_id uuid not null references users (id),
    created_by text not null,
    created_date timestamptz not null default now(),
    state text not null default 'Waiting',
    reason text,
    ended_by text,
    objects integer not null default 0,
    objects_done integer not null default 0,
    archive_bytes bigint,
    ready_date timestamptz,
    expires_date timestamptz
  )`.execute(db)
  await sql`create index organization_exports_newest
    on organization_exports (organization_id, created_date desc)`.execute(db)
  // One at a time, over all servers; the archive that is ready gives way to the next.
  await sql`create unique index organization_exports_open
    on organization_exports (organization_id) where state in ('Waiting', 'Running')`.execute(db)
  await sql`create table organization_export_parts (
    export_id uuid not null references organization_exports (id) on delete cascade,
    position integer not null,
    start bigint not null,
    bytes bigint not null,
    directory_bytes bigint not null,
    files integer not null,
    objects integer not null,
    last_date text,
    last_series_uid text,
    sums_sha256 text,
    primary key (export_id, position)
  )`.execute(db)
  await sql`create table organization_export_pieces (
    export_id uuid not null references organization_exports (id) on delete cascade,
    position integer not null,
    piece integer not null,
    content bytea not null,
    key_id uuid,
    primary key (export_id, position, piece)
  )`.execute(db)
  await sql`create table organization_export_addresses (
    token_hash text primary key,
    export_id uuid not null references organization_exports (id) on delete cascade,
    user_id uuid not null references users (id),
    session_id uuid not null,
    expires_date timestamptz not null,
    uses integer not null default 0
  )`.execute(db)
}
