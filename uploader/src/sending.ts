import { createHash } from 'node:crypto'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Unreachable } from './answer.ts'
import type { Control } from './Control.ts'
import type { Gateway } from './gateway/Gateway.ts'
import { Journal } from './journal.ts'
import { takeLock } from './lock.ts'
import { Log } from './log.ts'
import type { Options } from './options.ts'
import { rounds } from './rounds.ts'
import type { RunOutcomes } from './RunOutcomes.ts'
import type { Entry } from './Session.ts'
import type { Settings } from './settings.ts'
import { exitCodes, Stop } from './stop.ts'
import { findOffer, toTooOld } from './update/offer.ts'
import { version } from './version.ts'
import { usualPausesMs } from './upload.ts'

export interface Chosen {
  /** Journal, log and cookie of this account lie where `place` says. */
  readonly account: (place: (ending: string) => string) => Entry
  /** Tells accounts apart. */
  readonly key: string
}

export interface Sending {
  readonly server: URL
  readonly chosen: Chosen
  readonly options: Options
  readonly settings: Settings
  readonly control: Control
  /** Asked for with each look. */
  readonly listFolders: () => readonly string[]
  readonly signal: AbortSignal
  readonly droppedFolder?: string
  readonly gateway?: Gateway
  /** Runs beside it: reports, updates. Returns what ends it. */
  readonly beside?: (session: Entry, log: Log) => () => void
}

/** Opens journal and log of the account, signs in, and sends. Throws a Stop. */
export async function sendAll(sending: Sending): Promise<{ readonly tally: RunOutcomes; readonly log: Log }> {
  const { server, chosen, options, settings, control, listFolders, signal, droppedFolder, gateway, beside } = sending
  // A file settled for one organization is not settled for another: accounts have journals of their own.
  const name = `${server.host.replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(chosen.key).digest('hex').slice(0, 8)}`
  const place = (ending: string) => path.join(settings.stateFolder, `${name}${ending}`)
  const unlock = takeLock(place('.lock'))
  const log = new Log(place('.log'))
  for (const warning of settings.warnings) log.say(warning)
  const journal = new Journal(place('.jsonl'))
  const session = chosen.account(place)
  let end: (() => void) | undefined
  try {
    if (!options.isDryRun) await entered(sending, session, log)
    control.isWaiting = false
    control.account = session.name
    control.problem = undefined
    log.say(`Sending to ${server.host} as ${session.name}. Log: ${place('.log')}`)
    if (!options.isDryRun) await compare(server, log, control)
    end = beside?.(session, log)
    const own = { ...(droppedFolder && { droppedFolder }), ...(gateway && { gateway }) }
    const means = { journal, log, session, server, signal, control, ...own }
    return { tally: await rounds(listFolders, options, settings, means), log }
  } finally {
    end?.()
    journal.close()
    unlock()
    await session.signOut()
  }
}

/** Says both versions, and stops where the server does not want this uploader any more. */
async function compare(server: URL, log: Log, control: Control): Promise<void> {
  const offer = await findOffer(server)
  if (offer === undefined) return
  log.say(`Uploader ${version}, server ${offer.product}.`)
  const tooOld = toTooOld(server, offer.oldest)
  if (tooOld === undefined) return
  control.problem = tooOld
  throw new Stop(tooOld)
}

/** Signs in before anything is sent. A watch waits for a server that is not there yet; one run says so and ends. */
async function entered({ settings, signal, control }: Sending, session: Entry, log: Log): Promise<void> {
  control.isWaiting = true
  for (let tries = 0; ; tries += 1) {
    try {
      await session.token()
      return
    } catch (cause) {
      control.isWaiting = cause instanceof Unreachable
      if (!(cause instanceof Unreachable)) throw cause
      control.problem = cause.message
      if (!settings.isWatching || signal.aborted)
        throw new Stop(`${cause.message} Check the address and the connection.`, exitCodes.notAllSent)
      log.keep(cause.message)
      log.show(`${cause.message} Waiting …`)
      await wait(usualPausesMs[Math.min(tries, usualPausesMs.length - 1)], undefined, { signal }).catch(() => undefined)
    }
  }
}
