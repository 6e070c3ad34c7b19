import type { Job } from '../../../db/jobs.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import {
  beginTransfer,
  finishTransfer,
  listUnfinishedScans,
  listUnfinishedTransfers,
  updateScan,
  type TransferRow,
  type TransferScanRow,
} from './transfer.repository.ts'
import { copySeries, CannotCopy, type CopyResult } from './seriesCopy.ts'

/**
 * Transfers of different organizations; those of one organization wait for each other. So many may be under way because
 * they copy their images in turns (`seriesCopy.ts`): long ones of some organizations hold up nobody else's.
 */
const maxConcurrentTransfers = 16

/** Starts working on transfers in the background, beginning with those that a stop left unfinished. */
export async function startTransfers(deps: Dependencies): Promise<void> {
  const { db, jobs } = deps
  const unfinishedTransfers = await listUnfinishedTransfers(db)
  // Such a job exists already, unless this is the first version that makes jobs.
  await db.transaction().execute((trx) =>
    jobs.add(
      trx,
      'transfer',
      unfinishedTransfers.map((transfer) => ({ id: transfer.id, group: transfer.organization_id })),
    ),
  )
  await jobs.work('transfer', maxConcurrentTransfers, (job) => runTransfer(deps, job))
  await jobs.work('transfer-given-up', 1, ({ id }) => abandonTransfer(deps, id))
}

/**
 * Runs one transfer to its end. It can be started again at any point: new UIDs come from the transfer's own secret, so
 * copies that exist already are recognized and never doubled. Throws when it is interrupted.
 */
export async function runTransfer(deps: Dependencies, { id, signal }: Job): Promise<void> {
  const { db } = deps
  const transfer = await beginTransfer(db, id)
  if (!transfer) return
  for (const scan of await listUnfinishedScans(db, id)) {
    signal.throwIfAborted()
    await runScan(deps, transfer, scan, signal)
  }
  await finishTransfer(db, id)
}

async function runScan(
  deps: Dependencies,
  transfer: TransferRow,
  scan: TransferScanRow,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  await updateScan(db, scan, { state: 'Running' })
  try {
    const result = await copySeries(deps, transfer, scan, signal, (done) => updateScan(db, scan, { images_done: done }))
    if (result)
      await updateScan(db, scan, {
        state: 'Done',
        images_done: scan.images,
        new_series_uid: result.newSeriesUID,
        message: formatWarnings(result),
        report: JSON.stringify({
          done: Object.fromEntries(result.report.counts),
          warnings: [...result.report.warnings],
          instances: result.instances,
        }),
      })
  } catch (cause) {
    const message =
      cause instanceof CannotCopy
        ? cause.message
        : cause instanceof ObjectStoreError && cause.fault === 'FULL'
          ? 'The server is out of disk space, so this scan was not transferred. Please try again later, or tell the operator.'
          : 'Something went wrong. This scan was not transferred. Please try again later.'
    if (!(cause instanceof CannotCopy))
      deps.log.error(
        {
          transferId: transfer.id,
          position: scan.position,
          reason: cause instanceof Error ? cause.message : 'unknown',
        },
        'a scan was not transferred',
      )
    await updateScan(db, scan, { state: 'Failed', images_done: 0, message })
  }
  signal.throwIfAborted()
}

/** The transfer was interrupted again and again: its user is told. */
export async function abandonTransfer({ db, jobs }: Dependencies, id: string): Promise<void> {
  for (const scan of await listUnfinishedScans(db, id))
    await updateScan(db, scan, {
      state: 'Failed',
      message: 'The transfer was interrupted too often. Please start it again.',
    })
  await finishTransfer(db, id)
  await jobs.forget('transfer', id)
}

const formatWarnings = ({ report }: CopyResult): string | null =>
  report.warnings.size > 0 ? [...report.warnings].join(' ') : null
