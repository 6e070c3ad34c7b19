import { sql, type Kysely } from 'kysely'

/** Who looked at patients in a way that an administrator wants to know of, and what is needed to see it in time. */
const statements = [
  `create table alert_rules (
    organization_id uuid primary key references organizations on delete cascade,
    rules jsonb not null)`,
  `create table alert_cursors (
    organization_id uuid primary key references organizations on delete cascade,
    position int not null,
    judged_date timestamptz not null)`,
  `create table patient_openings (
    organization_id uuid not null references organizations on delete cascade,
    user_id uuid not null references users on delete cascade,
    patient text collate "C" not null,
    opened_date timestamptz not null,
    primary key (organization_id, user_id, patient))`,
  `create index patient_openings_newest on patient_openings (organization_id, user_id, opened_date)`,
  `create index patient_openings_date on patient_openings (opened_date)`,
  `create table access_alerts (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    user_id uuid not null references users on delete cascade,
    rule text not null,
    patients int not null,
    patient_keys text[] not null default '{}',
    first_date timestamptz not null,
    last_date timestamptz not null,
    until_date timestamptz not null,
    raised_date timestamptz not null default clock_timestamp(),
    acknowledged_date timestamptz,
    acknowledged_by uuid references users on delete set null,
    note text)`,
  `create index access_alerts_newest on access_alerts (organization_id, raised_date desc, id)`,
  `create index access_alerts_date on access_alerts (raised_date desc, id)`,
  `create index access_alerts_person on access_alerts (organization_id, user_id, until_date desc)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
