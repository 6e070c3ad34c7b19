import type { organization, scan } from '@dmp/contract'
import type { ColumnType, Generated } from 'kysely'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import type { BinTables } from './bin.ts'
import type { Json, TransferTables } from './transfer.ts'

export interface StudyTable {
  organization_id: string
  study_uid: string
  patient_id: string
  /** As DICOM writes it: `Family^Given`. */
  patient_name: string
  /** YYYY-MM-DD, empty when not known. */
  study_date: string
  accession_number: string
  /** The study's own attributes as DICOM JSON, for QIDO-RS. */
  attributes: Json<JsonDataset>
  created_date: Generated<Date>
}

export interface SeriesTable {
  organization_id: string
  series_uid: string
  study_uid: string
  image_set_id: string
  patient_name: string
  patient_id: string
  modality: string
  description: string
  source: string
  /** YYYY-MM-DD, empty when not known. */
  acq_date: string
  /** Frames of all instances. */
  images: Generated<number>
  instances: Generated<number>
  compatible_saas: organization.SaasName[]
  attributes: Json<JsonDataset>
  search_words: string
  search_text: ColumnType<string, never, never>
  /** The API token or DICOM partner that sent its first object, by its name then. */
  sender: ColumnType<string | null, string | null | undefined, never>
  created_date: Generated<Date>
}

/** What a series has in `images`, in an order by it. The database keeps it. */
export interface SeriesImageCountTable {
  organization_id: string
  series_uid: string
  images: number
}

/** What headers of a series have in common, where it was taken out of them (docs/decisions/0187). */
export interface SeriesHeaderTable {
  organization_id: string
  series_uid: string
  /** Deflated, sealed where it has a key; empty where they have nothing in common. */
  common: Uint8Array
  key_id: string | null
  /** How many images the series had when its headers were last gone through. */
  images: number
  created_date: Generated<Date>
}

export interface InstanceTable {
  organization_id: string
  sop_instance_uid: string
  series_uid: string
  study_uid: string
  sop_class_uid: string
  transfer_syntax_uid: string
  instance_number: number
  images: number
  sha256: string
  byte_size: ColumnType<string | number, number, number>
  object_key: string
  /**
   * The header as deflated DICOM JSON, sealed where it has a key. One that begins with `shortMark` lacks what its
   * series has in `series_headers`.
   */
  header: Uint8Array
  /** Data key of the header and, except in an archive, of the object; null when both are in the clear. */
  key_id: ColumnType<string | null, string | null | undefined, string | null>
  created_date: Generated<Date>
}

export interface ScanTotalTable {
  organization_id: string
  series: number
  instances: ColumnType<string | number, number, number>
  byte_size: ColumnType<string | number, number, number>
}

export interface ObjectRemovalTable {
  object_key: string
  /** From when the object may be removed; later than now where somebody may still be reading it. */
  created_date: Generated<Date>
}

export interface ThumbnailTable {
  organization_id: string
  series_uid: string
  sop_instance_uid: string
  image: Uint8Array
}

export interface ScanLaunchTable {
  token_hash: string
  user_id: string
  session_id: string
  organization_id: string
  study_uid: string
  expires_date: Date
}

export interface ScanDownloadTable {
  token_hash: string
  user_id: string | null
  share_id: string | null
  /** Null for visitors of a link, and from servers of versions before. */
  session_id: string | null
  organization_id: string
  series_uid: string
  expires_date: Date
  used_date: Date | null
  /** When all bytes had been sent once. */
  ended_date: Generated<Date | null>
  /** How often it was continued. */
  rests: Generated<number>
}

