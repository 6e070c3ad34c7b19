import { recordChanges } from '../../../db/changes.ts'
import type { Job } from '../../../db/jobs.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import {
  beginTransfer,
  findScan,
  findTransfer,
  finishTransfer,
  letTransferWait,
  listUnfinishedScans,
  listUnfinishedTransfers,
  updateScan,
  type TransferRow,
  type TransferScanRow,
} from './transfer.repository.ts'
import { toLooks } from '../held/decision.ts'
import { findRevision, listHeldPictures, type HeldPicture } from '../held/heldPictures.ts'
import { findDecided, holdScan, listDecided, listLooks, type HoldRow } from '../held/holds.repository.ts'
import { takeBackCopies } from './copyRemoval.ts'
import { copySeries, CannotCopy, type CopyResult, type Looks } from './seriesCopy.ts'
import type { ReportedPictures } from './transferReport.ts'

const interruptedTooOften = 'The transfer was interrupted too often. Please start it again.'

/** Whoever stopped it has said so where this would stand. */
const stopped = 'The transfer was stopped.'

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
  const decided = await listDecided(db)
  await db.transaction().execute((trx) =>
    jobs.add(
      trx,
      'held-scan',
      decided.map(({ jobId: id, organizationId: group }) => ({ id, group })),
    ),
  )
  await jobs.work('transfer', maxConcurrentTransfers, (job) => runTransfer(deps, job))
  await jobs.work('transfer-given-up', 1, ({ id }) => abandonTransfer(deps, id))
  await jobs.work('held-scan', maxConcurrentTransfers, (job) => runHeldScan(deps, job))
  await jobs.work('held-scan-given-up', 1, ({ id }) => abandonHeldScan(deps, id))
}

/**
 * Runs one transfer to its end. It can be started again at any point: new UIDs come from the transfer's own secret, so
 * copies that exist already are recognized and never doubled. Throws when it is interrupted.
 */
export async function runTransfer(deps: Dependencies, { id, signal }: Job): Promise<void> {
  const { db } = deps
  // A server may have died before it could.
  await takeBackCopies(deps, id)
  const transfer = await beginTransfer(db, id)
  if (!transfer) return
  for (const scan of await listUnfinishedScans(db, id)) {
    signal.throwIfAborted()
    if (await updateScan(db, scan, { state: 'Running' })) await runScan(deps, transfer, scan, signal)
  }
  await endTransfer(deps, id)
  await letTransferWait(db, id)
}

/** Runs a scan to its end that was held back, once somebody has decided; `id` is that of the decision. */
export async function runHeldScan(deps: Dependencies, { id, signal }: Job): Promise<void> {
  const { db } = deps
  const hold = await findDecided(db, id)
  const transfer = hold && (await findTransfer(db, hold.transfer_id))
  const scan = hold && (await findScan(db, hold.transfer_id, hold.position))
  if (!scan) return
  await takeBackCopies(deps, scan.transfer_id)
  // A server of an earlier version, which knows no waiting, has finished it.
  if (!transfer) {
    await updateScan(db, scan, { state: 'Failed', message: interruptedTooOften })
    return
  }
  await runScan(deps, transfer, scan, signal, hold)
  await endTransfer(deps, transfer.id)
}

async function endTransfer({ db, inboxNews }: Dependencies, id: string): Promise<void> {
  for (const audience of await finishTransfer(db, id)) inboxNews(audience)
}

