import { sql, type Kysely } from 'kysely'

/** Searches of the scan list that users keep. */
const statements = [
  `create table scan_filters (
    id uuid primary key default gen_random_uuid(),
    user_id uuid not null references users on delete cascade,
    name text not null,
    search text not null,
    sort_column text not null,
    sort_direction text not null,
    created_date timestamptz not null default now())`,
  `create unique index scan_filters_name on scan_filters (user_id, lower(name))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
