import { setTimeout as wait } from 'node:timers/promises'
import { isDicom, type Found } from './dicomFile.ts'
import type { Journal, Settled } from './journal.ts'
import type { Log } from './log.ts'
import type { Outcome } from './send.ts'
import type { RunOutcomes } from './RunOutcomes.ts'

export interface Work {
  readonly journal: Journal
  readonly tally: RunOutcomes
  readonly log: Log
  /** Sends one file; injected, so that the order of things can be tried without a server. */
  readonly send: (file: Found, signal: AbortSignal) => Promise<Outcome>
  readonly atOnce: number
  /** Send settled files once more. */
  readonly again: boolean
  readonly isDryRun: boolean
  /** Files younger than this may still be being written (watching). */
  readonly settleMs: number
  readonly signal: AbortSignal
  /** How long to wait before the nth further try; the number of entries is the number of further tries. */
  readonly pausesMs: readonly number[]
}

export const usualPausesMs = [1, 2, 4, 8, 15, 30, 60, 60].map((seconds) => seconds * 1000)

/**
 * Sends the files that are not settled yet, some at a time. Ends when all were tried or the signal came; throws a Stop.
 */
export async function upload(files: AsyncIterable<Found>, work: Work): Promise<void> {
  const source = files[Symbol.asyncIterator]()
  // Generators hand out one thing at a time by themselves: the workers take turns.
  const worker = async (): Promise<void> => {
    while (!work.signal.aborted) {
      const next = await source.next()
      if (next.done === true) return
      await handle(next.value, work)
    }
  }
  await Promise.all(Array.from({ length: work.atOnce }, worker))
  work.journal.flush()
}

async function handle(file: Found, work: Work): Promise<void> {
  const { journal, tally, log } = work
  const settled = journal.find(file)
  if (settled !== undefined && !work.again) {
    tally.before[settled] += 1
    return
  }
  // Clocks of disks run ahead by parts of a millisecond: without a time to settle nothing is too young.
  if (work.settleMs > 0 && Date.now() - file.modifiedMs < work.settleMs) return
  const looksRight = await isDicom(file.path).catch(() => undefined)
  if (looksRight === undefined) tally.unreadable.push(file.path)
  else if (!looksRight) settle(file, 'not-dicom', work)
  else if (work.isDryRun) {
    tally.counts.stored += 1
    tally.bytes += file.size
    log.keep(`would send ${file.path}`)
  } else await deliver(file, work)
}

async function deliver(file: Found, work: Work): Promise<void> {
  const { log, tally } = work
  for (let attempt = 0; ; attempt += 1) {
    const outcome = await work.send(file, work.signal)
    if (work.signal.aborted && outcome.kind === 'later') return
    if (outcome.kind !== 'later')
      return settle(file, outcome.kind, work, outcome.kind === 'refused' ? outcome.reason : undefined)
    const pause = work.pausesMs[attempt]
    log.keep(`${file.path}: ${outcome.reason}${pause === undefined ? ' Gave up for now.' : ' Trying again.'}`)
    if (pause === undefined) {
      tally.failed.push({ path: file.path, reason: outcome.reason })
      return
    }
    log.show(`${tally.progress} — waiting: ${outcome.reason}`)
    await wait(outcome.afterMs ?? pause, undefined, { signal: work.signal }).catch(() => undefined)
  }
}

function settle(file: Found, outcome: Settled, { journal, tally, log, isDryRun }: Work, reason?: string): void {
  tally.counts[outcome] += 1
  if (outcome === 'stored') tally.bytes += file.size
  if (reason !== undefined) tally.refused.push({ path: file.path, reason })
  if (!isDryRun) journal.note(file, outcome)
  log.keep(`${outcome} ${file.path}${reason === undefined ? '' : `: ${reason}`}`)
  log.show(tally.progress)
}
