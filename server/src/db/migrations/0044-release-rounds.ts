import { sql, type Kysely } from 'kysely'

/** What monitors and testers tell of their journeys. Servers of the version before neither read nor write it. */
export async function up(db: Kysely<never>): Promise<void> {
  await sql`create table release_rounds (
    id uuid primary key default gen_random_uuid(),
    -- An API token or a person: both may be gone one day, and the round stays true.
    teller_id uuid not null,
    teller text not null,
    kind text collate "C" not null,
    snapshot text collate "C" not null,
    started_date timestamptz not null,
    ended_date timestamptz not null,
    passed integer not null,
    failed integer not null,
    flaky integer not null,
    skipped integer not null,
    parts jsonb not null,
    journeys jsonb not null,
    untried jsonb,
    trials jsonb not null,
    verdict text,
    created_date timestamptz not null default now())`.execute(db)
  await sql`create index release_rounds_newest on release_rounds (kind, created_date desc, id)`.execute(db)
}
