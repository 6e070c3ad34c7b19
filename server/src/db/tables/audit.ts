import type { Generated } from 'kysely'

/**
 * Append-only: triggers refuse update, delete and truncate. Each row carries the hash of the one before it in its
 * chain.
 */
export interface AuditTable {
  id: Generated<string>
  /** One chain per organization; `platform` for what belongs to none. */
  chain: string
  position: number
  at: Date
  event: string
  outcome: 'success' | 'refused'
  actor_id: string | null
  organization_id: string | null
  /** Ids and names of fields, never names of patients, passwords, tokens or codes. */
  subject: Record<string, unknown>
  request_id: string
  address: string
  previous_hash: string
  hash: string
}

export interface AuditTables {
  audit: AuditTable
}
