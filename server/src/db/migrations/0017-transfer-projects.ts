import { sql, type Kysely } from 'kysely'

/**
 * Projects, whose secret makes the pseudonyms of several transfers. Servers of the version before add transfers without
 * one, and give up such a transfer with a sentence when they find it.
 */
const statements = [
  `create table transfer_projects (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    name text not null,
    secret bytea not null,
    key_id uuid,
    created_date timestamptz not null default now())`,
  `create unique index transfer_projects_name on transfer_projects (organization_id, lower(name))`,
  `alter table transfers add column project_id uuid references transfer_projects`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
