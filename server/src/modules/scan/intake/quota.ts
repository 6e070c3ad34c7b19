import type { Transaction } from 'kysely'
import { failureReason } from '@dmp/dicom'
import { Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Settings } from '../../../settings/settings.ts'
import type { IntakeOutcome, PreparedObject } from './intake.ts'

export type QuotaSettings = Pick<Settings, 'organizationQuotaGigabytes'>

/** Another upload took the room meanwhile. */
export class QuotaExceeded extends Error {}

export const quotaBytes = ({ organizationQuotaGigabytes }: QuotaSettings): number =>
  (organizationQuotaGigabytes ?? Number.POSITIVE_INFINITY) * 2 ** 30

const sentence = ({ organizationQuotaGigabytes }: QuotaSettings): string =>
  `The storage of this organization is full. It may hold ${organizationQuotaGigabytes} GB. Delete scans that are not needed any more, also from the bin, or ask your provider for more room.`

export const hasQuota = (settings: QuotaSettings): boolean => settings.organizationQuotaGigabytes !== undefined

interface QuotaDependencies {
  readonly db: Db
  readonly settings: QuotaSettings
}

/** Before bytes are sent in vain. What is stored is judged when it is committed. */
export async function assertRoom(
  { db, settings }: QuotaDependencies,
  organizationId: string,
  bytes: number,
): Promise<void> {
  if (hasQuota(settings) && (await readStoredBytes(db, organizationId)) + bytes > quotaBytes(settings))
    throw new Refusal(413, 'QUOTA', sentence(settings))
}

/** The objects that fit, in their order; the others are refused. */
export async function listFitting(
  { db, settings }: QuotaDependencies,
  organizationId: string,
  objects: readonly PreparedObject[],
): Promise<readonly PreparedObject[]> {
  if (!hasQuota(settings) || objects.length === 0) return objects
  let bytes = await readStoredBytes(db, organizationId)
  return objects.filter(({ staged }) => {
    const fits = bytes + staged.size <= quotaBytes(settings)
    if (fits) bytes += staged.size
    return fits
  })
}

/** Within the transaction that added the objects: two uploads at once cannot both take the last room. */
export async function assertWithinQuota(
  trx: Transaction<Tables>,
  settings: QuotaSettings,
  organizationId: string,
): Promise<void> {
  if (hasQuota(settings) && (await readStoredBytes(trx, organizationId)) > quotaBytes(settings))
    throw new QuotaExceeded()
}

/** Scans, those in the bin as well, and the pictures of complaints. */
async function readStoredBytes(db: Db, organizationId: string): Promise<number> {
  let bytes = 0
  for (const table of ['scan_totals', 'bin_totals', 'complaint_picture_totals'] as const) {
    const totals = await db
      .selectFrom(table)
      .select('byte_size')
      .where('organization_id', '=', organizationId)
      .executeTakeFirst()
    bytes += Number(totals?.byte_size ?? 0)
  }
  return bytes
}

export const toQuotaOutcome = (settings: QuotaSettings, { ids }: PreparedObject): IntakeOutcome => ({
  kind: 'refused',
  reason: 'QUOTA',
  sentence: sentence(settings),
  failureCode: failureReason.outOfResources,
  identified: ids,
})
