import { sql, type Kysely } from 'kysely'

/**
 * Scans of a transfer that wait until somebody has looked at their pictures. Their state is one that servers of the
 * version before neither run nor finish, so that those send nothing on.
 */
const statements = [
  `alter table transfers drop constraint transfers_state_check`,
  `alter table transfers add constraint transfers_state_check
    check (state in ('Queued', 'Running', 'Held', 'Done', 'Failed')) not valid`,
  `alter table transfer_scans drop constraint transfer_scans_state_check`,
  `alter table transfer_scans add constraint transfer_scans_state_check
    check (state in ('Queued', 'Running', 'Held', 'Done', 'Failed')) not valid`,
  `create table transfer_holds (
    id uuid primary key default gen_random_uuid(),
    transfer_id uuid not null,
    position int not null,
    pictures int not null,
    choice jsonb not null,
    decision text check (decision in ('Send', 'LeaveOut')),
    revision text,
    decided_by uuid references users,
    decided_date timestamptz,
    job_id uuid unique,
    created_date timestamptz not null default now(),
    unique (transfer_id, position),
    foreign key (transfer_id, position) references transfer_scans on delete cascade)`,
  `create table transfer_hold_looks (
    hold_id uuid not null references transfer_holds on delete cascade,
    sha256 text not null,
    is_shown boolean not null,
    user_id uuid not null references users,
    looked_date timestamptz not null default now(),
    primary key (hold_id, sha256))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
