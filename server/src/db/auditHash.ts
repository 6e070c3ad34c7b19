import { createHash, createHmac, createSecretKey } from 'node:crypto'
import { isEqualSecret } from '../core/isEqualSecret.ts'
import type { Tables } from './tables/index.ts'

/** One key of the audit chain. The database holds its name and never the key. */
export interface AuditKey {
  /** Says in a row which key it was made with, and nothing about that key. */
  readonly id: string
  mac(text: string): string
}

export interface AuditKeys {
  /** New rows are made with it. */
  readonly current: AuditKey
  find(id: string | null): AuditKey | undefined
}

/** The first secret makes new rows; the others are earlier ones, with which old rows are verified. */
export function createAuditKeys(secrets: readonly string[]): AuditKeys {
  const keys = secrets.map(toKey)
  const current = keys[0]
  if (current === undefined) throw new Error('The audit chain has no key.')
  const byId = new Map(keys.map((key) => [key.id, key]))
  return { current, find: (id) => byId.get(id ?? '') }
}

function toKey(secret: string): AuditKey {
  const key = createSecretKey(createHmac('sha256', secret).update('audit chain').digest())
  const mac = (text: string): string => createHmac('sha256', key).update(text).digest('hex')
  return { id: mac('name of this key').slice(0, 12), mac }
}

/** A row without its hash. */
export type HashedFields = Omit<Tables['audit'], 'id' | 'hash' | 'hash_version'> & {
  readonly id: string
  readonly hash_version: number
}

/** Rows since migration 0011; rows before it have version 1. */
export const keyedVersion = 2

/**
 * The hash covers every field and the hash before, so that a changed, missing or inserted row breaks the chain.
 * Undefined where the row was made with a key, or in a way, that this server does not have.
 */
export function hashAuditRow(row: HashedFields, keys: AuditKeys): string | undefined {
  if (row.hash_version === 1) return hashWithoutKey(row)
  if (row.hash_version !== keyedVersion) return undefined
  const { id, chain, position, at, event, outcome, actor_id, organization_id, request_id, address, previous_hash } = row
  const fields = [id, chain, position, at.toISOString(), event, outcome, actor_id, organization_id]
  return keys
    .find(row.key_id)
    ?.mac(`audit row 2 ${canonicalJson([...fields, row.subject, request_id, address, previous_hash])}`)
}

/** Version 1: whoever may write to the database can make it anew, and `[]` and `{}` give the same. */
function hashWithoutKey(row: HashedFields): string {
  const fields = [
    row.id,
    row.chain,
    row.position,
    row.at.toISOString(),
    row.event,
    row.outcome,
    row.actor_id,
    row.organization_id,
    inOrder(row.subject),
    row.request_id,
    row.address,
    row.previous_hash,
  ]
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex')
}

/** jsonb forgets the order of keys, so the hash has one of its own. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => [key, inOrder(field)])
}

/**
 * JSON with the keys of its objects in order: equal for what JSON takes for equal, different for all else. A value that
 * is not JSON, such as a date, counts as what the database will hold of it.
 */
export function canonicalJson(value: unknown): string {
  const plain = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  )
  return plain ?? 'null'
}

/** The newest row of a chain at some moment, to be kept where the database's owner cannot write. */
export interface AuditHead {
  readonly chain: string
  readonly position: number
  readonly hash: string
  /** When it was written down. */
  readonly at: string
  readonly keyId: string
  readonly mac: string
}

const headText = ({ chain, position, hash, at, keyId }: Omit<AuditHead, 'mac'>): string =>
  `audit head ${canonicalJson([chain, position, hash, at, keyId])}`

export function signHead(
  head: Pick<AuditHead, 'chain' | 'position' | 'hash' | 'at'>,
  { current }: AuditKeys,
): AuditHead {
  const named = { ...head, keyId: current.id }
  return { ...named, mac: current.mac(headText(named)) }
}

/** Whether this installation wrote the head. */
export function isOwnHead(head: AuditHead, keys: AuditKeys): boolean {
  const mac = keys.find(head.keyId)?.mac(headText(head))
  return mac !== undefined && isEqualSecret(mac, head.mac)
}
