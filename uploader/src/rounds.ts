import { rmSync } from 'node:fs'
import path from 'node:path'
import type { Why } from './answer.ts'
import type { Control } from './Control.ts'
import { Copies } from './Copies.ts'
import { filesBelow, type Found } from './dicomFile.ts'
import type { Gateway } from './gateway/Gateway.ts'
import type { Journal } from './journal.ts'
import type { Log } from './log.ts'
import type { Failure } from './Failures.ts'
import type { Options } from './options.ts'
import { Refusals, unknownReason } from './Refusals.ts'
import { RunOutcomes } from './RunOutcomes.ts'
import type { Outcome } from './send.ts'
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
  /** Copies of what was dropped into the window: what is settled is removed, and kept elsewhere if it was refused. */
  readonly droppedFolder?: string
  /** What devices sent is sent on, and no longer kept once the server has it. */
  readonly gateway?: Gateway
}

/** What it takes to look through the folders. */
export type Looking = Pick<Means, 'log' | 'signal' | 'control' | 'droppedFolder' | 'gateway'> & {
  readonly journal: Pick<Journal, 'find' | 'findRefusal'>
}

/** One look through the folders; watching, one after the other until it is stopped. */
export async function rounds(
  listFolders: () => readonly string[],
  options: Options,
  settings: Settings,
  means: Means,
): Promise<RunOutcomes> {
  const { log, session, signal, control } = means
  const isAtRest = atRest()
  const copies = new Copies(settings.stateFolder)
  for (let round = 0; ; round += 1) {
    const tally = new RunOutcomes()
    const again = options.again && round === 0
    while (control.isPaused && !signal.aborted) {
      await look(listFolders(), means)
      if (control.isPaused) await control.restFromLook(settings.lookEverySeconds * 1000, signal)
    }
    // Where nothing is to be sent, nobody else would notice that the server lets this machine in no longer.
    if (!options.isDryRun && !signal.aborted) {
      const entry = await session.ready()
      if (entry.kind === 'later' && entry.isUnreachable === true) control.heard(entry.reason, log)
    }
    const folders = listFolders()
    await upload(waitingFiles(folders, tally, again, means), {
      ...toWork(settings, means, copies),
      tally,
      again,
      isDryRun: options.isDryRun,
      settleMs: settings.isWatching ? settleMs : 0,
      ...(settings.isWatching && { isAtRest }),
    })
    if (!settings.isWatching || options.isDryRun || signal.aborted) return tally
    const { stored, refused } = tally.counts
    const isNews = stored + refused + tally.failed.length > 0 || (round === 0 && tally.refusedBefore.length > 0)
    if (isNews) for (const line of tally.summary(false)) log.say(line)
    log.show(`Watching ${folders.join(', ')} …`)
    await control.restFromLook(settings.lookEverySeconds * 1000, signal)
    if (signal.aborted) return new RunOutcomes()
  }
}

/** Counts what waits and what was refused, and sends nothing. */
export async function look(folders: readonly string[], means: Looking): Promise<void> {
  const all = waitingFiles(folders, new RunOutcomes(), false, means)
  while ((await all.next()).done !== true) if (means.signal.aborted) await all.return()
}

/** What is not settled yet, looked for ahead of what is sent, so that it is known how much there is. */
function waitingFiles(
  folders: readonly string[],
  tally: RunOutcomes,
  again: boolean,
  means: Looking,
): AsyncGenerator<Found, void, undefined> {
  const { journal, log, control, signal, droppedFolder, gateway } = means
  const { progress } = control
  // A device beside this machine comes first: its disk is small, and people wait for it.
  const places = [gateway?.spool.folder, ...folders, droppedFolder].filter((place) => place !== undefined)
  progress.begin()
  async function* find(): AsyncGenerator<Found> {
    const unreadable = (place: string, isGone: boolean): void => {
      tally.unreadable.push(place)
      if (progress.missed(place, isGone)) log.keep(`${place} is not there (drive or share?).`)
    }
    for await (const file of filesBelow(places, unreadable)) {
      if (signal.aborted) return
      const settled = again || isOwn(file, means) ? undefined : journal.find(file)
      if (settled === undefined) {
        progress.found(file)
        await progress.series?.found(file)
        yield file
      } else {
        const refusal = journal.findRefusal(file)
        tally.settledBefore(file.path, settled, refusal?.reason)
        if (refusal !== undefined) {
          await progress.series?.know(file)
          progress.refusedBefore([toFailure(file.path, refusal)])
        }
      }
    }
  }
  return lookAhead(find(), () => {
    for (const place of progress.counted()) log.say(`${place} is there again.`)
  })
}

