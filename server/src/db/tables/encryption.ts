import type { Generated } from 'kysely'

/** Data keys, wrapped by a master key that the database does not hold. */
export interface OrganizationKeyTable {
  id: string
  organization_id: string
  wrapped: Uint8Array
  /** Id of the master key that wrapped it. */
  master: string
  created_date: Generated<Date>
  /** Null for the key that encrypts what is new; one of each organization. */
  retired_date: Date | null
}

export interface EncryptionTables {
  organization_keys: OrganizationKeyTable
}
