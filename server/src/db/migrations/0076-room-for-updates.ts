import { sql, type Kysely } from 'kysely'

/**
 * Rows that change all the time keep room on their page for the next version, which then leaves the indexes alone, and
 * long tables are looked through after a fiftieth of them has changed, not after a fifth: two million series, twenty
 * million instances (docs/decisions/0175). Nothing is rewritten; pages of before stay as full as they are.
 */
const statements = [
  // Three to five rows lie on a page of eight kilobytes: room for one.
  `alter table series set (fillfactor = 80)`,
  `alter table scan_totals set (fillfactor = 50)`,
  `alter table change_feeds set (fillfactor = 50)`,
  // Each image that arrives leaves a dead row.
  `alter table series_image_counts set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_analyze_scale_factor = 0.02)`,
  ...['series', 'studies', 'study_summaries', 'instances', 'audit'].map(
    (table) => `alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02,
      autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
  ),
]

export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
