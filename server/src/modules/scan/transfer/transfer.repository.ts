import type { scan } from '@dmp/contract'
import { sql, type Selectable, type Transaction } from 'kysely'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Db, Source } from '../../../db/client.ts'
import type { InboxAudience } from '../../../db/inboxFacts.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { SeriesTable } from '../../../db/tables/scan.ts'
import type { TransferScanTable, TransferTable } from '../../../db/tables/transfer.ts'

export type TransferRow = Selectable<TransferTable>
export type TransferScanRow = Selectable<TransferScanTable>

export type SeriesToTransfer = Pick<Selectable<SeriesTable>, 'study_uid' | 'series_uid' | 'images'>

const maxListed = 100
const unfinished = ['Queued', 'Running', 'Held'] as const

/** The series that the caller named: all of them, or 404 and nothing is transferred. */
export async function findSeries(
  db: Db,
  organizationId: string,
  requestedScans: ReadonlyArray<{ studyUID: string; seriesUID: string }>,
): Promise<SeriesToTransfer[]> {
  const uniqueScans = new Map(requestedScans.map((scan) => [scan.seriesUID, scan]))
  const rows = await db
    .selectFrom('series')
    .select(['study_uid', 'series_uid', 'images'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', 'in', [...uniqueScans.keys()])
    .execute()
  const rowsByUid = new Map(rows.map((row) => [row.series_uid, row]))
  return [...uniqueScans.values()].map((scan) => {
    const row = rowsByUid.get(scan.seriesUID)
    if (!row || row.study_uid !== scan.studyUID) throw notFound()
    return row
  })
}

export async function getTransfer(db: Db, userId: string, id: string): Promise<scan.Transfer> {
  const [transfer] = await listTransfers(db, userId, id)
  if (!transfer) throw notFound()
  return transfer
}

export async function listTransferScans(db: Db, id: string): Promise<TransferScanRow[]> {
  return db.selectFrom('transfer_scans').selectAll().where('transfer_id', '=', id).orderBy('position').execute()
}

/** Transfers of one user with their scans, newest first. */
export async function listTransfers(db: Db, userId: string, id?: string): Promise<scan.Transfer[]> {
  const transfers = await db
    .selectFrom('transfers')
    .leftJoin('transfer_projects', 'transfer_projects.id', 'transfers.project_id')
    .selectAll('transfers')
    .select('transfer_projects.name as project')
    .select(sql<number | null>`extract(epoch from transfers.leaves_date - now())::float8`.as('leaves_in_seconds'))
    .where('user_id', '=', userId)
    .$if(id !== undefined, (query) => query.where('transfers.id', '=', id ?? ''))
    .orderBy('transfers.created_date', 'desc')
    .orderBy('transfers.id')
    .limit(maxListed)
    .execute()
  if (transfers.length === 0) return []
  const scans = await db
    .selectFrom('transfer_scans')
    .innerJoin('transfers', 'transfers.id', 'transfer_scans.transfer_id')
    // The original may have been deleted in the meantime.
    .leftJoin('series', (join) =>
      join
        .onRef('series.organization_id', '=', 'transfers.organization_id')
        .onRef('series.series_uid', '=', 'transfer_scans.series_uid'),
    )
    .leftJoin('transfer_holds as hold', (join) =>
      join
        .onRef('hold.transfer_id', '=', 'transfer_scans.transfer_id')
        .onRef('hold.position', '=', 'transfer_scans.position'),
    )
    .selectAll('transfer_scans')
    .select(['series.description', 'hold.id as hold_id', 'hold.pictures', 'hold.decided_date'])
    .where(
      'transfer_scans.transfer_id',
      'in',
      transfers.map((transfer) => transfer.id),
    )
    .orderBy('transfer_scans.position')
    .execute()
  const scansByTransfer = Map.groupBy(scans, (transfer) => transfer.transfer_id)
  return transfers.map((transfer) => toTransfer(transfer, scansByTransfer.get(transfer.id) ?? []))
}

type ListedScan = TransferScanRow & {
  description: string | null
  hold_id: string | null
  pictures: number | null
  decided_date: Date | null
}

/** The note of a scan that somebody stopped, which tells it from others. */
const stoppedText = (fullName: string): string => `${fullName} stopped the transfer.`

/** Pages of earlier versions know neither the state nor the wait: they show a scan that has not begun, and why. */
function toResult(row: ListedScan): scan.Transfer['scans'][number] {
  const waits = row.state === 'Held' && row.decided_date === null
  return {
    seriesUID: row.series_uid,
    description: row.description ?? '',
    newSeriesUID: row.new_series_uid,
    state: row.state === 'Held' ? (waits ? 'Queued' : 'Running') : row.state,
    message: row.state === 'Held' && !waits ? null : row.message,
    ...(row.message?.endsWith(stoppedText('')) && { isStopped: true }),
    images: row.images,
    imagesDone: row.images_done,
    ...(waits && row.hold_id !== null && { held: { id: row.hold_id, pictures: row.pictures ?? 0 } }),
  }
}

type ListedTransfer = TransferRow & { project: string | null; leaves_in_seconds: number | null }

function toTransfer(transfer: ListedTransfer, scans: readonly ListedScan[]): scan.Transfer {
  const { state, leaves_in_seconds: leavesIn } = transfer
  return {
    id: transfer.id,
    createdDate: transfer.created_date.toISOString(),
    finishedDate: transfer.finished_date?.toISOString() ?? null,
    state: transfer.state === 'Held' ? 'Running' : transfer.state,
    dstOrganizationName: transfer.destination_name,
    anonymize: transfer.anonymize,
    project: transfer.project,
    // What has not begun in time waits for another transfer, and for nobody who may stop it.
    ...(state === 'Queued' && leavesIn !== null && leavesIn > 0 && { leavesInSeconds: Math.ceil(leavesIn) }),
    scans: scans.map(toResult),
  }
}

/** Series of a transfer that are still stored where it took them from. */
export async function listTransferredSeries(db: Db, id: string): Promise<Selectable<SeriesTable>[]> {
  return db
    .selectFrom('transfer_scans')
    .innerJoin('transfers', 'transfers.id', 'transfer_scans.transfer_id')
    .innerJoin('series', (join) =>
      join
        .onRef('series.organization_id', '=', 'transfers.organization_id')
        .onRef('series.series_uid', '=', 'transfer_scans.series_uid'),
    )
    .selectAll('series')
    .where('transfer_scans.transfer_id', '=', id)
    .orderBy('transfer_scans.position')
    .execute()
}

/** Where a transfer of this person takes its scans from; 404 for everybody else. */
export async function getSource(db: Db, userId: string, id: string): Promise<string> {
  const transfer = await db
    .selectFrom('transfers')
    .select('organization_id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (!transfer) throw notFound()
  return transfer.organization_id
}

/** Transfers that were never finished: each has its job, or gets one at the next start. */
export async function listUnfinishedTransfers(db: Db): Promise<{ id: string; organization_id: string }[]> {
  return db
    .selectFrom('transfers')
    .select(['id', 'organization_id'])
    .where('state', 'in', ['Queued', 'Running'])
    .execute()
}

/** Marks a transfer as running and returns it; `undefined` when it is finished. */
export async function beginTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  return db
    .updateTable('transfers')
    .set({ state: 'Running' })
    .where('id', '=', id)
    .where('finished_date', 'is', null)
    .returningAll()
    .executeTakeFirst()
}

export async function listUnfinishedScans(db: Db, id: string): Promise<TransferScanRow[]> {
  return db
    .selectFrom('transfer_scans')
    .selectAll()
    .where('transfer_id', '=', id)
    .where('state', 'in', ['Queued', 'Running'])
    .orderBy('position')
    .execute()
}

/** False when the scan has come to its end in the meantime: somebody stopped it. */
export async function updateScan(
  db: Source,
  row: TransferScanRow,
  changes: {
    state?: TransferScanRow['state']
    message?: string | null
    images_done?: number
    new_series_uid?: string
    copy_series_uid?: null
    report?: string
  },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('transfer_scans')
    .set(changes)
    .where('transfer_id', '=', row.transfer_id)
    .where('position', '=', row.position)
    .where('state', 'in', unfinished)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Ends what is left of a transfer; returns the series that will not arrive. Throws 404, 409 when nothing is left. */
export async function stopTransfer(
  trx: Transaction<Tables>,
  userId: string,
  id: string,
  fullName: string,
): Promise<{ readonly organizationId: string; readonly series: readonly string[] }> {
  const transfer = await trx
    .selectFrom('transfers')
    .select('organization_id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  if (!transfer) throw notFound()
  const stopped = await trx
    .updateTable('transfer_scans')
    .set({ state: 'Failed', images_done: 0, message: stoppedText(fullName) })
    .where('transfer_id', '=', id)
    .where('state', 'in', unfinished)
    .returning('series_uid')
    .execute()
  if (stopped.length === 0) throw new Refusal(409, 'UNCHANGED', 'This transfer has finished already.')
  await finishTransfer(trx, id, true)
  return { organizationId: transfer.organization_id, series: stopped.map(({ series_uid }) => series_uid) }
}

/**
 * Ends a transfer of which no scan is left: done when at least one arrived. A secret of its own is forgotten, so that
 * new UIDs can no longer be traced to old ones. Whoever asked for it is told in the same statement, unless they stopped
 * it themselves; returns whose inbox has changed.
 */
export async function finishTransfer(db: Source, id: string, isStopped = false): Promise<InboxAudience[]> {
  const isLeft = sql`exists (select 1 from transfer_scans s
    where s.transfer_id = transfers.id and s.state in ('Queued', 'Running', 'Held'))`
  const { rows } = await sql<{ user_id: string }>`
    with ended as (
      update transfers set finished_date = now(), secret = null,
        state = case when exists (
            select 1 from transfer_scans s where s.transfer_id = transfers.id and s.state = 'Done')
          then 'Done' else 'Failed' end
        where id = ${id} and finished_date is null and not ${isLeft}
        returning id, user_id, organization_id, case when state = 'Done' and exists (
            select 1 from transfer_scans s where s.transfer_id = transfers.id and s.state = 'Failed')
          then 'Partly' else state end as state)
    insert into inbox_facts (kind, user_id, organization_id, subject, state)
      select 'TransferDone', user_id, organization_id, id::text, state from ended where not ${isStopped}::boolean
      returning user_id`.execute(db)
  return rows.map(({ user_id: userId }) => ({ userId, organizationId: null }))
}

/** What is left of it waits until somebody has looked. */
export async function letTransferWait(db: Db, id: string): Promise<void> {
  await sql`update transfers set state = 'Held' where id = ${id} and finished_date is null and exists (
    select 1 from transfer_scans s where s.transfer_id = transfers.id and s.state = 'Held')`.execute(db)
}

export async function findTransfer(db: Db, id: string): Promise<TransferRow | undefined> {
  return db
    .selectFrom('transfers')
    .selectAll()
    .where('id', '=', id)
    .where('finished_date', 'is', null)
    .executeTakeFirst()
}

export async function findScan(db: Db, transferId: string, position: number): Promise<TransferScanRow | undefined> {
  return db
    .selectFrom('transfer_scans')
    .selectAll()
    .where('transfer_id', '=', transferId)
    .where('position', '=', position)
    .executeTakeFirst()
}
