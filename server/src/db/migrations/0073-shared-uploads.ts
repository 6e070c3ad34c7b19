import { sql, type Kysely } from 'kysely'

/**
 * Resumable uploads that go on at any server: how far each is, what has arrived of it as objects of the store, and who
 * writes to it until when.
 */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table uploads (
    id text primary key,
    organization_id uuid not null references organizations (id),
    user_id text not null,
    promised_bytes bigint not null,
    size bigint,
    arrived bigint not null default 0,
    is_begun boolean not null default false,
    outcome text,
    created_date timestamptz not null default now(),
    finished_date timestamptz,
    holder uuid,
    held_until timestamptz,
    is_wanted boolean not null default false
  )`.execute(db)
  await sql`create index uploads_of_organization on uploads (organization_id, user_id)`.execute(db)
  await sql`create index uploads_oldest on uploads (created_date)`.execute(db)
  await sql`create table upload_pieces (
    upload_id text not null references uploads (id) on delete cascade,
    start bigint not null,
    bytes bigint not null,
    object_key text not null unique,
    primary key (upload_id, start)
  )`.execute(db)
}
