import type { JourneyResult, Round, Trial } from '@dmp/contract/releaseRounds'
import type { ColumnType, Generated } from 'kysely'

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

/** Written as JSON text, read as values. */
type Json<T> = ColumnType<T, string, string>

/** What a monitor or a tester told of one run of journeys. */
export interface ReleaseRoundTable {
  id: Generated<string>
  teller_id: string
  /** As in the history: `monitor <name>`, or an email address. */
  teller: string
  kind: Round['kind']
  snapshot: string
  started_date: ColumnType<Date, string, never>
  ended_date: ColumnType<Date, string, never>
  passed: number
  failed: number
  flaky: number
  skipped: number
  parts: Json<Round['parts']>
  journeys: Json<readonly JourneyResult[]>
  /** Clauses that no journey of a whole run names; null where the run says nothing of them. */
  untried: ColumnType<readonly string[] | null, string | null, never>
  /** Trials that were asked for and not told of yet. */
  trials: Json<readonly Omit<Trial, 'cookie'>[]>
  verdict: string | null
  created_date: Generated<Date>
}

/** Who published a release over the API: the person, also where a machine of theirs brought it. */
export interface ReleasePublicationTable {
  part: string
  release_id: string
  person_id: string
  publisher: string
  commit: string
  created_date: Generated<Date>
}

export interface ReleaseTables {
  release_publications: ReleasePublicationTable
  release_rounds: ReleaseRoundTable
  release_reports: ReleaseReportTable
  affected_users: AffectedUserTable
  served_pages: ServedPageTable
  seen_release_keys: SeenReleaseKeysTable
}
