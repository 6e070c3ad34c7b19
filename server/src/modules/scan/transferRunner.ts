import type { Parts } from '../../parts.ts'
import { claimTransfer, finishTransfer, releaseTransfer, renewClaim, unfinishedScans, updateScan, type TransferRow, type TransferScanRow } from './transfer.repository.ts'
import { copySeries, CannotCopy, type CopyResult } from './transferCopy.ts'

/** How long a transfer that was left behind by a dead server waits at most until somebody looks. */
const LOOK_EVERY_MS = 30_000

/**
 * Works transfers off in the background, one at a time in each server, out of the database: a restart goes on where the last one stopped.
 * New UIDs come from the transfer's own secret, so what was copied before is recognised and never doubled.
 */
export class TransferRunner {
  readonly #parts: Parts
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #isBusy = false
  #isStopping = false

  constructor(parts: Parts) {
    this.#parts = parts
  }

  start(): void {
    this.#timer = setInterval(() => this.kick(), LOOK_EVERY_MS).unref()
    this.kick()
  }

  /** Looks for work now. */
  kick(): void {
    if (this.#isBusy || this.#isStopping) return
    this.#isBusy = true
    this.#running = this.#work()
      .catch((cause: unknown) => this.#parts.log.error({ reason: cause instanceof Error ? cause.message : 'unknown' }, 'transfers stopped; they go on later'))
      .finally(() => {
        this.#isBusy = false
      })
  }

  /** Resolves when there is nothing to do or work was given back. */
  async idle(): Promise<void> {
    await this.#running
  }

  /** Stops between two images and gives the transfer back. */
  async close(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    await this.#running
  }

  async #work(): Promise<void> {
    for (let transfer = await claimTransfer(this.#parts.db); transfer; transfer = this.#isStopping ? undefined : await claimTransfer(this.#parts.db)) await this.#transfer(transfer)
  }

  async #transfer(transfer: TransferRow): Promise<void> {
    const { db } = this.#parts
    for (const scan of await unfinishedScans(db, transfer.id)) {
      if (this.#isStopping) return releaseTransfer(db, transfer.id)
      await this.#scan(transfer, scan)
    }
    if (this.#isStopping && (await unfinishedScans(db, transfer.id)).length > 0) return releaseTransfer(db, transfer.id)
    await finishTransfer(db, transfer.id)
  }

  async #scan(transfer: TransferRow, scan: TransferScanRow): Promise<void> {
    const { db } = this.#parts
    await updateScan(db, scan, { state: 'Running' })
    try {
      const result = await copySeries(this.#parts, transfer, scan, async (done) => {
        await updateScan(db, scan, { images_done: done })
        await renewClaim(db, transfer.id)
        return !this.#isStopping
      })
      if (result) await updateScan(db, scan, { state: 'Done', images_done: scan.images, new_series_uid: result.newSeriesUID, message: messageOf(result), report: JSON.stringify({ done: Object.fromEntries(result.report.done), warnings: [...result.report.warnings], instances: result.instances }) })
    } catch (cause) {
      const message = cause instanceof CannotCopy ? cause.message : 'Something went wrong. Nothing of this scan was transferred. Please try again later.'
      if (!(cause instanceof CannotCopy)) this.#parts.log.error({ transferId: transfer.id, position: scan.position, reason: cause instanceof Error ? cause.message : 'unknown' }, 'a scan was not transferred')
      await updateScan(db, scan, { state: 'Failed', images_done: 0, message })
    }
  }
}

const messageOf = ({ report }: CopyResult): string | null => (report.warnings.size > 0 ? [...report.warnings].join(' ') : null)
