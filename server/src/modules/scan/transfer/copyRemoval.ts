import { sql } from 'kysely'
import type { Dependencies } from '../../../dependencies.ts'
import { deleteSeries } from '../deletion/deletion.repository.ts'
import { removeObjects } from '../intake/objectRecovery.ts'
import type { TransferRow, TransferScanRow } from './transfer.repository.ts'

/** Notes which copy a scan begins, unless an earlier transfer of its project has brought that one: then it stays. */
export async function noteCopy(
  { db }: Dependencies,
  { id, destination_id: receiverId }: TransferRow,
  { position }: TransferScanRow,
  newSeriesUID: string,
): Promise<void> {
  await sql`update transfer_scans set copy_series_uid = ${newSeriesUID}
    where transfer_id = ${id} and position = ${position} and not exists (
      select 1 from series where organization_id = ${receiverId} and series_uid = ${newSeriesUID})`.execute(db)
}

/**
 * Takes back what has arrived of those scans of a transfer that failed or were stopped: all of a scan arrives, or
 * nothing. Can be done again at any point, also by another server than the one that copied.
 */
export async function takeBackCopies(deps: Dependencies, transferId: string): Promise<void> {
  const begun = await deps.db
    .selectFrom('transfer_scans as scan')
    .innerJoin('transfers as transfer', 'transfer.id', 'scan.transfer_id')
    .select(['scan.position', 'scan.copy_series_uid', 'transfer.destination_id as receiverId'])
    .select(['transfer.user_id as userId', 'transfer.organization_id as organizationId'])
    .where('scan.transfer_id', '=', transferId)
    .where('scan.state', '=', 'Failed')
    .where('scan.copy_series_uid', 'is not', null)
    .orderBy('scan.position')
    .execute()
  for (const { position, copy_series_uid: seriesUID, receiverId, ...viewer } of begun) {
    const request = { id: `transfer ${transferId}`, ip: 'this server' }
    await deps.write({ viewer, request }, async ({ trx, audit, tell }) => {
      const { instances, changes } = await deleteSeries(trx, receiverId, [seriesUID ?? ''])
      await trx
        .updateTable('transfer_scans')
        .set({ copy_series_uid: null })
        .where('transfer_id', '=', transferId)
        .where('position', '=', position)
        .execute()
      if (instances === 0) return
      const subject = { series: [seriesUID ?? ''], instances, reason: 'transfer failed' }
      await audit({ event: 'ScansDeleted', organizationId: receiverId, subject })
      await tell(receiverId, changes)
    })
  }
  if (begun.length > 0) await removeObjects(deps.db, deps.objects)
}
