import type { ColumnType, Generated } from 'kysely'

type Bytes = ColumnType<string | number, number, number>

/** A resumable upload that any server goes on with. */
export interface UploadTable {
  id: string
  organization_id: string
  /** The person or machine that began it, as `viewer.userId`. */
  user_id: string
  /** What it may become; of one without a length the most that any may have. */
  promised_bytes: Bytes
  size: ColumnType<string | number | null, number | null | undefined, number | null>
  /** How much of it the store has for certain. */
  arrived: ColumnType<string | number, number | undefined, number>
  /** False while there is only room for it. */
  is_begun: Generated<boolean>
  /** What became of it, as JSON; its bytes are gone then. */
  outcome: ColumnType<string | null, undefined, string>
  created_date: Generated<Date>
  finished_date: ColumnType<Date | null, undefined, Date>
  /** The one request that may write to it, until then. */
  holder: ColumnType<string | null, undefined, string | null>
  held_until: ColumnType<Date | null, undefined, Date | null>
  /** Another server waits for it. */
  is_wanted: Generated<boolean>
}

/** What has arrived of an upload, each stretch as an object of the store. */
export interface UploadPieceTable {
  upload_id: string
  start: Bytes
  bytes: Bytes
  object_key: string
}

export interface UploadTables {
  uploads: UploadTable
  upload_pieces: UploadPieceTable
}
