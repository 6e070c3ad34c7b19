import { sql, type Kysely } from 'kysely'

/**
 * Rows say how their hash was made and with which key. Rows of before, and rows that a server of the version before
 * still appends, have version 1 and no key (docs/decisions/0041-audit-chain.md).
 */
const statements = [
  `alter table audit add column hash_version smallint not null default 1`,
  `alter table audit add column key_id text`,
  `create index audit_first_keyed on audit (at) where hash_version > 1`,

  `create table audit_checks (
    id uuid primary key default gen_random_uuid(),
    chain text,
    requested_by uuid not null,
    requested_date timestamptz not null default now(),
    progress_date timestamptz not null default now(),
    rows_walked int not null default 0,
    finished_date timestamptz,
    verdict text,
    verdict_mac text,
    key_id text)`,
  `create index audit_checks_newest on audit_checks (requested_date desc)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
