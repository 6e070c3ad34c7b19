import type { Generated } from 'kysely'

export interface ReleaseReportTable {
  part: string
  release_id: string
  /** The minute in which pages told it. */
  minute: Date
  /** An `ObservationKind` of the contract, or `ms:<most>`: loaded within so many milliseconds. */
  what: string
  pages: number
}

export interface AffectedUserTable {
  part: string
  release_id: string
  /** Hash of person and release: one person is one row, and two releases cannot be brought together. */
  user_hash: string
  seen_date: Generated<Date>
}

export interface ReleaseTables {
  release_reports: ReleaseReportTable
  affected_users: AffectedUserTable
}
