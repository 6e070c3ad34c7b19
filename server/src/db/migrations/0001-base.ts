import { sql, type Kysely } from 'kysely'

/** Organizations, users, sessions, mails and the audit rows. Plain SQL, the same on PGlite and PostgreSQL. */
const statements = [
  `create table regions (id uuid primary key, name text not null, is_default boolean not null, is_active boolean not null, position int not null)`,

  `create table organizations (
    id uuid primary key default gen_random_uuid(),
    name text not null check (length(name) between 1 and 255),
    region_id uuid references regions,
    status text not null default 'Activated' check (status in ('Activated', 'Deactivated')),
    status_date timestamptz not null default now(),
    status_by text not null,
    datastore_id text unique check (datastore_id ~ '^[0-9a-z]{32}$'),
    created_date timestamptz not null default now(),
    updated_date timestamptz not null default now())`,
  `create unique index organizations_name on organizations (lower(name))`,

  `create table users (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    email text not null check (length(email) between 3 and 255),
    civility text not null,
    first_name text not null,
    last_name text not null,
    mobile text, landline text, fax text,
    role text not null check (role in ('super_admin', 'sys_admin', 'admin', 'staff', 'service_user')),
    password_hash text,
    temporary_until timestamptz,
    is_confirmed boolean not null default false,
    mfa_enabled boolean not null default false,
    status text not null default 'Activated' check (status in ('Activated', 'Deactivated')),
    status_id uuid not null default gen_random_uuid(),
    status_date timestamptz not null default now(),
    status_by text not null,
    status_comment text,
    created_date timestamptz not null default now(),
    updated_date timestamptz not null default now())`,
  `create unique index users_email on users (lower(email))`,
  `create index users_organization on users (organization_id)`,

  `create table families (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    client_id text not null,
    binding_hash text,
    device text not null,
    address text not null,
    started_date timestamptz not null default now(),
    last_seen_date timestamptz not null default now(),
    active_date timestamptz not null default now(),
    expires_date timestamptz not null,
    ended_date timestamptz,
    end_reason text)`,
  `create index families_user on families (user_id) where ended_date is null`,

  `create table refresh_tokens (
    hash text primary key,
    family_id uuid not null references families on delete cascade,
    created_date timestamptz not null default now(),
    used_date timestamptz)`,
  `create index refresh_tokens_family on refresh_tokens (family_id)`,

  `create table challenges (
    hash text primary key,
    purpose text not null check (purpose in ('MFA', 'NEW_PASSWORD_REQUIRED', 'RESET')),
    user_id uuid not null references users on delete cascade,
    client_id text not null,
    code_hash text,
    tries int not null default 0,
    created_date timestamptz not null default now(),
    expires_date timestamptz not null,
    used_date timestamptz)`,
  `create index challenges_user on challenges (user_id, purpose)`,

  // Unlogged: every sign-in counts its tries, and nobody should wait for the disk because of it. A crash forgets the
  // counts.
  `create unlogged table guesses (key text primary key, failures int not null, blocked_until timestamptz not null, updated_date timestamptz not null)`,

  // The shape that rate-limiter-flexible expects.
  `create unlogged table call_limits (key varchar(255) primary key, points int not null default 0, expire bigint)`,

  `create table live_sessions (
    session_id text primary key,
    family_id uuid not null references families on delete cascade,
    created_date timestamptz not null default now())`,
  `create index live_sessions_family on live_sessions (family_id)`,

  `create table mails (
    id uuid primary key default gen_random_uuid(),
    recipient text not null,
    subject text not null,
    text text not null,
    html text not null,
    links text[] not null,
    code text,
    created_date timestamptz not null default now(),
    sent_date timestamptz,
    tries int not null default 0,
    next_try_date timestamptz not null default now())`,
  `create index mails_waiting on mails (next_try_date) where sent_date is null`,
  `create index mails_recipient on mails (lower(recipient), created_date desc)`,

  `create table audit (
    id uuid primary key default gen_random_uuid(),
    chain text not null,
    position int not null,
    at timestamptz not null,
    event text not null,
    outcome text not null check (outcome in ('success', 'refused')),
    actor_id uuid,
    organization_id uuid,
    subject jsonb not null,
    request_id text not null,
    address text not null,
    previous_hash text not null,
    hash text not null,
    unique (chain, position))`,
  `create index audit_organization on audit (organization_id, at desc)`,
  `create index audit_at on audit (at desc)`,
  `create function refuse_change() returns trigger language plpgsql as $$ begin raise exception 'audit rows are append-only'; end $$`,
  `create trigger audit_is_append_only before update or delete on audit for each row execute function refuse_change()`,
  `create trigger audit_is_never_emptied before truncate on audit for each statement execute function refuse_change()`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
