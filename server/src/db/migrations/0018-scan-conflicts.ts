import { sql, type Kysely } from 'kysely'

/**
 * The scan list can be sorted by add-on apps and by arrival. What contradicts what is stored: objects that were
 * refused, and those that servers of earlier versions stored. A row of `scan_conflict_searches` says that an
 * organization's older scans were looked through.
 */
const statements = [
  `create index series_saas on series (organization_id, compatible_saas, series_uid)`,
  `create index series_arrived on series (organization_id, created_date, series_uid)`,
  `create table scan_conflicts (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    identity text not null,
    kind text not null check (kind in ('OtherPatient', 'OtherStudy', 'OtherContent')),
    is_stored boolean not null,
    study_uid text collate "C" not null,
    series_uid text collate "C",
    arrived jsonb not null,
    objects int not null default 0,
    source text not null,
    sent_by uuid references users,
    created_date timestamptz not null default now(),
    last_date timestamptz not null default now(),
    settled_date timestamptz,
    settled_by uuid references users,
    unique (organization_id, identity))`,
  `create index scan_conflicts_study on scan_conflicts (organization_id, study_uid)`,
  `create table scan_conflict_objects (
    conflict_id uuid not null references scan_conflicts on delete cascade,
    sop_instance_uid text collate "C" not null,
    sha256 text not null,
    primary key (conflict_id, sop_instance_uid, sha256))`,
  `create table scan_conflict_searches (
    organization_id uuid primary key references organizations,
    done_date timestamptz not null default now())`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
