import { sql, type Kysely } from 'kysely'

/**
 * Studies, series and instances of every organization, and what is done with them. UIDs and sortable text are compared
 * byte-wise (collate "C"): that is the order people expect of UIDs, and what keeps the indexes usable for sorting.
 */
const statements = [
  `create extension if not exists pg_trgm`,
  `create extension if not exists btree_gin`,

  `create table studies (
    organization_id uuid not null references organizations,
    study_uid text collate "C" not null,
    patient_id text collate "C" not null,
    patient_name text not null,
    study_date text collate "C" not null,
    accession_number text collate "C" not null,
    attributes jsonb not null,
    created_date timestamptz not null default now(),
    primary key (organization_id, study_uid))`,
  `create index studies_date on studies (organization_id, study_date desc, study_uid desc)`,
  `create index studies_name on studies (organization_id, lower(patient_name) text_pattern_ops)`,
  `create index studies_patient on studies (organization_id, patient_id)`,

  `create table series (
    organization_id uuid not null,
    series_uid text collate "C" not null,
    study_uid text collate "C" not null,
    image_set_id text not null unique check (image_set_id ~ '^[0-9a-z]{32}$'),
    patient_name text collate "C" not null,
    patient_id text collate "C" not null,
    modality text collate "C" not null,
    description text collate "C" not null,
    source text collate "C" not null,
    acq_date text collate "C" not null,
    images int not null default 0,
    instances int not null default 0,
    compatible_saas text[] not null,
    attributes jsonb not null,
    search_words text not null,
    search_text text not null generated always as (lower(search_words)) stored,
    created_date timestamptz not null default now(),
    primary key (organization_id, series_uid),
    foreign key (organization_id, study_uid) references studies)`,
  `create index series_study on series (organization_id, study_uid, series_uid)`,
  `create index series_newest on series (organization_id, acq_date desc, series_uid desc)`,
  `create index series_patient_name on series (organization_id, lower(patient_name) collate "C", series_uid)`,
  `create index series_patient_id on series (organization_id, lower(patient_id) collate "C", series_uid)`,
  `create index series_description on series (organization_id, lower(description) collate "C", series_uid)`,
  `create index series_search on series using gin (organization_id, search_text gin_trgm_ops)`,

  `create table instances (
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
    created_date timestamptz not null default now(),
    primary key (organization_id, sop_instance_uid),
    foreign key (organization_id, series_uid) references series on delete cascade)`,
  // Headers are compressed already.
  `alter table instances alter column header set storage external`,
  `create index instances_series on instances (organization_id, series_uid, instance_number, sop_instance_uid)`,

  // Exact totals without counting a million rows.
  `create table scan_totals (organization_id uuid primary key references organizations, series int not null, instances bigint not null, byte_size bigint not null)`,
  `create table object_removals (object_key text primary key, created_date timestamptz not null default now())`,

  `create table thumbnails (
    organization_id uuid not null,
    series_uid text collate "C" not null,
    sop_instance_uid text collate "C" not null,
    image bytea not null,
    primary key (organization_id, series_uid),
    foreign key (organization_id, series_uid) references series on delete cascade)`,
  `alter table thumbnails alter column image set storage external`,

  `create table scan_launches (
    token_hash text not null,
    organization_id uuid not null,
    study_uid text collate "C" not null,
    user_id uuid not null references users on delete cascade,
    family_id uuid not null references families on delete cascade,
    expires_date timestamptz not null,
    primary key (token_hash, organization_id, study_uid))`,
  `create index scan_launches_expired on scan_launches (expires_date)`,

  `create table scan_shares (
    id uuid primary key default gen_random_uuid(),
    token_hash text not null unique,
    organization_id uuid not null,
    series_uid text collate "C" not null,
    created_by uuid not null references users,
    created_by_user text not null,
    created_date timestamptz not null default now(),
    expire_date timestamptz not null,
    password_hash text,
    max_uses int,
    uses int not null default 0,
    failures int not null default 0,
    blocked_until timestamptz,
    last_used_date timestamptz,
    revoked_date timestamptz,
    foreign key (organization_id, series_uid) references series on delete cascade)`,
  `create index scan_shares_series on scan_shares (organization_id, series_uid, created_date desc)`,

  `create table scan_downloads (
    token_hash text primary key,
    user_id uuid references users on delete cascade,
    share_id uuid references scan_shares on delete cascade,
    organization_id uuid not null,
    series_uid text collate "C" not null,
    expires_date timestamptz not null,
    used_date timestamptz,
    check (user_id is not null or share_id is not null),
    foreign key (organization_id, series_uid) references series on delete cascade)`,

  `create table transfers (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    destination_id uuid not null references organizations,
    destination_name text not null,
    anonymize boolean not null,
    secret bytea,
    user_id uuid not null references users,
    state text not null check (state in ('Queued', 'Running', 'Done', 'Failed')),
    claimed_until timestamptz,
    created_date timestamptz not null default now(),
    finished_date timestamptz)`,
  `create index transfers_user on transfers (user_id, created_date desc)`,
  `create index transfers_waiting on transfers (created_date) where state in ('Queued', 'Running')`,
  `create table transfer_scans (
    transfer_id uuid not null references transfers on delete cascade,
    position int not null,
    study_uid text collate "C" not null,
    series_uid text collate "C" not null,
    new_series_uid text collate "C",
    state text not null check (state in ('Queued', 'Running', 'Done', 'Failed')),
    message text,
    images int not null,
    images_done int not null default 0,
    report jsonb,
    primary key (transfer_id, position))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
