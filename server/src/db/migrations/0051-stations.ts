import { sql, type Kysely } from 'kysely'

/** How each machine with an uploader is, as it tells itself. Whoever tells, tells of its own machines alone. */
const statements = [
  `create table stations (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    -- An API token or a person.
    account_id uuid not null,
    machine_id uuid not null,
    name text not null,
    version text not null,
    system text not null,
    waiting int not null,
    waiting_bytes bigint not null,
    sent int not null,
    refused int not null,
    failed int not null,
    is_paused boolean not null,
    address text not null,
    first_seen_date timestamptz not null default now(),
    last_seen_date timestamptz not null default now(),
    unique (account_id, machine_id))`,
  `create index stations_organization on stations (organization_id, last_seen_date)`,
  `create index stations_seen on stations (last_seen_date)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
