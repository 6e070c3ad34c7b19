import { existsSync } from 'node:fs'
import path from 'node:path'
import { Unreachable } from './answer.ts'
import type { Control } from './Control.ts'
import type { Gateway } from './gateway/Gateway.ts'
import { Journal } from './journal.ts'
import { Journals, toAccountName } from './Journals.ts'
import { takeLock } from './lock.ts'
import { Log } from './log.ts'
import type { Options } from './options.ts'
import { look, rounds } from './rounds.ts'
import { RunOutcomes } from './RunOutcomes.ts'
import type { Entry } from './Session.ts'
import type { Settings } from './settings.ts'
import { exitCodes, Stop } from './stop.ts'
import { findOffer, toTooOld } from './update/offer.ts'
import { version } from './version.ts'
import { usualPausesMs } from './upload.ts'

export interface Chosen {
  /** Log and cookie of this account lie where `place` says. */
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
  readonly beside?: (session: Entry, log: Log) => Promise<() => void>
}

/** Opens journal and log of the account, signs in, and sends. Throws a Stop. */
export async function sendAll(sending: Sending): Promise<{ readonly tally: RunOutcomes; readonly log: Log }> {
  const { server, chosen, options, settings, control, listFolders, signal, beside } = sending
  const account = toAccountName(server, chosen.key)
  const placeOf = (name: string, ending: string) => path.join(settings.stateFolder, `${name}${ending}`)
  const place = (ending: string) => placeOf(account, ending)
  const unlocks = [takeLock(place('.lock'))]
  const log = new Log(place('.log'))
  for (const warning of settings.warnings) log.say(warning)
  const session = chosen.account(place)
  let end: (() => void) | undefined
  let journal: Journal | undefined
  try {
    if (!options.isDryRun) await entered(sending, session, log, () => count(sending, account, log))
    control.isWaiting = false
    control.account = session.name
    control.tokenHint = session.hint
    control.problem = undefined
    control.problemCode = undefined
    control.unconnected = undefined
    log.say(`Sending to ${server.host} as ${session.name}. Log: ${place('.log')}`)
    if (control.isDeidentifying) log.say('What is sent is de-identified first.')
    if (!options.isDryRun) await compare(server, log, control)
    end = await beside?.(session, log)
    if (!(await isAnswered(sending, account, log))) return { tally: new RunOutcomes(), log }
    // A file settled for one organization is not settled for another: each has a journal of its own.
    const name = new Journals(settings.stateFolder).choose(account, server, control.told?.organization)
    if (name !== account) unlocks.push(takeLock(placeOf(name, '.lock')))
    journal = new Journal(placeOf(name, '.jsonl'))
    const own = toOwn(sending)
    const means = { journal, log, session, server, signal, control, ...own }
    return { tally: await rounds(listFolders, options, settings, means), log }
  } catch (cause) {
    if (journal === undefined) await count(sending, account, log)
    throw cause
  } finally {
    end?.()
    journal?.close()
    for (const unlock of unlocks) unlock()
    await session.signOut()
  }
}

const toOwn = ({ droppedFolder, gateway }: Sending) => ({
  ...(droppedFolder && { droppedFolder }),
  ...(gateway && { gateway }),
})

/**
 * Whether what lies here may go to the organization of this account: where this machine was another one's, somebody in
 * front of the window says so first. On the command line, who connects does.
 */
async function isAnswered(sending: Sending, account: string, log: Log): Promise<boolean> {
  const { server, settings, control, listFolders, signal, droppedFolder } = sending
  const journals = new Journals(settings.stateFolder)
  const told = control.told?.organization
  control.question = droppedFolder === undefined ? undefined : journals.findQuestion(account, server, told)
  if (control.question === undefined) return true
  while (control.question !== undefined && !signal.aborted) {
    await count(sending, account, log)
    const isNothingThere = listFolders().length === 0 && control.progress.waiting === 0
    if (isNothingThere && sending.gateway?.state.settings === undefined) control.question = undefined
    else await control.rest(settings.lookEverySeconds * 1000, signal)
  }
  control.question = undefined
  if (signal.aborted) return false
  journals.answer(account, server, told)
  return true
}

/** Nothing can be sent yet: what waits and what was refused is shown all the same, by the journal of before. */
async function count(sending: Sending, account: string, log: Log): Promise<void> {
  const { server, settings, options, control, listFolders, signal } = sending
  if (!settings.isWatching || options.isDryRun) return
  const name = new Journals(settings.stateFolder).choose(account, server, undefined)
  const file = path.join(settings.stateFolder, `${name}.jsonl`)
  // Made by whoever sends first, because that decides whose journal it is.
  const earlier = existsSync(file) ? new Journal(file) : undefined
  const journal = earlier ?? { find: () => undefined, findRefusal: () => undefined }
  try {
    await look(listFolders(), { journal, log, signal, control, ...toOwn(sending) })
  } finally {
    earlier?.close()
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
async function entered(
  { settings, signal, control }: Sending,
  session: Entry,
  log: Log,
  onLater: () => Promise<void>,
): Promise<void> {
  control.isWaiting = true
  for (let tries = 0; ; tries += 1) {
    try {
      await session.token()
      return control.heard(undefined, log)
    } catch (cause) {
      control.isWaiting = cause instanceof Unreachable
      if (!(cause instanceof Unreachable)) throw cause
      if (!settings.isWatching || signal.aborted)
        throw new Stop(`${cause.message} Check the address and the connection.`, exitCodes.notAllSent)
      control.problem = cause.isGone ? undefined : cause.message
      control.heard(cause.isGone ? cause.message : undefined, log)
      log.keep(cause.message)
      log.show(`${cause.message} Waiting …`)
      await onLater()
      await control.rest(usualPausesMs[Math.min(tries, usualPausesMs.length - 1)] ?? 0, signal)
    }
  }
}
