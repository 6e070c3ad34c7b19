import path from 'node:path'
import { isSea } from 'node:sea'
import { ApiToken } from './ApiToken.ts'
import { lookForUpdate, startBeside } from './beside.ts'
import { connect, disconnect } from './connect.ts'
import { Control } from './Control.ts'
import { DeviceCookie } from './DeviceCookie.ts'
import { Log } from './log.ts'
import { openGateway } from './gateway/openGateway.ts'
import { help, readOptions, stateFolderOf, toStateFolder, type Options } from './options.ts'
import { ask, isInteractive } from './prompt.ts'
import { sendAll, type Chosen } from './sending.ts'
import { runService } from './autostart/runAutostart.ts'
import { Session } from './Session.ts'
import { readSettings, serverAddress, type Settings } from './settings.ts'
import { moveToken } from './settingsFile.ts'
import { exitCodes, fullSentence, isFull, Stop } from './stop.ts'
import { readyMessage, startAnew } from './update/launch.ts'
import { version } from './version.ts'
import { runWindow } from './window/runWindow.ts'

const fullStart = 'Make room, or choose another folder with --state, and start again: what was not sent is sent then.'

/** Beside the program; where Node runs its script, as on macOS, beside that. */
const script = process.argv[1] ?? ''
const programFolder = isSea()
  ? path.dirname(process.execPath)
  : script.endsWith('uploader.cjs')
    ? path.dirname(script)
    : process.cwd()

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
    else return await work(options, environment)
    return exitCodes.done
  } catch (cause) {
    if (cause instanceof Stop) {
      process.stderr.write(`${cause.message}\n`)
      return cause.exitCode
    }
    if (isFull(cause)) process.stderr.write(`${fullSentence(stateFolderOf(args))} ${fullStart}\n`)
    else process.stderr.write(`The uploader failed: ${cause instanceof Error ? cause.message : String(cause)}\n`)
    return exitCodes.notAllSent
  }
}

async function work(options: Options, environment: Readonly<Record<string, string | undefined>>): Promise<number> {
  const moved = options.config === undefined ? moveToken(programFolder, toStateFolder(options.state)) : undefined
  if (moved !== undefined) process.stderr.write(`${moved}\n`)
  const read = (): Settings => readSettings(options, environment, programFolder)
  if (options.connect !== undefined) await connect(options, environment, programFolder)
  else if (options.isDisconnect) await disconnect(options, programFolder)
  else if (options.command === 'service') process.stdout.write(`${await runService(options, environment)}\n`)
  else if (options.command === 'window') return runWindow(options, environment, programFolder, chooseAccount)
  else if (options.command === 'update') await update(read())
  else return runUntilRenewed(options, read)
  return exitCodes.done
}

/** A watch whose API token was renewed by somebody else goes on with the new one. */
async function runUntilRenewed(options: Options, read: () => Settings): Promise<number> {
  for (;;) {
    const settings = read()
    try {
      return await run(options, settings)
    } catch (cause) {
      const isRefused = cause instanceof Stop && cause.exitCode === exitCodes.notSignedIn
      const { apiToken } = read()
      if (!isRefused || !settings.isWatching || apiToken === undefined || apiToken === settings.apiToken) throw cause
      process.stderr.write('The API token was renewed: going on with the new one.\n')
    }
  }
}

async function run(options: Options, settings: Settings): Promise<number> {
  const server = await chooseServer(settings)
  const chosen = await chooseAccount(settings, server)
  const isGateway = settings.gateway !== undefined && settings.isWatching && !options.isDryRun
  const folders =
    settings.folders.length > 0 || isGateway
      ? settings.folders
      : [
          path.resolve(
            await needed(
              'Folder with the scans: ',
              'Name a folder to send: dmp-uploader --server … --email … <folder>',
            ),
          ),
        ]
  const control = new Control()
  control.pace.set(settings.slower)
  control.isDeidentifying = settings.isDeidentifying
  const stopping = new AbortController()
  const letGo = stopOnSignals(stopping)
  let isUpdated = false
  const onUpdate = (): void => {
    isUpdated = process.connected === true
    if (isUpdated) stopping.abort()
  }
  // Whoever started this program hears that it has come to its senses.
  process.send?.(readyMessage)
  const gateway = isGateway ? await openGateway(settings.stateFolder, settings.gateway, control) : undefined
  if (gateway?.state.problem !== undefined) throw new Stop(gateway.state.problem)
  const { tally, log } = await sendAll({
    server,
    chosen,
    options,
    settings,
    control,
    listFolders: () => folders,
    signal: stopping.signal,
    ...(gateway && { gateway }),
    ...(settings.isWatching && {
      beside: (session, written) => startBeside({ server, settings, control, onUpdate }, session, written),
    }),
  }).finally(() => {
    letGo()
    return gateway?.close()
  })
  for (const line of tally.summary(options.isDryRun)) log.say(line)
  if (isUpdated) return startAnew
  if (stopping.signal.aborted) return settings.isWatching ? exitCodes.done : exitCodes.interrupted
  return tally.isClean ? exitCodes.done : exitCodes.notAllSent
}

/** Fetches what the server offers; the next start of what runs until it is stopped tries it. */
async function update(settings: Settings): Promise<void> {
  const server = await chooseServer(settings)
  const control = new Control()
  let isFetched = false
  await lookForUpdate(
    { server, settings: { ...settings, isUpdating: true }, control, onUpdate: () => (isFetched = true) },
    new Log(undefined),
  )
  if (control.update !== undefined) throw new Stop('Nothing was updated.', exitCodes.notAllSent)
  if (!isFetched)
    process.stdout.write(`Uploader ${version} stays: ${server.host} offers none that is newer and can be taken.\n`)
}

const chooseServer = async (settings: Settings): Promise<URL> =>
  settings.server ??
  serverAddress(await needed('Address of the product: ', 'Name the server: --server https://… or UPLOADER_SERVER'))

/** The machine's API token, or the account of a person or a service user. */
async function chooseAccount(settings: Settings, server: URL): Promise<Chosen> {
  const { apiToken } = settings
  if (apiToken !== undefined) {
    const entry = new ApiToken(server, apiToken)
    return { account: () => entry, key: apiToken }
  }
  const email =
    settings.email ??
    (await needed(
      'Email of the service user: ',
      `Connect this machine: dmp-uploader --connect ${server.origin}, or name an account: --email … or UPLOADER_EMAIL`,
    ))
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
  const hint = 'A page for all of it: dmp-uploader window. What else there is: dmp-uploader --help.'
  if (!isInteractive()) throw new Stop(`${otherwise}. ${hint}`)
  if (!isHidden) process.stderr.write(`${hint}\n`)
  const typedLine = await ask(question, isHidden)
  if (typedLine.trim() === '') throw new Stop('No input was given.')
  return isHidden ? typedLine : typedLine.trim().replace(/^"(.*)"$/, '$1')
}

/**
 * The first Ctrl-C ends the files that are under way and writes the journal; the second does not wait. Returns what
 * lets signals go.
 */
function stopOnSignals(stopping: AbortController): () => void {
  const stop = () => {
    if (stopping.signal.aborted) process.exit(exitCodes.interrupted)
    process.stderr.write('Stopping. Unfinished files continue at the next start.\n')
    stopping.abort()
  }
  process.on('SIGINT', stop).on('SIGTERM', stop)
  return () => void process.off('SIGINT', stop).off('SIGTERM', stop)
}
