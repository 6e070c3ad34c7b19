import { sql, type Kysely } from 'kysely'

const lookup = (table: string, firstId: number, names: readonly string[]) => [
  `create table ${table} (id uuid primary key, name text not null unique, is_default boolean not null, is_active boolean not null, position int not null unique)`,
  `insert into ${table} values ${names.map((name, index) => `('00000000-0000-4000-8000-000000000${firstId + index}', '${name}', ${index === 0}, true, ${index + 1})`).join(', ')}`,
]

/** Complaints, registrations and licenses. The ids of lookups are the same in every installation. */
const statements = [
  ...lookup('complaint_statuses', 201, ['New', 'OnHold', 'Pending', 'InProgress', 'Resolved']),
  ...lookup('complaint_severities', 301, ['Low', 'Medium', 'High', 'Critical']),
  ...lookup('complaint_types', 401, ['Defect', 'Usability', 'Performance', 'Data', 'Other']),

  `create table complaint_numbers (last int not null)`,
  `insert into complaint_numbers values (0)`,

  `create table complaints (
    id uuid primary key default gen_random_uuid(),
    number int not null unique,
    organization_id uuid not null references organizations,
    created_by_id uuid not null references users,
    created_by text not null,
    module text not null check (module in ('Complaint', 'Organization', 'Registration', 'Scan', 'BusinessUser')),
    type_id uuid not null references complaint_types,
    severity_id uuid not null references complaint_severities,
    status_id uuid not null references complaint_statuses,
    description text not null check (length(description) between 1 and 1024),
    created_date timestamptz not null,
    updated_date timestamptz not null)`,
  `create index complaints_organization on complaints (organization_id, created_date desc)`,

  `create table complaint_history (
    id uuid primary key default gen_random_uuid(),
    complaint_id uuid not null references complaints on delete cascade,
    position int not null,
    status_id uuid not null references complaint_statuses,
    created_by_id uuid not null references users,
    created_by text not null,
    comment text check (length(comment) <= 1024),
    created_date timestamptz not null,
    unique (complaint_id, position))`,

  `create table complaint_images (
    complaint_id uuid primary key references complaints on delete cascade,
    filename text not null check (length(filename) between 1 and 255),
    media_type text not null check (media_type in ('image/jpeg', 'image/png', 'image/webp')),
    content bytea not null check (octet_length(content) <= 2097152))`,

  `create table licenses (id uuid primary key, saas text not null unique, position int not null unique)`,
  `insert into licenses values ${['Autometrics', 'BMD', 'OssView', 'PeekMed'].map((saas, index) => `('00000000-0000-4000-8000-000000000${901 + index}', '${saas}', ${index + 1})`).join(', ')}`,
  `create table organization_licenses (
    id uuid primary key default gen_random_uuid(),
    organization_id uuid not null references organizations on delete cascade,
    license_id uuid not null references licenses,
    is_active boolean not null,
    is_automatic_analysis boolean not null,
    unique (organization_id, license_id))`,

  `create table registrations (
    id uuid primary key default gen_random_uuid(),
    organization_name text not null check (length(organization_name) between 1 and 255),
    region_id uuid references regions,
    civility text not null,
    first_name text not null,
    last_name text not null,
    email text not null check (length(email) between 3 and 255),
    mobile text, landline text, fax text,
    status text not null check (status in ('New', 'Approved', 'Rejected')),
    status_date timestamptz not null,
    status_by text,
    status_comment text check (length(status_comment) <= 1024),
    organization_id uuid references organizations,
    user_id uuid references users,
    created_date timestamptz not null,
    updated_date timestamptz not null)`,
  // One pending request for an address, however many are sent at once.
  `create unique index registrations_pending on registrations (lower(email)) where status = 'New'`,
  `create index registrations_created on registrations (created_date desc)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
