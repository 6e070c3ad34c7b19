import { createHash, randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Caller, Viewer } from '../core/context.ts'
import type { Tables } from './tables/index.ts'

/** Kinds of events, after the security and patient-record events of DICOM PS3.15 A.5 (ATNA). */
export const auditEvents = [
  'SignedIn',
  'SignInFailed',
  'SignedOut',
  'SessionEnded',
  'MfaFailed',
  'RefreshTokenReused',
  'TokenExchanged',
  'PasswordChanged',
  'PasswordResetRequested',
  'PasswordReset',
  'PasswordResetFailed',
  'LockoutLifted',
  'PreferencesChanged',
  'ProfileChanged',
  'UserViewed',
  'UsersExported',
  'UserAdded',
  'UserChanged',
  'UserActivated',
  'UserDeactivated',
  'TemporaryPasswordSent',
  'TermsSent',
  'OrganizationRenamed',
  'OrganizationActivated',
  'OrganizationDeactivated',
  'DatastoreCreated',
  'LicensesAssigned',
  'RegistrationViewed',
  'RegistrationsExported',
  'RegistrationAdded',
  'RegistrationApproved',
  'RegistrationRejected',
  'ComplaintViewed',
  'ComplaintsExported',
  'ComplaintAdded',
  'ComplaintStatusChanged',
  'ComplaintSeverityChanged',
  'ScansUploaded',
  'ScanViewed',
  'ScansQueried',
  'ScanDownloaded',
  'ScanShared',
  'ShareUsed',
  'ShareRevoked',
  'ScansTransferred',
  'ScansDeleted',
  'AccessRefused',
  'ApplicationErrorReported',
  'AdministratorCreated',
  'AuditExported',
  'ReleaseRolledBack',
  'CanaryPromoted',
  'CanaryStopped',
  'ReleaseOverridden',
] as const
export type AuditEvent = (typeof auditEvents)[number]

export interface AuditEntry {
  readonly event: AuditEvent
  readonly outcome?: 'success' | 'refused'
  /** Whose data it is about; the actor's organization where left out. */
  readonly organizationId?: string | null
  /** Ids and names of fields only: never a patient's name, a password, a token or a code (P23). */
  readonly subject?: Readonly<Record<string, unknown>>
}

export type Actor = Pick<Viewer, 'userId' | 'organizationId'> | null

/**
 * Appends one row to the chain of the organization, inside the transaction of what it records: if it cannot be
 * recorded, it does not happen. The lock on the chain is held until that transaction ends, so record last.
 */
export async function record(
  trx: Transaction<Tables>,
  actor: Actor,
  request: Pick<Caller, 'id' | 'ip'>,
  entry: AuditEntry,
): Promise<void> {
  const organizationId = entry.organizationId === undefined ? (actor?.organizationId ?? null) : entry.organizationId
  const chain = organizationId ?? 'platform'
  await sql`select pg_advisory_xact_lock(hashtext('audit'), hashtext(${chain}))`.execute(trx)
  const last = await trx
    .selectFrom('audit')
    .select(['position', 'hash'])
    .where('chain', '=', chain)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  const row = {
    id: randomUUID(),
    chain,
    position: (last?.position ?? 0) + 1,
    at: new Date(),
    event: entry.event,
    outcome: entry.outcome ?? 'success',
    actor_id: actor?.userId ?? null,
    organization_id: organizationId,
    subject: { ...entry.subject },
    request_id: request.id,
    address: request.ip,
    previous_hash: last?.hash ?? '',
  } as const
  await trx
    .insertInto('audit')
    .values({ ...row, hash: hashAuditRow(row) })
    .execute()
}

/** The hash covers every field and the hash before, so that a changed, missing or inserted row breaks the chain. */
export function hashAuditRow(row: Omit<Tables['audit'], 'id' | 'hash'> & { id: string }): string {
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
