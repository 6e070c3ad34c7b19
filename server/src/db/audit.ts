import { randomUUID } from 'node:crypto'
import type { AuditEvent } from '@dmp/contract/auditEvents'
import type { Transaction } from 'kysely'
import { sharedDate } from '../core/clock.ts'
import type { Caller, Viewer } from '../core/context.ts'
import { hashAuditRow, keyedVersion, type AuditKeys } from './auditHash.ts'
import { prepared } from './prepared.ts'
import type { Tables } from './tables/index.ts'

export interface AuditEntry {
  readonly event: AuditEvent
  readonly outcome?: 'success' | 'refused'
  /** Whose data it is about; the actor's organization where left out. */
  readonly organizationId?: string | null
  /** Ids and names of fields only: never a patient's name, a password, a token or a code (P23). */
  readonly subject?: Readonly<Record<string, unknown>>
  /** False where it is certain that it concerns nobody else's inbox, so that nobody is looked for. */
  readonly isNews?: boolean
}

/** `fullName` where it is a machine's, whose name stands beside what it sent. */
export type Actor = (Pick<Viewer, 'userId' | 'ownerId' | 'organizationId'> & Partial<Pick<Viewer, 'fullName'>>) | null

/** What a row is appended with. */
export interface AuditChain {
  readonly trx: Transaction<Tables>
  readonly keys: AuditKeys
}

export const toChain = (organizationId: string | null): string => organizationId ?? 'platform'

/** Until the transaction ends nobody else appends to the chain. Returns its newest row. */
export async function lockChain(
  trx: Transaction<Tables>,
  chain: string,
): Promise<(Pick<Tables['audit'], 'position' | 'hash'> & { hash_version: number }) | undefined> {
  const [newest] = await lockAndFind(trx, [chain])
  return newest
}

const lockAndFind = prepared<Pick<Tables['audit'], 'position' | 'hash'> & { hash_version: number }>(
  'select last_position as position, last_hash as hash, last_hash_version as hash_version from lock_audit_chain($1)',
)

/** What one caller did. */
export interface AuditedAct {
  readonly actor: Actor
  readonly request: Pick<Caller, 'id' | 'ip'>
  readonly entry: AuditEntry
}

const findOrganizationId = ({ actor, entry }: AuditedAct): string | null =>
  entry.organizationId === undefined ? (actor?.organizationId ?? null) : entry.organizationId

/**
 * Appends one row to the chain of the organization, inside the transaction of what it records: if it cannot be
 * recorded, it does not happen. The lock on the chain is held until that transaction ends, so record last.
 */
export const record = (
  chain: AuditChain,
  actor: Actor,
  request: Pick<Caller, 'id' | 'ip'>,
  entry: AuditEntry,
): Promise<void> => recordEach(chain, [{ actor, request, entry }])

/** The same for what several callers did to one organization in one transaction: a row for each of them. */
export async function recordEach({ trx, keys }: AuditChain, acts: readonly AuditedAct[]): Promise<void> {
  const [first] = acts
  if (!first) return
  const organizationId = findOrganizationId(first)
  if (acts.some((act) => findOrganizationId(act) !== organizationId))
    throw new Error('Audit rows of several organizations in one call.')
  const chain = toChain(organizationId)
  const last = await lockChain(trx, chain)
  const rows: ReturnType<typeof toRow>[] = []
  for (const act of acts) rows.push(toRow(act, { organizationId, chain }, rows.at(-1) ?? last, keys))
  const column = <K extends keyof (typeof rows)[number]>(name: K) => rows.map((row) => row[name])
  await append(trx, [
    organizationId,
    chain,
    keyedVersion,
    keys.current.id,
    column('id'),
    column('position'),
    rows.map(({ at }) => at.toISOString()),
    column('event'),
    column('outcome'),
    column('actor_id'),
    rows.map(({ subject }) => JSON.stringify(subject)),
    column('request_id'),
    column('address'),
    column('previous_hash'),
    column('hash'),
  ])
}

const append = prepared(`
  insert into audit (organization_id, chain, hash_version, key_id, id, position, at, event, outcome, actor_id, subject,
    request_id, address, previous_hash, hash)
  select $1, $2, $3, $4, id, position, at::timestamptz, event, outcome, actor_id, subject::jsonb, request_id, address,
    previous_hash, hash
  from unnest($5::uuid[], $6::int[], $7::text[], $8::text[], $9::text[], $10::uuid[], $11::text[], $12::text[],
    $13::text[], $14::text[], $15::text[])
    as row (id, position, at, event, outcome, actor_id, subject, request_id, address, previous_hash, hash)`)

function toRow(
  { actor, request, entry }: AuditedAct,
  { organizationId, chain }: { readonly organizationId: string | null; readonly chain: string },
  previous: Pick<Tables['audit'], 'position' | 'hash'> | undefined,
  keys: AuditKeys,
) {
  const row = {
    id: randomUUID(),
    chain,
    position: (previous?.position ?? 0) + 1,
    at: sharedDate(),
    event: entry.event,
    outcome: entry.outcome ?? 'success',
    actor_id: actor?.userId ?? null,
    organization_id: organizationId,
    subject: { ...entry.subject },
    request_id: request.id,
    address: request.ip,
    previous_hash: previous?.hash ?? '',
    hash_version: keyedVersion,
    key_id: keys.current.id,
  } as const
  const hash = hashAuditRow(row, keys)
  if (hash === undefined) throw new Error('An audit row without a hash.')
  return { ...row, hash }
}
