import type { scan } from '@dmp/contract'
import type { ColumnType, Generated } from 'kysely'

/** Written as JSON text, read as what the driver parses. */
export type Json<T> = ColumnType<T, string, string>

/** `Held`: waits until somebody has looked at its pictures; calls say `Running` and `Queued`, as they did before. */
type TransferState = scan.Transfer['state'] | 'Held'

export interface TransferTable {
  id: Generated<string>
  organization_id: string
  destination_id: string
  destination_name: string
  anonymize: boolean
  /** Makes new UIDs consistent within the transfer; forgotten when it is finished. */
  secret: Uint8Array | null
  user_id: string
  state: TransferState
  created_date: Generated<Date>
  finished_date: Date | null
  /** Nothing is sent before; null where it began at once. */
  leaves_date: ColumnType<Date | null, Date | null | undefined, never>
  /** Makes the UIDs and pseudonyms in place of a secret of its own. */
  project_id: ColumnType<string | null, string | null | undefined, never>
}

export interface TransferProjectTable {
  id: Generated<string>
  organization_id: string
  name: string
  /** Sealed where it has a key. */
  secret: Uint8Array
  key_id: string | null
  created_date: Generated<Date>
}

export interface TransferScanTable {
  transfer_id: string
  position: number
  study_uid: string
  series_uid: string
  new_series_uid: string | null
  state: TransferState
  message: string | null
  images: number
  images_done: Generated<number>
  /** Of the copy that is being made and was not there before: to be taken back unless the scan gets done. */
  copy_series_uid: Generated<string | null>
  report: ColumnType<Record<string, unknown> | null, string | null, string | null>
}

/** A scan of a transfer that waits, or waited, until somebody has looked at its pictures. */
export interface TransferHoldTable {
  id: Generated<string>
  transfer_id: string
  position: number
  pictures: number
  choice: Json<Pick<scan.HeldScanDetail, 'masks' | 'leftOut'>>
  decision: 'Send' | 'LeaveOut' | null
  /** The pictures that were decided on. */
  revision: string | null
  decided_by: string | null
  decided_date: Date | null
  /** Of the job that follows a decision; a scan can be held again. */
  job_id: string | null
  created_date: Generated<Date>
}

/** Pictures of it that somebody has had on the screen. */
export interface TransferHoldLookTable {
  hold_id: string
  sha256: string
  /** False where it cannot be shown. */
  is_shown: boolean
  user_id: string
  looked_date: Generated<Date>
}

export interface TransferTables {
  transfers: TransferTable
  transfer_scans: TransferScanTable
  transfer_holds: TransferHoldTable
  transfer_hold_looks: TransferHoldLookTable
  transfer_projects: TransferProjectTable
}
