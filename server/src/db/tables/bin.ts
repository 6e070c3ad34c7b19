import type { ColumnType, Generated } from 'kysely'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import type { InstanceTable } from './scan.ts'

type Kept<T> = ColumnType<T, string, never>

/** Of the rows of study and series, as they were, what is read of them here. */
interface KeptStudy {
  readonly attributes: JsonDataset
}
interface KeptSeries extends KeptStudy {
  readonly patient_name: string
  readonly patient_id: string
  readonly modality: string
  readonly description: string
}

/** A series that was deleted, or one image of it. */
export interface BinEntryTable {
  id: Generated<string>
  organization_id: string
  study_uid: string
  series_uid: string
  /** Where the rest of the series stayed. */
  sop_instance_uid: string | null
  study: Kept<KeptStudy>
  series: Kept<KeptSeries>
  instances: number
  images: number
  byte_size: ColumnType<string | number, number, never>
  /** A person, or the API token of a machine. */
  deleted_by: string
  deleted_by_user: string
  deleted_date: Generated<Date>
  /** Its bytes go from then on: nothing brings it back any more. */
  purge_began_date: Date | null
}

export interface BinInstanceTable extends Omit<InstanceTable, 'created_date'> {
  entry_id: string
  created_date: Date
}

export interface LegalHoldTable {
  id: Generated<string>
  organization_id: string
  study_uid: string
  reason: string
  is_by_provider: boolean
  held_by: string
  held_by_user: string
  held_date: Generated<Date>
  ended_by_user: string | null
  ended_date: Date | null
}

export interface BinTables {
  bin_entries: BinEntryTable
  bin_instances: BinInstanceTable
  bin_totals: { organization_id: string; byte_size: ColumnType<string | number, number, number> }
  legal_holds: LegalHoldTable
}