export interface ScanShareTable {
  id: Generated<string>
  token_hash: string
  organization_id: string
  series_uid: string
  created_by: string
  created_by_user: string
  created_date: Generated<Date>
  expire_date: Date
  password_hash: string | null
  max_uses: number | null
  uses: Generated<number>
  failures: Generated<number>
  blocked_until: Date | null
  last_used_date: Date | null
  revoked_date: Date | null
  allows_download: Generated<boolean>
  /** The mail address that the link was sent to; codes go there, too. */
  recipient: ColumnType<string | null, string | null | undefined, string | null>
  has_code: Generated<boolean>
  code_hash: Generated<string | null>
  code_expires_date: Generated<Date | null>
  code_sent_date: Generated<Date | null>
  /** Since somebody opened the link with one. */
  codes_sent: Generated<number>
}

/** What a link shares beside the series in its own row. */
export interface ScanShareSeriesTable {
  share_id: string
  organization_id: string
  series_uid: string
}

/** One browser that opened a link; its cookie reads what was shared until the visit or the link ends. */
export interface ScanShareVisitTable {
  id: Generated<string>
  share_id: string
  token_hash: string
  /** Of the recipient, where a code proved it. */
  email: string | null
  opened_date: Generated<Date>
  expires_date: Date
}

export interface ScanConflictTable {
  id: Generated<string>
  organization_id: string
  /** Hash of all that makes it the same conflict when more of its objects arrive. */
  identity: string
  kind: scan.ConflictKind
  /** Both sides are stored; otherwise what arrived was refused. */
  is_stored: boolean
  /** The stored side. */
  study_uid: string
  series_uid: string | null
  arrived: Json<scan.ConflictSide>
  objects: Generated<number>
  source: string
  /** The name of the machine that sent it, whose owner is `sent_by`. */
  sender: string | null
  sent_by: string | null
  created_date: Generated<Date>
  last_date: Generated<Date>
  settled_date: Date | null
  settled_by: string | null
}

export interface ScanConflictObjectTable {
  conflict_id: string
  sop_instance_uid: string
  sha256: string
}

/** Organizations whose scans of earlier versions were looked through for conflicts. */
export interface ScanConflictSearchTable {
  organization_id: string
  done_date: Generated<Date>
}

export interface ScanFilterTable {
  id: Generated<string>
  user_id: string
  name: string
  search: string
  sort_column: string
  sort_direction: string
  /** The list that it is for. */
  place: Generated<scan.ViewPlace>
  /** Of a view the whole address of its list: search, filters, order; of the worklist also the columns. */
  query: Generated<string>
  /** Seen by everybody in the owner's organization. */
  is_shared: Generated<boolean>
  created_date: Generated<Date>
}

/** One row per study, kept by the database (0019-worklist). */
export interface StudySummaryTable {
  organization_id: string
  study_uid: string
  patient_name: string
  patient_id: string
  study_date: string
  description: string
  modalities: string[]
  body_parts: string[]
  sources: string[]
  compatible_saas: organization.SaasName[]
  series: number
  /** When the newest series came. */
  arrived_date: Date
  words: string
}

export interface OpenedStudyTable {
  user_id: string
  organization_id: string
  study_uid: string
  opened_date: Generated<Date>
}

export interface ScanTables extends TransferTables, BinTables {
  scan_conflicts: ScanConflictTable
  scan_conflict_objects: ScanConflictObjectTable
  scan_conflict_searches: ScanConflictSearchTable
  scan_filters: ScanFilterTable
  studies: StudyTable
  series: SeriesTable
  series_image_counts: SeriesImageCountTable
  series_headers: SeriesHeaderTable
  instances: InstanceTable
  scan_totals: ScanTotalTable
  object_removals: ObjectRemovalTable
  thumbnails: ThumbnailTable
  scan_launches: ScanLaunchTable
  scan_downloads: ScanDownloadTable
  scan_shares: ScanShareTable
  scan_share_series: ScanShareSeriesTable
  scan_share_visits: ScanShareVisitTable
  /** A view: every series of every link. */
  shared_series: ScanShareSeriesTable
  study_summaries: StudySummaryTable
  opened_studies: OpenedStudyTable
}
