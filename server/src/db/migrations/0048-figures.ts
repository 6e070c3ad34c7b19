import { sql, type Kysely } from 'kysely'

/**
 * What the figures of the dashboard count, so that each reads what it counts and nothing else. Studies have their index
 * by arrival already. These tables are small beside those of scans, and are locked for as long as a look at them takes.
 */
const statements = [
  `create index scan_shares_open on scan_shares (organization_id, expire_date) where revoked_date is null`,
  `create index complaints_waiting on complaints (status_id, created_date desc)`,
  `create index registrations_waiting on registrations (created_date desc) where status = 'New'`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
