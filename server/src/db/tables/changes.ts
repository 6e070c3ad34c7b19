import type { ChangeKind } from '@dmp/contract/changes'
import type { ColumnType, Generated } from 'kysely'

type Number = ColumnType<string | number, number, number>

/** Numbers the changes of one organization. */
export interface ChangeFeedTable {
  organization_id: string
  last_number: Number
  /** Up to here changes were deleted for their age, or came true before there was a feed. */
  forgotten_number: Number
  forgotten_date: Date | null
}

/** What programs are told of a series. */
export interface ChangeTable {
  organization_id: string
  number: Number
  kind: ChangeKind
  study_uid: string
  series_uid: string
  instances: number
  created_date: Generated<Date>
  /** The latest time of all changes up to this one; a trigger keeps it. */
  reached_date: Generated<Date>
}

/** A series that is not quiet yet. */
export interface GrowingSeriesTable {
  organization_id: string
  series_uid: string
  study_uid: string
  changed_date: Date
  /** The change that tells of its growth; the next one takes its place. */
  grown_number: ColumnType<string | number | null, number | null, number | null>
}

export interface ChangesTables {
  change_feeds: ChangeFeedTable
  changes: ChangeTable
  growing_series: GrowingSeriesTable
}
