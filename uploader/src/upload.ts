import type { Why } from './answer.ts'
import { isDicom, type Found } from './dicomFile.ts'
import type { Journal, Settled } from './journal.ts'
import type { Log } from './log.ts'
import type { Later, Outcome } from './send.ts'
import type { Batch } from './sendBatch.ts'
import { largeBytes } from './sendLarge.ts'
import { ownCodes } from './ownCodes.ts'
import type { Progress } from './Progress.ts'
import type { RunOutcomes } from './RunOutcomes.ts'

export interface Work {
  readonly journal: Journal
  readonly tally: RunOutcomes
  readonly log: Log
  /** Sends files in one request; injected, so that the order of things can be tried without a server. */
  readonly send: (files: readonly Found[], signal: AbortSignal) => Promise<readonly Outcome[]>
  /** Requests under way at the same time. */
  readonly atOnce: number
  /** How much goes into one request; files from `largeBytes` on travel alone. */
  readonly batch: Batch
  /** From here on a file travels alone. */
  readonly aloneBytes?: () => number
  /** What waits and what failed, for whoever looks. */
  readonly progress?: Progress
  /** Holds back what has not begun: it is found again when somebody goes on. */
  readonly isPaused?: () => boolean
  /** Copies of our own: whole as they lie, and not noted in the journal, because they are gone once settled. */
  readonly isOwn?: (file: Found) => boolean
  /** Returns where the file is from now on, if that is elsewhere. */
  readonly onSettled?: (file: Found, outcome: Settled, why?: Why) => string | undefined
  /** Whether a watched file has come to rest, beside its age. */
  readonly isAtRest?: (file: Found) => boolean
  /** Send settled files once more. */
  readonly again: boolean
  readonly isDryRun: boolean
  /** Files younger than this may still be being written (watching). */
  readonly settleMs: number
  readonly signal: AbortSignal
  /** How long to wait before the nth further try; the number of entries is the number of further tries. */
  readonly pausesMs: readonly number[]
  /** Waits so long before a further try, or until somebody asks for it. */
  readonly rest: (ms: number) => Promise<void>
}

export const usualPausesMs = [1, 2, 4, 8, 15, 30, 60, 60].map((seconds) => seconds * 1000)

/**
 * Sends the files that are not settled yet, many in a request and some requests at a time. Ends when all were tried or
 * the signal came; throws a Stop.
 */
export async function upload(files: AsyncIterable<Found>, work: Work): Promise<void> {
  const batches = toBatches(files, work)
  // Generators hand out one thing at a time by themselves: the lanes take turns.
  const lane = async (): Promise<void> => {
    while (!isOver(work)) {
      const next = await batches.next()
      if (next.done === true) return
      await deliver(next.value, work)
    }
  }
  try {
    await Promise.all(Array.from({ length: work.atOnce }, lane))
  } finally {
    await batches.return()
  }
  work.journal.flush()
}

const isOver = ({ signal, isPaused }: Work): boolean => signal.aborted || isPaused?.() === true

/** What is to be sent, in their order; a large file is a batch of its own and does not hold up the small ones. */
async function* toBatches(files: AsyncIterable<Found>, work: Work): AsyncGenerator<readonly Found[], void, undefined> {
  let batch: Found[] = []
  let bytes = 0
  for await (const file of files) {
    if (isOver(work)) return
    if (!(await isToSend(file, work))) continue
    const alone = work.aloneBytes?.() ?? largeBytes
    if (file.size >= alone) {
      yield [file]
      continue
    }
    if (batch.length > 0 && bytes + file.size > Math.min(work.batch.bytes, alone)) {
      yield batch
      batch = []
      bytes = 0
    }
    batch.push(file)
    bytes += file.size
    if (batch.length >= work.batch.files) {
      yield batch
      batch = []
      bytes = 0
    }
  }
  if (batch.length > 0) yield batch
}

/** Somebody misses an image where such a file is none: it is named like what was refused, not skipped in silence. */
const isNamedDicom = ({ path: place }: Found): boolean => /\.(?:dcm|dicom|ima)$/i.test(place)
const isEmpty = { reason: 'The file is empty.', code: ownCodes.empty }
const isDamaged = {
  reason: 'By its name this is a DICOM file, but its content is not: it is damaged, or something else.',
  code: ownCodes.damaged,
}

