import { limits } from '@dmp/contract'
import type { CallerReason, DicomCaller } from '@dmp/contract/dicomPartner'
import { sql } from 'kysely'
import { toAddressKey } from '../../core/addressKey.ts'
import type { Context, Viewer } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import { visibleTo } from '../../core/tenant.ts'
import type { Db } from '../../db/client.ts'
import type { Dependencies } from '../../dependencies.ts'

/** Somebody who was refused. */
export interface RefusedCaller {
  readonly organizationId: string
  readonly aeTitle: string
  readonly address: string
  readonly reason: CallerReason
  readonly fingerprint: string | null
}

export async function listCallers(db: Db, viewer: Viewer): Promise<DicomCaller[]> {
  const rows = await visibleTo(
    db
      .selectFrom('dicom_callers')
      .innerJoin('organizations as organization', 'organization.id', 'dicom_callers.organization_id')
      .leftJoin('dicom_partners', (join) =>
        join
          .onRef('dicom_partners.organization_id', '=', 'dicom_callers.organization_id')
          .onRef('dicom_partners.ae_title', '=', 'dicom_callers.ae_title')
          .on('dicom_partners.deleted_date', 'is', null),
      )
      .selectAll('dicom_callers')
      .select(['organization.name as organization_name', 'dicom_partners.id as partner_id']),
    viewer,
    'dicom_callers.organization_id',
  )
    .orderBy('dicom_callers.last_date', 'desc')
    .orderBy('dicom_callers.id')
    .limit(limits.dicomCallers * 10)
    .execute()
  return rows.map((row) => ({
    id: row.id,
    aeTitle: row.ae_title,
    address: row.address,
    reason: row.reason,
    fingerprint: row.fingerprint,
    partnerId: row.partner_id,
    times: row.times,
    firstDate: row.first_date.toISOString(),
    lastDate: row.last_date.toISOString(),
    organization: row.organization_name,
  }))
}

/**
 * Counts the call; what strangers send grows no further. Of each network the latest callers are kept in turn, so that
 * one that varies its title pushes out its own.
 */
export async function noteCaller(db: Db, caller: RefusedCaller, times: number): Promise<void> {
  const { organizationId, aeTitle, address, reason, fingerprint } = caller
  await sql`insert into dicom_callers (organization_id, ae_title, address, reason, fingerprint, times)
    values (${organizationId}, ${aeTitle}, ${address}, ${reason}, ${fingerprint}, ${times})
    on conflict (organization_id, ae_title, address) do update
      set times = least(dicom_callers.times + excluded.times, 1000000000), last_date = now(),
        reason = excluded.reason, fingerprint = excluded.fingerprint`.execute(db)
  const rows = await db
    .selectFrom('dicom_callers')
    .select(['id', 'address'])
    .where('organization_id', '=', organizationId)
    .orderBy('last_date', 'desc')
    .orderBy('id')
    .execute()
  const surplus = listSurplus(rows)
  if (surplus.length > 0) await db.deleteFrom('dicom_callers').where('id', 'in', surplus).execute()
}

/** The newest of each network come first, then the second of each. */
function listSurplus(newestFirst: readonly { readonly id: string; readonly address: string }[]): string[] {
  const counts = new Map<string, number>()
  const placed = newestFirst.map(({ id, address }) => {
    const network = toAddressKey(address)
    const place = counts.get(network) ?? 0
    counts.set(network, place + 1)
    return { id, place }
  })
  return placed
    .toSorted((one, other) => one.place - other.place)
    .slice(limits.dicomCallers)
    .map(({ id }) => id)
}

export async function dismissCaller(
  { write }: Pick<Dependencies, 'write'>,
  context: Context,
  id: string,
): Promise<null> {
  return write(context, async ({ trx, audit }) => {
    const row = await visibleTo(
      trx.selectFrom('dicom_callers').selectAll(),
      context.viewer,
      'dicom_callers.organization_id',
    )
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!row) throw notFound()
    await trx.deleteFrom('dicom_callers').where('id', '=', id).execute()
    const { organization_id: organizationId, ae_title: aeTitle, address } = row
    await audit({ event: 'DicomCallerDismissed', organizationId, subject: { aeTitle, address } })
    return null
  })
}
