import { sql, type Kysely } from 'kysely'

/**
 * What programs are told of scans. `change_feeds` numbers the changes of each organization: whoever adds some holds its
 * row until the commit, so that a change with a smaller number never appears behind a greater one. What was stored
 * before has no changes: for such organizations the feed begins now. Servers of the version before write none.
 */
const statements = [
  `create table change_feeds (
    organization_id uuid primary key references organizations,
    last_number bigint not null default 0,
    forgotten_number bigint not null default 0,
    forgotten_date timestamptz)`,
  `insert into change_feeds (organization_id, forgotten_date)
    select distinct organization_id, clock_timestamp() from series`,
  `create table changes (
    organization_id uuid not null references organizations,
    number bigint not null,
    kind text not null,
    study_uid text collate "C" not null,
    series_uid text collate "C" not null,
    instances int not null,
    created_date timestamptz not null default clock_timestamp(),
    primary key (organization_id, number))`,
  `create index changes_date on changes (organization_id, created_date)`,
  // Series that are not quiet yet, and where each was last told to have grown: few rows, written with each upload.
  `create table growing_series (
    organization_id uuid not null references organizations,
    series_uid text collate "C" not null,
    study_uid text collate "C" not null,
    changed_date timestamptz not null,
    grown_number bigint,
    primary key (organization_id, series_uid))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
