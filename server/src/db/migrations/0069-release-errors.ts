import { sql, type Kysely } from 'kysely'

/** Errors of parts on pages, grouped for the teams that shipped them. Unknown to servers of the version before. */
const statements = [
  `create table release_errors (
    part text collate "C" not null,
    -- A hash of what makes errors one group.
    id text collate "C" not null,
    name text not null,
    message text not null,
    stack jsonb not null,
    first_date timestamptz not null default now(),
    last_date timestamptz not null default now(),
    primary key (part, id))`,
  `create table release_error_counts (
    part text collate "C" not null,
    id text collate "C" not null,
    day date not null,
    -- \`release <id>\`, \`browser <name>\`, or \`people\`.
    what text collate "C" not null,
    count integer not null,
    primary key (part, id, day, what),
    foreign key (part, id) references release_errors on delete cascade)`,
  // Only to count each person once a day; gone when the day is over.
  `create table release_error_people (
    part text collate "C" not null,
    id text collate "C" not null,
    day date not null,
    person_hash text collate "C" not null,
    primary key (part, id, day, person_hash),
    foreign key (part, id) references release_errors on delete cascade)`,
  `create index release_error_people_day on release_error_people (day)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
