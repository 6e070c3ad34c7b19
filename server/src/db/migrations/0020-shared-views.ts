import { sql, type Kysely } from 'kysely'

/**
 * Share links that open the image viewer, hold several series and go out by mail. Links of earlier versions, and those
 * that a server of the version before makes meanwhile, have one series and allow its download.
 */
const statements = [
  `alter table scan_shares
    add column allows_download boolean not null default true,
    add column recipient text,
    add column has_code boolean not null default false,
    add column code_hash text,
    add column code_expires_date timestamptz,
    add column code_sent_date timestamptz,
    add column codes_sent int not null default 0`,

  `create table scan_share_series (
    share_id uuid not null references scan_shares on delete cascade,
    organization_id uuid not null,
    series_uid text collate "C" not null,
    primary key (share_id, series_uid),
    foreign key (organization_id, series_uid) references series on delete cascade)`,
  `create index scan_share_series_series on scan_share_series (organization_id, series_uid)`,
  // Every series of every link, whichever version made it.
  `create view shared_series as
    select id as share_id, organization_id, series_uid from scan_shares
    union select share_id, organization_id, series_uid from scan_share_series`,

  `create table scan_share_visits (
    id uuid primary key default gen_random_uuid(),
    share_id uuid not null references scan_shares on delete cascade,
    token_hash text not null unique,
    email text,
    opened_date timestamptz not null default now(),
    expires_date timestamptz not null)`,
  `create index scan_share_visits_share on scan_share_visits (share_id, opened_date desc)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
