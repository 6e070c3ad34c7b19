import { sql, type Kysely } from 'kysely'

/**
 * Who may speak DICOM with an organization, and who tried to. A partner that was deleted stays for its name in the
 * audit trail. The AE title of an organization is made of its id, because servers of the version before add
 * organizations as well.
 */
const statements = [
  `alter table organizations add column ae_title text
    generated always as ('DMP' || upper(substr(md5(id::text), 1, 10))) stored`,
  `create index organizations_ae_title on organizations (ae_title)`,
  `create table dicom_partners (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    owner_id uuid not null references users,
    name text not null,
    ae_title text collate "C" not null,
    services text[] not null,
    addresses text[] not null,
    fingerprint text,
    host text,
    port int,
    uses_tls boolean not null,
    created_date timestamptz not null default now(),
    disabled_date timestamptz,
    deleted_date timestamptz,
    last_seen_date timestamptz,
    last_seen_address text)`,
  `create unique index dicom_partners_title on dicom_partners (organization_id, ae_title) where deleted_date is null`,
  `create unique index dicom_partners_name on dicom_partners (organization_id, lower(name)) where deleted_date is null`,
  `create index dicom_partners_owner on dicom_partners (owner_id)`,
  `create table dicom_callers (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations,
    ae_title text collate "C" not null,
    address text not null,
    reason text not null,
    fingerprint text,
    times int not null default 1,
    first_date timestamptz not null default now(),
    last_date timestamptz not null default now(),
    unique (organization_id, ae_title, address))`,
  `create index dicom_callers_date on dicom_callers (last_date)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
