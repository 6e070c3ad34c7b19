import type { Activation } from '@dmp/contract'
import type {
  ExportReason,
  ExportState,
  ImportReason,
  ImportState,
  OrganizationImport,
  SaasName,
} from '@dmp/contract/organization'
import type { ColumnType, Generated } from 'kysely'

export interface OrganizationTable {
  id: Generated<string>
  /** Unique without regard to case. */
  name: string
  region_id: string | null
  status: Generated<Activation>
  status_date: Generated<Date>
  status_by: string
  /** `[0-9a-z]{32}`; null until the datastore is created. */
  datastore_id: string | null
  /** By which its DICOM partners call it: made of its id, so that no organization can take another one's. */
  ae_title: ColumnType<string, never, never>
  created_date: Generated<Date>
  updated_date: Generated<Date>
}

export interface RegionTable {
  id: string
  name: string
  is_default: boolean
  is_active: boolean
  position: number
}

/** 1.05: what can be licensed. */
export interface LicenseTable {
  id: string
  saas: SaasName
  position: number
}

/** 4.06: a license that an organization has or had. */
export interface OrganizationLicenseTable {
  id: Generated<string>
  organization_id: string
  license_id: string
  is_active: boolean
  is_automatic_analysis: boolean
}

/** A complaint, a link or an audit event of where the organization was before, as it was exported there. */
export interface ImportedRecordTable {
  organization_id: string
  kind: string
  source_id: string
  content: ColumnType<Record<string, unknown>, string, never>
  imported_date: Generated<Date>
}

/** What share pages and mails of an organization bear: a PNG that the server drew. */
export interface OrganizationLogoTable {
  organization_id: string
  content: Buffer
  width: number
  height: number
  updated_date: Generated<Date>
}

/** An archive of an organization that an administrator asked for. */
export interface OrganizationExportTable {
  id: Generated<string>
  organization_id: string
  user_id: string
  created_by: string
  created_date: Generated<Date>
  state: Generated<ExportState>
  reason: ExportReason | null
  ended_by: string | null
  objects: Generated<number>
  objects_done: Generated<number>
  archive_bytes: ColumnType<string | null, number | null, number | null>
  ready_date: Date | null
  expires_date: Date | null
}

/** A stretch of the archive: a set of scans, or (the last one) records. */
export interface OrganizationExportPartTable {
  export_id: string
  position: number
  start: ColumnType<string, string | number>
  bytes: ColumnType<string, string | number>
  directory_bytes: ColumnType<string, string | number>
  files: number
  objects: number
  /** Of a set: where the next one begins, and the hash of its list. */
  last_date: string | null
  last_series_uid: string | null
  sums_sha256: string | null
}

/** Packed, and sealed where encryption is on; piece 0 of a part lists its files. */
export interface OrganizationExportPieceTable {
  export_id: string
  position: number
  piece: number
  content: Buffer
  key_id: string | null
}

/** An exported archive that an administrator brings in. `result` grows set by set. */
export interface OrganizationImportTable {
  id: Generated<string>
  organization_id: string
  user_id: string
  created_by: string
  created_date: Generated<Date>
  state: Generated<ImportState>
  reason: ImportReason | null
  ended_by: string | null
  ended_date: Date | null
  alive_date: Generated<Date>
  archive_bytes: ColumnType<string, number, number>
  bytes_arrived: ColumnType<string, number | undefined, number>
  tries: Generated<number>
  sets_done: Generated<number>
  files_done: Generated<number>
  result: ColumnType<ImportResult, string, string>
}

/** What became of the archive so far. */
export type ImportResult = Pick<
  OrganizationImport,
  'from' | 'objects' | 'stored' | 'present' | 'refused' | 'refusals' | 'records' | 'files'
>

/** An address that somebody downloads by. */
export interface OrganizationExportAddressTable {
  token_hash: string
  export_id: string
  user_id: string
  session_id: string
  expires_date: Date
  uses: Generated<number>
}

export interface OrganizationTables {
  organization_exports: OrganizationExportTable
  organization_export_parts: OrganizationExportPartTable
  organization_export_pieces: OrganizationExportPieceTable
  organization_export_addresses: OrganizationExportAddressTable
  organization_imports: OrganizationImportTable
  imported_records: ImportedRecordTable
  organizations: OrganizationTable
  organization_logos: OrganizationLogoTable
  regions: RegionTable
  licenses: LicenseTable
  organization_licenses: OrganizationLicenseTable
}
