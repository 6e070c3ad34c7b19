import type { scan } from '@dmp/contract'
import { sql, type Selectable } from 'kysely'
import type { Db } from '../../../db/client.ts'
import type { TransferScanTable, TransferTable } from '../../../db/tables/scan.ts'

export type TransferRow = Selectable<TransferTable>
export type TransferScanRow = Selectable<TransferScanTable>

const LISTED = 100

/** Transfers of one user with their scans, newest first. */
export async function listTransfers(db: Db, userId: string, id?: string): Promise<scan.Transfer[]> {
  const transfers = await db
    .selectFrom('transfers')
    .selectAll()
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('id', '=', id ?? ''))
    .orderBy('created_date', 'desc')
    .orderBy('id')
    .limit(LISTED)
    .execute()
  if (transfers.length === 0) return []
  const scans = await db
    .selectFrom('transfer_scans')
    .innerJoin('transfers', 'transfers.id', 'transfer_scans.transfer_id')
    // The original may have been deleted meanwhile.
    .leftJoin('series', (join) =>
      join
        .onRef('series.organization_id', '=', 'transfers.organization_id')
        .onRef('series.series_uid', '=', 'transfer_scans.series_uid'),
    )
    .selectAll('transfer_scans')
    .select('series.description')
    .where(
      'transfer_id',
      'in',
      transfers.map((one) => one.id),
    )
    .orderBy('position')
    .execute()
  const ofTransfer = Map.groupBy(scans, (one) => one.transfer_id)
  return transfers.map((one) => asTransfer(one, ofTransfer.get(one.id) ?? []))
}

function asTransfer(
  one: TransferRow,
  scans: readonly (TransferScanRow & { description: string | null })[],
): scan.Transfer {
  return {
    id: one.id,
    createdDate: one.created_date.toISOString(),
    finishedDate: one.finished_date?.toISOString() ?? null,
    state: one.state,
    dstOrganizationName: one.destination_name,
    anonymize: one.anonymize,
    scans: scans.map((row) => ({
      seriesUID: row.series_uid,
      description: row.description ?? '',
      newSeriesUID: row.new_series_uid,
      state: row.state,
      message: row.message,
      images: row.images,
      imagesDone: row.images_done,
    })),
  }
}

/** Transfers that were never finished: each has its job, or gets one at the next start. */
export async function unfinishedTransfers(db: Db): Promise<{ id: string; organization_id: string }[]> {
  return db
    .selectFrom('transfers')
    .select(['id', 'organization_id'])
    .where('state', 'in', ['Queued', 'Running'])
    .execute()
}

/** The transfer, from now on running; `undefined` when it is finished. */
export async function beginTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  return db
    .updateTable('transfers')
    .set({ state: 'Running' })
    .where('id', '=', id)
    .where('finished_date', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function unfinishedScans(db: Db, id: string): Promise<TransferScanRow[]> {
  return db
    .selectFrom('transfer_scans')
    .selectAll()
    .where('transfer_id', '=', id)
    .where('state', 'in', ['Queued', 'Running'])
    .orderBy('position')
    .execute()
}

export async function updateScan(
  db: Db,
  row: TransferScanRow,
  changes: {
    state?: TransferScanRow['state']
    message?: string | null
    images_done?: number
    new_series_uid?: string
    report?: string
  },
): Promise<void> {
  await db
    .updateTable('transfer_scans')
    .set(changes)
    .where('transfer_id', '=', row.transfer_id)
    .where('position', '=', row.position)
    .execute()
}

/**
 * Done when at least one scan arrived. The secret is forgotten: from now on nobody can tell which new UID was which.
 */
export async function finishTransfer(db: Db, id: string): Promise<void> {
  await sql`update transfers set state = case when exists (select 1 from transfer_scans s where s.transfer_id =
  transfers.id and s.state = 'Done') then 'Done' else 'Failed' end,
    finished_date = now(), secret = null where id = ${id}`.execute(db)
}
