import { sql, type Kysely } from 'kysely'

/**
 * Data keys of the organizations, wrapped by a master key from outside. Servers of the version before write rows
 * without `key_id`, which is how rows in the clear look.
 */
const statements = [
  `create table organization_keys (
    id uuid primary key,
    organization_id uuid not null references organizations,
    wrapped bytea not null,
    master text not null,
    created_date timestamptz not null default now(),
    retired_date timestamptz)`,
  `create unique index organization_keys_current on organization_keys (organization_id) where retired_date is null`,
  `alter table instances add column key_id uuid`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
