import { sql, type Kysely } from 'kysely'

/**
 * API tokens for releases name the parts that they are for, and who published a release is known, so that another
 * person can be asked to make it live. Servers of the version before make tokens without parts, which open no release.
 */
const statements = [
  `alter table api_tokens add column parts text[] not null default '{}'`,
  `create table release_publications (
    part text collate "C" not null,
    release_id text collate "C" not null,
    -- A person, also where a machine of theirs brought it; may be gone one day.
    person_id uuid not null,
    publisher text not null,
    commit text not null,
    created_date timestamptz not null default now(),
    primary key (part, release_id, person_id))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