/** Settles what need not be sent. */
async function isToSend(file: Found, work: Work): Promise<boolean> {
  const { journal, tally, log } = work
  const isOwn = work.isOwn?.(file) === true
  const settled = isOwn ? undefined : journal.find(file)
  if (settled !== undefined && !work.again) {
    tally.settledBefore(file.path, settled, journal.findRefusal(file)?.reason)
    return false
  }
  // Clocks of disks run ahead by parts of a millisecond: without a time to settle nothing is too young.
  if (!isOwn && work.settleMs > 0 && Date.now() - file.modifiedMs < work.settleMs) return false
  if (!isOwn && work.isAtRest?.(file) === false) return false
  const looksRight = await isDicom(file.path).catch(() => undefined)
  if (looksRight === undefined) {
    tally.unreadable.push(file.path)
    work.progress?.unreadable(file.path)
  } else if (!looksRight && isNamedDicom(file)) settle(file, 'refused', work, file.size === 0 ? isEmpty : isDamaged)
  else if (!looksRight) settle(file, 'not-dicom', work)
  else if (work.isDryRun) {
    tally.counts.stored += 1
    tally.bytes += file.size
    log.keep(`would send ${file.path}`)
  } else return true
  return false
}

/** Sends a batch, and what of it could not be settled again and again. */
async function deliver(batch: readonly Found[], work: Work): Promise<void> {
  const { log, tally } = work
  let waiting = batch
  for (let attempt = 0; ; attempt += 1) {
    work.progress?.started(waiting)
    const outcomes = await work.send(waiting, work.signal)
    const put: { readonly file: Found; readonly outcome: Later }[] = []
    waiting.forEach((file, index) => {
      const outcome = outcomes[index] ?? { kind: 'later', reason: 'Nothing was said of this file.' }
      if (outcome.kind === 'later') put.push({ file, outcome })
      else settle(file, outcome.kind, work, outcome.kind === 'refused' ? outcome : undefined)
    })
    const [first] = put
    if (first === undefined || work.signal.aborted) return
    const pause = work.pausesMs[attempt]
    for (const { file, outcome } of put) {
      log.keep(`${file.path}: ${outcome.reason}${pause === undefined ? ' Gave up for now.' : ' Trying again.'}`)
      work.progress?.putOff(file, outcome)
      if (pause === undefined) tally.failed.push({ path: file.path, reason: outcome.reason })
    }
    if (pause === undefined) return
    log.show(`${tally.progress} — waiting: ${first.outcome.reason}`)
    const afterMs = Math.max(...put.map(({ outcome }) => outcome.afterMs ?? pause))
    await work.rest(afterMs)
    if (isOver(work)) return
    waiting = put.map(({ file }) => file)
  }
}

function settle(file: Found, outcome: Settled, work: Work, why?: Why): void {
  const { journal, tally, log, isDryRun, progress } = work
  tally.counts[outcome] += 1
  if (outcome === 'stored') tally.bytes += file.size
  if (!isDryRun && work.isOwn?.(file) !== true) journal.note(file, outcome, why)
  const place = isDryRun ? file.path : (work.onSettled?.(file, outcome, why) ?? file.path)
  if (why !== undefined) tally.refused.push({ path: place, reason: why.reason })
  progress?.settled(file, outcome, why, place)
  log.keep(`${outcome} ${place}${why === undefined ? '' : `: ${why.reason}`}`)
  log.show(progress === undefined ? tally.progress : `${tally.progress}${describe(progress)}`)
}

function describe({ waiting, isCounting, minutesLeft, counts }: Progress): string {
  if (waiting === 0) return ''
  const settled = counts.stored + counts.duplicate + counts.refused
  const percent = isCounting ? '' : ` (${Math.floor((100 * settled) / (settled + waiting))} %)`
  return `; ${waiting}${isCounting ? ' or more' : ''} wait${percent}${minutesLeft === undefined ? '' : `, ${minutesLeft} min left`}`
}
