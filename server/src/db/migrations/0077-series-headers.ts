import { sql, type Kysely } from 'kysely'

/**
 * What the headers of a series have in common, once for all of its images, also for those in the bin
 * (docs/decisions/0187). It goes with the last header that needs it, which the one who removes that sees to: a series
 * may be in the bin, or in both.
 */
const statements = [
  `create table series_headers (
    organization_id uuid not null references organizations,
    series_uid text collate "C" not null,
    common bytea not null,
    key_id uuid,
    images int not null,
    created_date timestamptz not null default now(),
    primary key (organization_id, series_uid))`,
  // Deflated already.
  `alter table series_headers alter column common set storage external`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
