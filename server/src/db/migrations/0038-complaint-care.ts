import { sql, type Kysely } from 'kysely'

/** Who has a complaint in hand, until when, and what its writer and the staff say to each other. */
const statements = [
  `alter table complaints
    add column assignee_id uuid references users on delete set null,
    add column assigned_date timestamptz,
    add column due_date text collate "C" check (due_date ~ '^\\d{4}-\\d{2}-\\d{2}$')`,
  `create table complaint_messages (
    id uuid primary key default gen_random_uuid(),
    complaint_id uuid not null references complaints on delete cascade,
    position int not null,
    created_by_id uuid not null references users,
    created_by text not null,
    text text not null check (length(text) between 1 and 2048),
    created_date timestamptz not null default clock_timestamp(),
    unique (complaint_id, position))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
