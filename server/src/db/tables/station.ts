import type { SystemName } from '@dmp/contract/station'
import type { ColumnType, Generated } from 'kysely'

/** A machine with an uploader, as it told of itself last. */
export interface StationTable {
  id: Generated<string>
  organization_id: string
  /** The API token, or the person, with which it comes. */
  account_id: string
  /** Made by the uploader; unique for each account. */
  machine_id: string
  name: string
  version: string
  system: SystemName
  waiting: number
  /** A number that the driver gives as text. */
  waiting_bytes: ColumnType<string | number, number, number>
  sent: number
  refused: number
  failed: number
  is_paused: boolean
  is_deidentifying: Generated<boolean>
  address: string
  first_seen_date: Generated<Date>
  last_seen_date: Generated<Date>
}

export interface StationTables {
  stations: StationTable
}
