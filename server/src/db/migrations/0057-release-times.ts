import { sql, type Kysely } from 'kysely'

/** How long people wait for releases, in steps, and how long they may. Unknown to servers of the version before. */
const statements = [
  `create table release_times (
    part text collate "C" not null,
    release_id text collate "C" not null,
    day date not null,
    what text collate "C" not null,
    step int not null,
    pages int not null,
    primary key (part, release_id, day, what, step))`,
  `create index release_times_day on release_times (day)`,
  `create table release_budgets (
    part text collate "C" not null,
    what text collate "C" not null,
    p75 int not null,
    primary key (part, what))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
