import type { PageTimeKind } from '@dmp/contract/releaseFigures'
import type { SourcePlace } from '@dmp/contract/releaseErrors'
import type { JourneyResult, Round, Trial } from '@dmp/contract/releaseRounds'
import type { ColumnType, Generated } from 'kysely'

export interface ReleaseReportTable {
  part: string
  release_id: string
  /** The minute in which pages told it. */
  minute: Date
  /**
   * An `ObservationKind` of the contract; `ms:<most>`: loaded within so many milliseconds; `served`: pages that asked
   * for it, as the gateway counted; `open`: pages that have it, once an hour each; `stranger`: failures that count for
   * nothing; `<kind>@<organization>`: what the pages of one organization told.
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

/** Errors of one kind that were thrown at one place of a part. */
export interface ReleaseErrorTable {
  part: string
  id: string
  name: string
  message: string
  stack: Json<readonly SourcePlace[]>
  first_date: Generated<Date>
  last_date: Generated<Date>
}

/** Groups of errors that the team was told of. */
export interface ReleaseErrorToldTable {
  part: string
  id: string
}

export interface ReleaseErrorCountTable {
  part: string
  id: string
  /** In UTC, as `2026-11-26`. */
  day: ColumnType<Date, string, never>
  /** `release <id>`, `browser <name>`, or `people`. */
  what: string
  count: number
}

/** Whose pages told of an error today: rows count people and are gone when the day is over. */
export interface ReleaseErrorPersonTable {
  part: string
  id: string
  day: ColumnType<Date, string, string>
  person_hash: string
}

/** How many pages needed so long for a release on one day. */
export interface ReleaseTimeTable {
  part: string
  release_id: string
  /** In UTC, as `2026-11-26`. */
  day: ColumnType<Date, string, never>
  what: PageTimeKind
  /** The step of the scale that it is not above. */
  step: number
  pages: number
}

/** The most that three of four pages may need for a part. */
export interface ReleaseBudgetTable {
  part: string
  what: PageTimeKind
  p75: number
}

/** Whom the news of a part go to, and what they were told. */
export interface ReleaseNoticesTable {
  part: string
  emails: string[]
  is_on: Generated<boolean>
  /** Moves of the registry up to this one were told. */
  seen_version: number
  /** Budgets that were told as spent: `<kind> <release>`. */
  told_spent: Generated<string[]>
  told_date: Date | null
}

export interface ReleaseTables {
  release_times: ReleaseTimeTable
  release_budgets: ReleaseBudgetTable
  release_notices: ReleaseNoticesTable
  release_errors: ReleaseErrorTable
  release_errors_told: ReleaseErrorToldTable
  release_error_counts: ReleaseErrorCountTable
  release_error_people: ReleaseErrorPersonTable
  release_publications: ReleasePublicationTable
  release_rounds: ReleaseRoundTable
  release_reports: ReleaseReportTable
  affected_users: AffectedUserTable
  served_pages: ServedPageTable
  seen_release_keys: SeenReleaseKeysTable
}
