import { sql, type Kysely } from 'kysely'

/**
 * What was deleted and can be taken back: the rows of a series, or of one image of it, with the bytes still in the
 * store (docs/decisions/0119-undo.md). And studies that nobody may delete.
 */
const statements = [
  `create table bin_entries (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    study_uid text collate "C" not null,
    series_uid text collate "C" not null,
    sop_instance_uid text collate "C",
    study jsonb not null,
    series jsonb not null,
    instances int not null,
    images int not null,
    byte_size bigint not null,
    deleted_by uuid not null,
    deleted_by_user text not null,
    deleted_date timestamptz not null default now(),
    purge_began_date timestamptz)`,
  `create index bin_entries_newest on bin_entries (organization_id, deleted_date desc, id)`,
  `create index bin_entries_series on bin_entries (organization_id, series_uid)`,
  `create index bin_entries_study on bin_entries (organization_id, study_uid)`,
  `create index bin_entries_due on bin_entries (deleted_date)`,

  `create table bin_instances (
    entry_id uuid not null references bin_entries on delete cascade,
    organization_id uuid not null,
    sop_instance_uid text collate "C" not null,
    series_uid text collate "C" not null,
    study_uid text collate "C" not null,
    sop_class_uid text not null,
    transfer_syntax_uid text not null,
    instance_number int not null,
    images int not null,
    sha256 text not null,
    byte_size bigint not null,
    object_key text not null,
    header bytea not null,
    key_id uuid,
    created_date timestamptz not null,
    primary key (entry_id, sop_instance_uid))`,
  `alter table bin_instances alter column header set storage external`,
  `create index bin_instances_object on bin_instances (organization_id, sop_instance_uid)`,
  `create table bin_totals (organization_id uuid primary key references organizations, byte_size bigint not null)`,

  `create table legal_holds (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    study_uid text collate "C" not null,
    reason text not null,
    is_by_provider boolean not null,
    held_by uuid not null,
    held_by_user text not null,
    held_date timestamptz not null default now(),
    ended_by_user text,
    ended_date timestamptz)`,
  `create index legal_holds_study on legal_holds (organization_id, study_uid)`,
  `create unique index legal_holds_in_force on legal_holds (organization_id, study_uid) where ended_date is null`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
