import { sql, type Kysely } from 'kysely'

/**
 * API tokens of machines. Servers of the version before know no such credential and refuse it. Rows stay when a token
 * has ended: the audit trail names it. And a complaint may name every module of a policy, which grows.
 */
const statements = [
  `create table api_tokens (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    owner_id uuid not null references users,
    name text not null,
    hash text not null unique,
    hint text not null,
    scopes text[] not null,
    addresses text[] not null default '{}',
    created_date timestamptz not null default now(),
    expires_date timestamptz not null,
    last_used_date timestamptz,
    last_used_address text,
    ended_date timestamptz,
    ended_by text)`,
  `create index api_tokens_organization on api_tokens (organization_id, created_date desc)`,
  `create index api_tokens_owner on api_tokens (owner_id)`,
  // One name, one machine: the audit trail tells them apart by it.
  `create unique index api_tokens_name on api_tokens (organization_id, lower(name)) where ended_date is null`,

  `alter table complaints drop constraint if exists complaints_module_check`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
