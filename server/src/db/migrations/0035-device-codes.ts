import { sql, type Kysely } from 'kysely'

/**
 * Machines that ask for an API token by a code (RFC 8628), for ten minutes. No account is named before a person
 * approves; then the row says what was approved, and the API token is made when the machine fetches it. Servers of the
 * version before do not know the way and refuse it.
 */
const statements = [
  `create table device_codes (
    device_code_hash text primary key,
    user_code_hash text not null unique,
    client_id text not null,
    name text not null,
    asked_scopes text[] not null,
    address text not null,
    address_key text not null,
    created_date timestamptz not null default now(),
    expires_date timestamptz not null,
    interval_seconds int not null,
    polled_date timestamptz,
    denied_date timestamptz,
    approver_id uuid references users,
    organization_id uuid references organizations,
    approved_name text,
    approved_scopes text[],
    approved_addresses text[],
    approved_days int,
    collected_date timestamptz)`,
  `create index device_codes_expires on device_codes (expires_date)`,
  `create index device_codes_address on device_codes (address_key)`,
  `create index device_codes_approver on device_codes (approver_id)`,
  `create index device_codes_organization on device_codes (organization_id)`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
