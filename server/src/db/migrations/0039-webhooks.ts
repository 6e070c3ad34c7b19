import { sql, type Kysely } from 'kysely'

/**
 * Addresses that are told of changes, and each message to them. `cursor` is where a webhook stands in the feed of its
 * organization, so that a webhook needs no row for a change that waits. Servers of the version before send nothing.
 */
const statements = [
  `create table webhooks (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    owner_id uuid not null references users,
    name text not null,
    url text not null,
    kinds text[] not null,
    salt text not null,
    secret_check text not null,
    previous_salt text,
    previous_until timestamptz,
    cursor bigint not null,
    created_date timestamptz not null default now(),
    paused_date timestamptz,
    paused_reason text,
    failing_since timestamptz,
    failures int not null default 0,
    rest_until timestamptz,
    sender text,
    sender_until timestamptz,
    turn_date timestamptz not null default now(),
    delivered_date timestamptz)`,
  `create unique index webhooks_name on webhooks (organization_id, lower(name))`,
  `create index webhooks_organization on webhooks (organization_id, created_date desc)`,
  `create index webhooks_owner on webhooks (owner_id)`,
  `create index webhooks_turn on webhooks (turn_date, id) where paused_date is null`,
  `create table webhook_deliveries (
    id uuid primary key default gen_random_uuid(),
    place bigint generated always as identity,
    webhook_id uuid not null references webhooks on delete cascade,
    number bigint,
    type text not null,
    study_uid text collate "C",
    series_uid text collate "C",
    payload text not null,
    status text not null default 'Waiting',
    tries int not null default 0,
    created_date timestamptz not null default now(),
    first_try_date timestamptz,
    tried_date timestamptz,
    next_try_date timestamptz not null default now(),
    answer_status int,
    answer text,
    milliseconds int,
    problem text,
    unique (webhook_id, number))`,
  `create index webhook_deliveries_place on webhook_deliveries (webhook_id, place)`,
  `create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, place) where status = 'Waiting'`,
  `create index webhook_deliveries_created on webhook_deliveries (created_date)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