const toFailure = (place: string, refusal: Partial<Why> & { readonly at: string }): Failure => ({
  path: place,
  reason: unknownReason,
  ...refusal,
  isFinal: true,
})

const sumBytes = (files: readonly Found[]): number => files.reduce((sum, { size }) => sum + size, 0)

function toWork(
  settings: Settings,
  means: Means,
  copies: Copies,
): Omit<Work, 'tally' | 'again' | 'isDryRun' | 'settleMs' | 'isAtRest'> {
  const { journal, log, session, server, signal, control, droppedFolder, gateway } = means
  const refusals = new Refusals(settings.stateFolder)
  const { pace, progress } = control
  const aloneBytes = (): number => Math.min(largeBytes, pace.pieceBytes)
  const sendNow = async (
    batch: readonly Found[],
    originals: readonly Found[],
    stop: AbortSignal,
  ): Promise<readonly Outcome[]> => {
    const [file] = batch
    const [original] = originals
    if (batch.length === 1 && file !== undefined && file.size >= aloneBytes()) {
      const onArrived = (bytes: number, isEarlier: boolean): void => {
        control.heard(undefined, log)
        if (original !== undefined) progress.arrived(original, bytes, isEarlier)
      }
      return [await sendLarge(file, { session, server, journal, signal: stop, pace, onArrived })]
    }
    await pace.take(sumBytes(batch), stop)
    return sendBatch(session, server, batch, stop)
  }
  return {
    journal,
    log,
    signal,
    progress,
    aloneBytes,
    isPaused: () => control.isPaused,
    send: async (batch, stop) => {
      const send = async (files: readonly Found[]): Promise<readonly Outcome[]> => {
        const outcomes = await sendNow(files, batch, stop)
        const lost = outcomes.find((outcome) => outcome.kind === 'later' && outcome.isUnreachable === true)
        if (!stop.aborted) control.heard(lost?.kind === 'later' ? lost.reason : undefined, log)
        return outcomes
      }
      if (!control.isDeidentifying) return send(batch)
      return copies.send(batch, send, (copy) => journal.findUploadUrl(copy) !== undefined)
    },
    batch: usualBatch,
    atOnce: settings.atOnce,
    pausesMs: usualPausesMs,
    rest: (ms) => control.rest(ms, signal),
    isOwn: (file) => isOwn(file, means),
    onSettled: (file, outcome, why) => {
      if (gateway?.spool.has(file.path) === true) return gateway.settle(file.path, outcome, copies.isCopied(file), why)
      if (outcome === 'refused' && isOwn(file, means) && droppedFolder !== undefined)
        return refusals.keep(file.path, path.join('dropped', path.relative(droppedFolder, file.path)), why)
      if (isOwn(file, means)) rmSync(file.path, { force: true })
      return undefined
    },
  }
}

const isOwn = ({ path: place }: Found, { droppedFolder, gateway }: Looking): boolean =>
  (droppedFolder !== undefined && place.startsWith(droppedFolder)) || gateway?.spool.has(place) === true

/** Whether a file looks as it did at the look before: what a device still writes would be refused. */
function atRest(): (file: Found) => boolean {
  let previous = new Map<string, string>()
  let current = new Map<string, string>()
  let startedAt = Date.now()
  return ({ path: place, size, modifiedMs }) => {
    // Looks lie seconds apart; what was not seen in the last ones is forgotten.
    if (Date.now() - startedAt > restMs) {
      previous = current
      current = new Map()
      startedAt = Date.now()
    }
    const look = `${size} ${modifiedMs}`
    const before = current.get(place) ?? previous.get(place)
    current.set(place, look)
    return before === look || Date.now() - modifiedMs > restMs
  }
}
