import type { Generated } from 'kysely'

export interface ReleaseReportTable {
  part: string
  release_id: string
  /** The minute in which pages told it. */
  minute: Date
  /**
   * An `ObservationKind` of the contract; `ms:<most>`: loaded within so many milliseconds; `served`: pages that asked
   * for it, as the gateway counted; `stranger`: failures that count for nothing; `<kind>@<organization>`: what the
   * pages of one organization told.
   */
  what: string
  pages: number
}

export interface AffectedUserTable {
  part: string
  release_id: string
  /** Hash of person and release: one person is one row, and two releases cannot be brought together. */
  user_hash: string
  /** The organization of the person; null from a server of the version before. */
  organization_id: string | null
  seen_date: Generated<Date>
}

/** Pages of a session that were made of a release, and of how many of them it told something. */
export interface ServedPageTable {
  session_id: string
  part: string
  release_id: string
  pages: Generated<number>
  loaded: Generated<number>
  failed: Generated<number>
  seen_date: Generated<Date>
}

/** How many changes of a part's release keys were seen, and the hash of the newest. */
export interface SeenReleaseKeysTable {
  part: string
  changes: number
  head: string
  seen_date: Generated<Date>
}

export interface ReleaseTables {
  release_reports: ReleaseReportTable
  affected_users: AffectedUserTable
  served_pages: ServedPageTable
  seen_release_keys: SeenReleaseKeysTable
}
