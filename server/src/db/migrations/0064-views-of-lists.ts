import { sql, type Kysely } from 'kysely'

/** Views of every list, and names that are one's own in each list. */
const statements = [
  // Which lists there are, the contract says.
  `alter table scan_filters drop constraint scan_filters_place_check`,
  `drop index scan_filters_name`,
  `create unique index scan_filters_name on scan_filters (user_id, place, lower(name))`,
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
