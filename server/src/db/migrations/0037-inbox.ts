import { sql, type Kysely } from 'kysely'

/**
 * What happened that concerns somebody: one row for each fact, however many people may see it. Whether somebody has
 * read it stands beside it, for those who have.
 */
const statements = [
  `create table inbox_facts (
    id uuid primary key default gen_random_uuid(),
    kind text not null,
    user_id uuid references users on delete cascade,
    organization_id uuid references organizations on delete cascade,
    subject text collate "C" not null,
    state text,
    actor_id uuid,
    times int not null default 1,
    created_date timestamptz not null default clock_timestamp())`,
  `create index inbox_facts_person on inbox_facts (user_id, created_date desc, id desc) where user_id is not null`,
  `create index inbox_facts_organization on inbox_facts (organization_id, created_date desc, id desc)
    where user_id is null`,
  // A link is for whoever has it: however often it is opened, it tells its sharer in one row.
  `create unique index inbox_facts_once on inbox_facts (coalesce(user_id, organization_id), kind, subject)
    where user_id is null or kind = 'ShareOpened'`,
  `create index inbox_facts_date on inbox_facts (created_date)`,

  `create table inbox_reads (
    user_id uuid not null references users on delete cascade,
    fact_id uuid not null references inbox_facts on delete cascade,
    read_date timestamptz not null,
    primary key (user_id, fact_id))`,
  `create index inbox_reads_fact on inbox_reads (fact_id)`,
  `create table inbox_marks (
    user_id uuid primary key references users on delete cascade,
    read_until timestamptz not null)`,

  // Of one kind: what was chosen, up to where a mail has told of it, and when the last one did.
  `create table inbox_choices (
    user_id uuid not null references users on delete cascade,
    kind text not null,
    choice text not null check (choice in ('Off', 'Here', 'AtOnce', 'Daily')),
    told_date timestamptz not null default clock_timestamp(),
    mailed_date timestamptz,
    primary key (user_id, kind))`,
  `create index inbox_choices_daily on inbox_choices (told_date) where choice = 'Daily'`,
  `create index inbox_choices_at_once on inbox_choices (kind, user_id) where choice = 'AtOnce'`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
