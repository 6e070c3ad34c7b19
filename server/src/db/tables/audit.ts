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
  /** How `hash` was made: 1 without a key, 2 with the key of `key_id`. A server of the version before leaves it out. */
  hash_version: Generated<number>
  /** Names the key and says nothing about it. */
  key_id: string | null
}

/** One walk over the chains that somebody asked for. */
export interface AuditCheckTable {
  id: Generated<string>
  /** The only chain that is walked; null for all. */
  chain: string | null
  requested_by: string
  requested_date: Generated<Date>
  /** Of the last step: a walk that was silent for long is over. */
  progress_date: Generated<Date>
  rows_walked: Generated<number>
  finished_date: Date | null
  /** The verdict as JSON, and its keyed hash: the owner of the database cannot write one. */
  verdict: string | null
  verdict_mac: string | null
  key_id: string | null
}

export interface AuditTables {
  audit: AuditTable
  audit_checks: AuditCheckTable
}