async function runScan(
  deps: Dependencies,
  transfer: TransferRow,
  scan: TransferScanRow,
  signal: AbortSignal,
  hold?: HoldRow,
): Promise<void> {
  const { db } = deps
  try {
    const held = await listHeld(deps, transfer, scan)
    if (held.length > 0 && !isDecidedOn(hold, held)) return await holdBack(deps, transfer, scan, held.length)
    if (hold?.decision === 'LeaveOut') throw new CannotCopy('Somebody who looked at the pictures left the scan out.')
    const looks: Looks = hold ? toLooks(hold.choice, held) : new Map()
    const result = await copySeries(deps, transfer, scan, looks, signal, async (done) => {
      if (!(await updateScan(db, scan, { images_done: done }))) throw new CannotCopy(stopped)
    })
    if (result) await finishScan(deps, transfer, scan, result, await countLooks(db, looks, hold))
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
  await takeBackCopies(deps, transfer.id)
  signal.throwIfAborted()
}

/** Done, and told to programs, or neither; it stays as it is where somebody has stopped it meanwhile. */
async function finishScan(
  { db, changeNews }: Dependencies,
  { organization_id: organizationId }: TransferRow,
  scan: TransferScanRow,
  result: CopyResult,
  pictures: ReportedPictures,
): Promise<void> {
  const { newSeriesUID, instances, report } = result
  const isKept = await db.transaction().execute(async (trx) => {
    const isUpdated = await updateScan(trx, scan, {
      state: 'Done',
      images_done: scan.images,
      new_series_uid: newSeriesUID,
      copy_series_uid: null,
      message: formatWarnings(result),
      report: JSON.stringify({
        done: Object.fromEntries(report.counts),
        warnings: [...report.warnings],
        instances,
        pictures,
      }),
    })
    const { study_uid: studyUID, series_uid: seriesUID } = scan
    if (isUpdated)
      await recordChanges(trx, organizationId, [{ kind: 'SeriesTransferred', studyUID, seriesUID, instances }])
    return isUpdated
  })
  if (isKept) changeNews(organizationId)
}

/** De-identified copies alone are held back: the others take all patient data along on purpose. */
async function listHeld(
  deps: Dependencies,
  { id, anonymize, organization_id: customer }: TransferRow,
  { series_uid }: TransferScanRow,
): Promise<HeldPicture[]> {
  return anonymize ? listHeldPictures(deps, customer, series_uid, { customer, person: `transfer ${id}` }) : []
}

/** A picture that came since then has been seen by nobody. */
const isDecidedOn = (hold: HoldRow | undefined, held: readonly HeldPicture[]): boolean =>
  hold?.decision === 'LeaveOut' || (hold?.decision === 'Send' && hold.revision === findRevision(held))

async function holdBack(
  deps: Dependencies,
  transfer: TransferRow,
  scan: TransferScanRow,
  pictures: number,
): Promise<void> {
  const request = { id: `transfer ${transfer.id}`, ip: 'this server' }
  // Nobody held it back but the server.
  await deps.write({ request }, async ({ trx, audit }) => {
    const holdId = await holdScan(trx, scan, pictures)
    await audit({
      event: 'ScansHeldBack',
      organizationId: transfer.organization_id,
      subject: { holdId, transferId: transfer.id, seriesUID: scan.series_uid, pictures },
    })
  })
}

/** A decision was interrupted again and again. */
export async function abandonHeldScan(deps: Dependencies, id: string): Promise<void> {
  const { db, jobs } = deps
  const hold = await findDecided(db, id)
  const scan = hold && (await findScan(db, hold.transfer_id, hold.position))
  if (scan) {
    await updateScan(db, scan, { state: 'Failed', message: interruptedTooOften })
    await endTransfer(deps, scan.transfer_id)
    await takeBackCopies(deps, scan.transfer_id)
  }
  await jobs.forget('held-scan', id)
}

/** The transfer was interrupted again and again: its user is told. */
export async function abandonTransfer(deps: Dependencies, id: string): Promise<void> {
  const { db, jobs } = deps
  for (const scan of await listUnfinishedScans(db, id))
    await updateScan(db, scan, {
      state: 'Failed',
      message: interruptedTooOften,
    })
  await endTransfer(deps, id)
  await takeBackCopies(deps, id)
  await jobs.forget('transfer', id)
}

/** What the report says of the pictures that were held back. */
async function countLooks(db: Dependencies['db'], looks: Looks, hold: HoldRow | undefined): Promise<ReportedPictures> {
  const decided = [...looks.values()]
  const seenElsewhere = hold ? [...(await listLooks(db, hold.id)).values()].filter((isShown) => !isShown).length : 0
  return {
    masked: decided.filter((look) => look !== 'leave out' && look.rectangles.length > 0).length,
    unchanged: decided.filter((look) => look !== 'leave out' && look.rectangles.length === 0).length,
    leftOut: decided.filter((look) => look === 'leave out').length,
    seenElsewhere,
    rectangles: hold?.choice.masks.reduce((sum, { rectangles }) => sum + rectangles.length, 0) ?? 0,
    decidedDate: hold?.decided_date?.toISOString() ?? null,
  }
}

const formatWarnings = ({ report }: CopyResult): string | null =>
  report.warnings.size > 0 ? [...report.warnings].join(' ') : null
