import { createHash } from 'node:crypto'
import path from 'node:path'
import { isSea } from 'node:sea'
import { setTimeout as wait } from 'node:timers/promises'
import { ApiToken } from './ApiToken.ts'
import { connect, disconnect } from './connect.ts'
import { DeviceCookie } from './DeviceCookie.ts'
import { filesBelow } from './dicomFile.ts'
import { Journal } from './journal.ts'
import { takeLock } from './lock.ts'
import { Log } from './log.ts'
import { help, readOptions, type Options } from './options.ts'
import { ask, isInteractive } from './prompt.ts'
import { sendFile } from './send.ts'
import { largeBytes, sendLarge } from './sendLarge.ts'
import { Session, type Entry } from './Session.ts'
import { readSettings, serverAddress, type Settings } from './settings.ts'
import { exitCodes, Stop } from './stop.ts'
import { RunOutcomes } from './RunOutcomes.ts'
import { upload, usualPausesMs } from './upload.ts'
import { Unreachable } from './answer.ts'
import { version } from './version.ts'

const programFolder = isSea() ? path.dirname(process.execPath) : process.cwd()
const settleMs = 2000

/** The whole program. Returns the exit code; no failure shows a stack trace. */
export async function runUploader(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // Started by a double click, the window would close before anybody could read how it ended.
  const isDoubleClicked = args.length === 0 && process.platform === 'win32' && isInteractive()
  const code = await attempt(args, environment)
  if (isDoubleClicked) await ask('Press Enter to close.').catch(() => undefined)
  return code
}

async function attempt(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  try {
    const options = readOptions(args)
    if (options.isHelp) process.stdout.write(help)
    else if (options.isVersion) process.stdout.write(`${version}\n`)
    else if (options.connect !== undefined) await connect(options, environment, programFolder)
    else if (options.isDisconnect) await disconnect(options, programFolder)
    else return await run(options, readSettings(options, environment, programFolder))
    return exitCodes.done
  } catch (cause) {
    if (cause instanceof Stop) {
      process.stderr.write(`${cause.message}\n`)
      return cause.exitCode
    }
    process.stderr.write(`The uploader failed: ${cause instanceof Error ? cause.message : String(cause)}\n`)
    return exitCodes.notAllSent
  }
}

async function run(options: Options, settings: Settings): Promise<number> {
  const server = await chooseServer(settings)
  const { account, key } = await chooseAccount(settings, server)
  const folders =
    settings.folders.length > 0
      ? settings.folders
      : [
          path.resolve(
            await needed(
              'Folder with the scans: ',
              'Name a folder to send: dmp-uploader --server … --email … <folder>',
            ),
          ),
        ]
  // A file settled for one organization is not settled for another: accounts have journals of their own.
  const name = `${server.host.replace(/[^\w.-]/g, '_')}-${createHash('sha256').update(key).digest('hex').slice(0, 8)}`
  const place = (ending: string) => path.join(settings.stateFolder, `${name}${ending}`)
  const unlock = takeLock(place('.lock'))
  const log = new Log(place('.log'))
  for (const warning of settings.warnings) log.say(warning)
  const journal = new Journal(place('.jsonl'))
  const session = account(place)
  const stopping = stopOnSignals(log)
  try {
    if (!options.isDryRun) await entered(session, settings, log, stopping)
    log.say(`Sending to ${server.host} as ${session.name}. Log: ${place('.log')}`)
    const tally = await rounds(folders, options, settings, {
      journal,
      log,
      session,
      server,
      signal: stopping,
    })
    for (const line of tally.summary(options.isDryRun)) log.say(line)
    if (stopping.aborted) return settings.isWatching ? exitCodes.done : exitCodes.interrupted
    return tally.isClean ? exitCodes.done : exitCodes.notAllSent
  } finally {
    journal.close()
    unlock()
    await session.signOut()
  }
}

interface Means {
  readonly journal: Journal
  readonly log: Log
  readonly session: Entry
  readonly server: URL
  readonly signal: AbortSignal
}

