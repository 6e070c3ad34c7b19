import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { sharedDate } from '../core/clock.ts'
import type { Caller, Viewer } from '../core/context.ts'
import { hashAuditRow, keyedVersion, type AuditKeys } from './auditHash.ts'
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
  'OrganizationAdded',
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
  'ComplaintAssigned',
  'ComplaintAnswered',
  'ScansUploaded',
  'ScanViewed',
  'ScansQueried',
  'ScanDownloaded',
  'ScanShared',
  'ShareUsed',
  'ShareRevoked',
  'ScansTransferred',
  'TransferStopped',
  'ScansHeldBack',
  'HeldScansDecided',
  'ScansDeleted',
  'ScanConflictFound',
  'ScanConflictSettled',
  'ApiTokenAdded',
  'ApiTokenEnded',
  'DeviceApproved',
  'DeviceDenied',
  'WebhookAdded',
  'WebhookChanged',
  'WebhookPaused',
  'WebhookResumed',
  'WebhookSecretRenewed',
  'WebhookReplayed',
  'WebhookTested',
  'WebhookDeleted',
  'DicomPartnerAdded',
  'DicomPartnerChanged',
  'DicomPartnerDisabled',
  'DicomPartnerEnabled',
  'DicomPartnerDeleted',
  'DicomCallerDismissed',
  'AccessRefused',
  'ApplicationErrorReported',
  'AdministratorCreated',
  'SetupTested',
  'SetupDismissed',
  'AuditExported',
  'StoreRepaired',
  'AuditChecked',
  'AuditChainKeyed',
  'ReleaseRolledBack',
  'ReleaseKept',
  'ReleaseNoLongerKept',
  'CanaryPromoted',
  'CanaryStopped',
  'ReleaseOverridden',
  'EncryptionKeyAdded',
  'EncryptionKeysRewrapped',
  'ScansEncrypted',
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

export type Actor = Pick<Viewer, 'userId' | 'ownerId' | 'organizationId'> | null

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
  await sql`select pg_advisory_xact_lock(hashtext('audit'), hashtext(${chain}))`.execute(trx)
  return trx
    .selectFrom('audit')
    .select(['position', 'hash', 'hash_version'])
    .where('chain', '=', chain)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/**
 * Appends one row to the chain of the organization, inside the transaction of what it records: if it cannot be
 * recorded, it does not happen. The lock on the chain is held until that transaction ends, so record last.
 */
export async function record(
  { trx, keys }: AuditChain,
  actor: Actor,
  request: Pick<Caller, 'id' | 'ip'>,
  entry: AuditEntry,
): Promise<void> {
  const organizationId = entry.organizationId === undefined ? (actor?.organizationId ?? null) : entry.organizationId
  const chain = toChain(organizationId)
  const last = await lockChain(trx, chain)
  const row = {
    id: randomUUID(),
    chain,
    position: (last?.position ?? 0) + 1,
    at: sharedDate(),
    event: entry.event,
    outcome: entry.outcome ?? 'success',
    actor_id: actor?.userId ?? null,
    organization_id: organizationId,
    subject: { ...entry.subject },
    request_id: request.id,
    address: request.ip,
    previous_hash: last?.hash ?? '',
    hash_version: keyedVersion,
    key_id: keys.current.id,
  } as const
  const hash = hashAuditRow(row, keys)
  if (hash === undefined) throw new Error('An audit row without a hash.')
  await trx
    .insertInto('audit')
    .values({ ...row, hash })
    .execute()
}
