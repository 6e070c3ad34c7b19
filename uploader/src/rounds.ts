import { rmSync } from 'node:fs'
import type { Control } from './Control.ts'
import { filesBelow, type Found } from './dicomFile.ts'
import type { Gateway } from './gateway/Gateway.ts'
import type { Journal } from './journal.ts'
import type { Log } from './log.ts'
import type { Options } from './options.ts'
import { RunOutcomes } from './RunOutcomes.ts'
import { sendBatch, usualBatch } from './sendBatch.ts'
import { largeBytes, sendLarge } from './sendLarge.ts'
import type { Entry } from './Session.ts'
import type { Settings } from './settings.ts'
import { lookAhead } from './lookAhead.ts'
import { upload, usualPausesMs, type Work } from './upload.ts'

const settleMs = 2000
/** A file that nobody has written for so long is whole, also where it is seen for the first time. */
const restMs = 60_000

export interface Means {
  readonly journal: Journal
  readonly log: Log
  readonly session: Entry
  readonly server: URL
  readonly signal: AbortSignal
  readonly control: Control
  /** Copies of what was dropped into the window: what is settled is removed. */
  readonly droppedFolder?: string
  /** What devices sent is sent on, and no longer kept once the server has it. */
  readonly gateway?: Gateway
}

/** One look through the folders; watching, one after the other until it is stopped. */
export async function rounds(
  listFolders: () => readonly string[],
  options: Options,
  settings: Settings,
  means: Means,
): Promise<RunOutcomes> {
  const { log, signal, control } = means
  const isAtRest = atRest()
  for (let round = 0; ; round += 1) {
    const tally = new RunOutcomes()
    const again = options.again && round === 0
    await control.untilGoesOn(signal)
    const folders = listFolders()
    await upload(waitingFiles(folders, tally, again, means), {
      ...toWork(settings, means),
      tally,
      again,
      isDryRun: options.isDryRun,
      settleMs: settings.isWatching ? settleMs : 0,
      ...(settings.isWatching && { isAtRest }),
    })
    if (!settings.isWatching || options.isDryRun || signal.aborted) return tally
    if (tally.counts.stored + tally.counts.refused + tally.failed.length > 0)
      for (const line of tally.summary(false)) log.say(line)
    log.show(`Watching ${folders.join(', ')} …`)
    await control.rest(settings.lookEverySeconds * 1000, signal)
    if (signal.aborted) return new RunOutcomes()
  }
}

/** What is not settled yet, looked for ahead of what is sent, so that it is known how much there is. */
function waitingFiles(
  folders: readonly string[],
  tally: RunOutcomes,
  again: boolean,
  means: Means,
): AsyncIterable<Found> {
  const { journal, control, signal, droppedFolder, gateway } = means
  const { progress } = control
  // A device beside this machine comes first: its disk is small, and people wait for it.
  const places = [gateway?.spool.folder, ...folders, droppedFolder].filter((place) => place !== undefined)
  progress.begin()
  async function* look(): AsyncGenerator<Found> {
    const unreadable = (place: string): void => {
      tally.unreadable.push(place)
      progress.unreadable(place)
    }
    for await (const file of filesBelow(places, unreadable)) {
      if (signal.aborted) return
      const settled = again || isOwn(file, means) ? undefined : journal.find(file)
      if (settled === undefined) {
        progress.found(file)
        yield file
      } else tally.before[settled] += 1
    }
  }
  return lookAhead(look(), () => (progress.isCounting = false))
}

function toWork(
  settings: Settings,
  means: Means,
): Omit<Work, 'tally' | 'again' | 'isDryRun' | 'settleMs' | 'isAtRest'> {
  const { journal, log, session, server, signal, control, gateway } = means
  const { pace, progress } = control
  const aloneBytes = (): number => Math.min(largeBytes, pace.pieceBytes)
  return {
    journal,
    log,
    signal,
    progress,
    aloneBytes,
    mayGoOn: () => control.untilGoesOn(signal),
    send: async (batch, stop) => {
      const [file] = batch
      if (batch.length === 1 && file !== undefined && file.size >= aloneBytes())
        return [await sendLarge(file, { session, server, journal, signal: stop, pace })]
      await pace.take(
        batch.reduce((sum, { size }) => sum + size, 0),
        stop,
      )
      return sendBatch(session, server, batch, stop)
    },
    batch: usualBatch,
    atOnce: settings.atOnce,
    pausesMs: usualPausesMs,
    isOwn: (file) => isOwn(file, means),
    onSettled: (file, outcome) => {
      if (gateway?.spool.has(file.path) === true) return gateway.settle(file.path, outcome)
      if (isOwn(file, means)) rmSync(file.path, { force: true })
      return undefined
    },
  }
}

const isOwn = ({ path }: Found, { droppedFolder, gateway }: Means): boolean =>
  (droppedFolder !== undefined && path.startsWith(droppedFolder)) || gateway?.spool.has(path) === true

/** Whether a file looks as it did at the look before: what a device still writes would be refused. */
function atRest(): (file: Found) => boolean {
  let previous = new Map<string, string>()
  let current = new Map<string, string>()
  let startedAt = Date.now()
  return ({ path, size, modifiedMs }) => {
    // Looks lie seconds apart; what was not seen in the last ones is forgotten.
    if (Date.now() - startedAt > restMs) {
      previous = current
      current = new Map()
      startedAt = Date.now()
    }
    const look = `${size} ${modifiedMs}`
    const before = current.get(path) ?? previous.get(path)
    current.set(path, look)
    return before === look || Date.now() - modifiedMs > restMs
  }
}
