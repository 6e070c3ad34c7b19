import type { Job } from '../../../db/jobs.ts'
import type { Dependencies } from '../../../dependencies.ts'
import {
  beginTransfer,
  finishTransfer,
  unfinishedScans,
  unfinishedTransfers,
  updateScan,
  type TransferRow,
  type TransferScanRow,
} from './transfer.repository.ts'
import { copySeries, CannotCopy, type CopyResult } from './copySeries.ts'

/** Of different organizations; those of one organization wait for each other. */
const AT_ONCE = 2

/** Does transfers in the background from now on, and goes on with those that were left behind. */
export async function workTransfers(deps: Dependencies): Promise<void> {
  const { db, jobs } = deps
  const left = await unfinishedTransfers(db)
  // A job of the same id is there already, unless this version is the first that makes them.
  await db.transaction().execute((trx) =>
    jobs.add(
      trx,
      'transfer',
      left.map((one) => ({ id: one.id, group: one.organization_id })),
    ),
  )
  await jobs.work('transfer', AT_ONCE, (job) => doTransfer(deps, job))
  await jobs.work('transfer-given-up', 1, ({ id }) => giveUp(deps, id))
}

/**
 * One transfer, to its end. It bears being begun again at any point: new UIDs come from the transfer's own secret, so
 * what was copied before is recognised and never doubled. Throws when it was interrupted.
 */
export async function doTransfer(deps: Dependencies, { id, signal }: Job): Promise<void> {
  const { db } = deps
  const transfer = await beginTransfer(db, id)
  if (!transfer) return
  for (const scan of await unfinishedScans(db, id)) {
    signal.throwIfAborted()
    await doScan(deps, transfer, scan, signal)
  }
  await finishTransfer(db, id)
}

async function doScan(
  deps: Dependencies,
  transfer: TransferRow,
  scan: TransferScanRow,
  signal: AbortSignal,
): Promise<void> {
  const { db } = deps
  await updateScan(db, scan, { state: 'Running' })
  try {
    const result = await copySeries(deps, transfer, scan, async (done) => {
      await updateScan(db, scan, { images_done: done })
      return !signal.aborted
    })
    if (result)
      await updateScan(db, scan, {
        state: 'Done',
        images_done: scan.images,
        new_series_uid: result.newSeriesUID,
        message: messageOf(result),
        report: JSON.stringify({
          done: Object.fromEntries(result.report.done),
          warnings: [...result.report.warnings],
          instances: result.instances,
        }),
      })
  } catch (cause) {
    const message =
      cause instanceof CannotCopy
        ? cause.message
        : 'Something went wrong. Nothing of this scan was transferred. Please try again later.'
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

/** Whatever kept it from being done did so again and again: whoever waits for it is told. */
export async function giveUp({ db, jobs }: Dependencies, id: string): Promise<void> {
  for (const scan of await unfinishedScans(db, id))
    await updateScan(db, scan, {
      state: 'Failed',
      message: 'This was interrupted too often and given up. Please start it again.',
    })
  await finishTransfer(db, id)
  await jobs.forget('transfer', id)
}

const messageOf = ({ report }: CopyResult): string | null =>
  report.warnings.size > 0 ? [...report.warnings].join(' ') : null
