import { sql, type Kysely } from 'kysely'

/**
 * Pages that the gateway served to a session, and what they told: nobody tells of more pages than they were given
 * (docs/decisions/0042-reports-that-count.md).
 */
const statements = [
  `create table served_pages (
    session_id uuid not null references sessions on delete cascade,
    part text not null,
    release_id text not null,
    pages int not null default 0,
    loaded int not null default 0,
    failed int not null default 0,
    seen_date timestamptz not null default now(),
    primary key (session_id, part, release_id))`,
  `create index served_pages_release on served_pages (part, release_id)`,
  // Null for what a server of the version before wrote: that is from no organization.
  `alter table affected_users add column organization_id uuid`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
