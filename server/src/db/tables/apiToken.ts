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
  created_date: Generated<Date>
  expires_date: Date
  last_used_date: Date | null
  last_used_address: string | null
  ended_date: Date | null
  /** Shown name of the person who ended it. */
  ended_by: string | null
}

export interface ApiTokenTables {
  api_tokens: ApiTokenTable
}
