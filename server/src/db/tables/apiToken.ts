import type { ScopeName } from '@dmp/contract/apiToken'
import type { Generated } from 'kysely'

/** A credential of a machine. */
export interface ApiTokenTable {
  id: Generated<string>
  organization_id: string
  /** The person who made it: it never has more rights than this person has at the moment. */
  owner_id: string
  /** Unique among those of the organization that have not ended, without regard to case. */
  name: string
  /** SHA-256 of the secret. */
  hash: string
  /** Last characters of the secret. */
  hint: string
  scopes: ScopeName[]
  /** Networks that it may be used from; empty for all. */
  addresses: string[]
  /** The parts whose releases it is for; empty unless its scopes are those of releases. */
  parts: Generated<string[]>
  /** Email addresses, in small letters, of those who may open the previews that it makes. */
  previewers: Generated<string[]>
  created_date: Generated<Date>
  expires_date: Date
  last_used_date: Date | null
  last_used_address: string | null
  ended_date: Date | null
  /** Shown name of the person who ended it. */
  ended_by: string | null
}

/** A machine that asks for an API token by a code (RFC 8628), in its own words, and what became of it. */
export interface DeviceCodeTable {
  /** Keyed hashes of the code that the machine keeps, and of the one that it shows. */
  device_code_hash: string
  user_code_hash: string
  client_id: string
  name: string
  asked_scopes: ScopeName[]
  address: string
  address_key: string
  created_date: Generated<Date>
  expires_date: Date
  /** How long it waits between two questions; grows with each that comes too early. */
  interval_seconds: number
  polled_date: Date | null
  denied_date: Date | null
  /** What was approved, by whom and for which organization; all of them null until then. */
  approver_id: string | null
  organization_id: string | null
  approved_name: string | null
  approved_scopes: ScopeName[] | null
  approved_addresses: string[] | null
  approved_days: number | null
  /** When the API token was made and handed out, once. */
  collected_date: Date | null
}

export interface ApiTokenTables {
  api_tokens: ApiTokenTable
  device_codes: DeviceCodeTable
}
