import { sql, type Kysely } from 'kysely'

/** Outcomes of the tests that an administrator made, and whether an organization hid its checklist. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table setup_facts (
    organization_id uuid not null references organizations,
    name text collate "C" not null,
    is_good boolean not null,
    sentence text not null default '',
    date timestamptz not null default now(),
    primary key (organization_id, name))`.execute(db)
}
