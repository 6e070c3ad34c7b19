import { sql, type Transaction } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { deleteScans } from '../deletion/deleteScans.ts'
import { deleteSeries, type Deleted, type Deletion } from '../deletion/deletion.repository.ts'
import { isSeriesHeld } from '../deletion/holds.repository.ts'
import { handOverCopy, lockProject } from './transferProjects.ts'
import type { TransferRow, TransferScanRow } from './transfer.repository.ts'

/** Notes which copy a scan begins, unless an earlier transfer of its project has brought that one: then it stays. */
export async function noteCopy(
  { db }: Dependencies,
  { id, destination_id: receiverId, project_id: projectId }: TransferRow,
  { position }: TransferScanRow,
  newSeriesUID: string,
): Promise<void> {
  // Whoever takes a copy of the project back right now has not seen that this scan needs it.
  if (projectId !== null) await db.transaction().execute((trx) => lockProject(trx, projectId))
  await sql`update transfer_scans set copy_series_uid = ${newSeriesUID}
    where transfer_id = ${id} and position = ${position} and not exists (
      select 1 from series where organization_id = ${receiverId} and series_uid = ${newSeriesUID})`.execute(db)
}

/**
 * Takes back what has arrived of those scans of a transfer that failed or were stopped: all of a scan arrives, or
 * nothing. Can be done again at any point, also by another server than the one that copied.
 */
export async function takeBackCopies(deps: Dependencies, transferId: string): Promise<void> {
  for (const copy of await listBegun(deps.db, transferId)) {
    const { userId, organizationId, receiverId, seriesUID } = copy
    const context = {
      viewer: { userId, organizationId },
      request: { id: `transfer ${transferId}`, ip: 'this server' },
    }
    const takeBack = async (trx: Transaction<Tables>, deletion: Deletion): Promise<Deleted> => {
      if (await isToStay(trx, copy)) throw new Stays()
      const deleted = await deleteSeries(trx, receiverId, [seriesUID], deletion)
      await forget(trx, copy)
      return deleted
    }
    await deleteScans(deps, context, receiverId, takeBack, { reason: 'transfer failed', isFinal: true }).catch(
      async (cause: unknown) => {
        if (!(cause instanceof Stays)) throw cause
        await deps.db.transaction().execute(async (trx) => {
          if (await isToStay(trx, copy)) await forget(trx, copy)
        })
      },
    )
  }
}

/** Nothing has arrived, or what has arrived is another transfer's or held. */
class Stays extends Error {}

type BegunCopy = Awaited<ReturnType<typeof listBegun>>[number]

const listBegun = (db: Db, transferId: string) =>
  db
    .selectFrom('transfer_scans as scan')
    .innerJoin('transfers as transfer', 'transfer.id', 'scan.transfer_id')
    .select(['scan.transfer_id as id', 'scan.position', 'scan.series_uid as originalUID'])
    .select(sql<string>`scan.copy_series_uid`.as('seriesUID'))
    .select(['transfer.project_id as projectId', 'transfer.destination_id as receiverId'])
    .select(['transfer.user_id as userId', 'transfer.organization_id as organizationId'])
    .where('scan.transfer_id', '=', transferId)
    .where('scan.state', '=', 'Failed')
    .where('scan.copy_series_uid', 'is not', null)
    .orderBy('scan.position')
    .execute()

async function isToStay(trx: Transaction<Tables>, copy: BegunCopy): Promise<boolean> {
  if (copy.projectId !== null) {
    await lockProject(trx, copy.projectId)
    if (await handOverCopy(trx, { ...copy, projectId: copy.projectId })) return true
  }
  const arrived = await trx
    .selectFrom('series')
    .select('series_uid')
    .where('organization_id', '=', copy.receiverId)
    .where('series_uid', '=', copy.seriesUID)
    .executeTakeFirst()
  // A hold keeps what is there, whatever became of the rest.
  return arrived === undefined || (await isSeriesHeld(trx, copy.receiverId, copy.seriesUID))
}

async function forget(trx: Transaction<Tables>, { id, position }: BegunCopy): Promise<void> {
  await trx
    .updateTable('transfer_scans')
    .set({ copy_series_uid: null })
    .where('transfer_id', '=', id)
    .where('position', '=', position)
    .execute()
}
