import type { ColumnType, Generated } from 'kysely'

/** Rows of before that a migration left to be filled in while servers run; none for what had nothing to fill in. */
export interface BackFillTable {
  name: string
  rows_done: Generated<ColumnType<string, never, never>>
  /** As PostgreSQL guessed at the migration. */
  rows_expected: ColumnType<string, never, never>
  /** Behind which row it goes on. */
  position: ColumnType<unknown, string | null, string | null>
  created_date: Generated<Date>
  changed_date: Generated<Date>
  filled_date: Date | null
  /** When what only earlier versions need had been taken away, too. */
  ended_date: Date | null
}

export interface BackFillTables {
  back_fills: BackFillTable
}