/** One look through the folders; watching, one after the other until it is stopped. */
async function rounds(
  folders: readonly string[],
  options: Options,
  settings: Settings,
  { journal, log, session, server, signal }: Means,
): Promise<RunOutcomes> {
  for (let round = 0; ; round += 1) {
    const tally = new RunOutcomes()
    const files = filesBelow(folders, (place) => tally.unreadable.push(place))
    await upload(files, {
      journal,
      tally,
      log,
      signal,
      send: (file, stop) =>
        file.size >= largeBytes
          ? sendLarge(file, { session, server, journal, signal: stop })
          : sendFile(session, server, file, stop),
      atOnce: settings.atOnce,
      again: options.again && round === 0,
      isDryRun: options.isDryRun,
      settleMs: settings.isWatching ? settleMs : 0,
      pausesMs: usualPausesMs,
    })
    if (!settings.isWatching || options.isDryRun || signal.aborted) return tally
    if (tally.counts.stored + tally.counts.refused + tally.failed.length > 0)
      for (const line of tally.summary(false)) log.say(line)
    log.show(`Watching ${folders.join(', ')} …`)
    await wait(settings.lookEverySeconds * 1000, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return new RunOutcomes()
  }
}

/** Signs in before anything is sent. A watch waits for a server that is not there yet; one run says so and ends. */
async function entered(session: Entry, settings: Settings, log: Log, signal: AbortSignal): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      await session.token()
      return
    } catch (cause) {
      if (!(cause instanceof Unreachable)) throw cause
      if (!settings.isWatching || signal.aborted)
        throw new Stop(`${cause.message} Check the address and the connection.`, exitCodes.notAllSent)
      log.keep(cause.message)
      log.show(`${cause.message} Waiting …`)
      await wait(usualPausesMs[Math.min(tries, usualPausesMs.length - 1)], undefined, { signal }).catch(() => undefined)
    }
  }
}

const chooseServer = async (settings: Settings): Promise<URL> =>
  settings.server ??
  serverAddress(await needed('Address of the product: ', 'Name the server: --server https://… or UPLOADER_SERVER'))

interface Chosen {
  /** Journal, log and cookie of this account lie where `place` says. */
  readonly account: (place: (ending: string) => string) => Entry
  /** Tells accounts apart. */
  readonly key: string
}

/** The machine's API token, or the account of a person or a service user. */
async function chooseAccount(settings: Settings, server: URL): Promise<Chosen> {
  const { apiToken } = settings
  if (apiToken !== undefined) {
    const entry = new ApiToken(server, apiToken)
    return { account: () => entry, key: apiToken }
  }
  const email =
    settings.email ?? (await needed('Email of the service user: ', 'Name the account: --email … or UPLOADER_EMAIL'))
  const password =
    settings.password ??
    (await needed(
      `Password of ${email}: `,
      'No password was given: set UPLOADER_PASSWORD, or "password" in the settings file',
      true,
    ))
  const askCode = isInteractive() ? () => ask('Code from the mail: ') : undefined
  return {
    account: (place) => new Session({ server, email, password, askCode }, new DeviceCookie(place('.device'))),
    key: email.toLowerCase(),
  }
}

async function needed(question: string, otherwise: string, isHidden = false): Promise<string> {
  if (!isInteractive()) throw new Stop(`${otherwise}.`)
  const typedLine = await ask(question, isHidden)
  if (typedLine.trim() === '') throw new Stop('No input was given.')
  return isHidden ? typedLine : typedLine.trim().replace(/^"(.*)"$/, '$1')
}

/** The first Ctrl-C ends the files that are under way and writes the journal; the second does not wait. */
function stopOnSignals(log: Log): AbortSignal {
  const stopping = new AbortController()
  const stop = () => {
    if (stopping.signal.aborted) process.exit(exitCodes.interrupted)
    log.say('Stopping. Unfinished files continue at the next start.')
    stopping.abort()
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return stopping.signal
}
