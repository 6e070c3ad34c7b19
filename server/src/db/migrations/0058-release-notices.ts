import { sql, type Kysely } from 'kysely'

/**
 * Whom the news of a part go to. A server of the version before sends what such a webhook waits with, and plans nothing
 * for it, because it asks for no kinds of changes.
 */
const statements = [
  `create table release_notices (
    part text collate "C" primary key,
    emails text[] not null,
    is_on boolean not null default true,
    seen_version int not null,
    told_spent text[] not null default '{}',
    told_date timestamptz)`,
  `alter table webhooks add column part text collate "C"`,
  `create unique index webhooks_part on webhooks (part) where part is not null`,
  // Groups of errors that the team of a part was told of. Their own table comes later in the order of migrations.
  `create table release_errors_told (
    part text collate "C" not null,
    id text collate "C" not null,
    primary key (part, id))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
