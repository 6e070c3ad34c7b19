import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { toInstallCommand } from '../autostart/runAutostart.ts'
import { startBeside } from '../beside.ts'
import { connect } from '../connect.ts'
import { Control } from '../Control.ts'
import type { Gateway } from '../gateway/Gateway.ts'
import { openGateway } from '../gateway/openGateway.ts'
import { toAccountName } from '../Journals.ts'
import { Log } from '../log.ts'
import { toStateFolder, type Options } from '../options.ts'
import { ownCodes } from '../ownCodes.ts'
import { SeriesRows } from '../SeriesRows.ts'
import { sendAll, type Chosen } from '../sending.ts'
import { canSignIn, readSettings, type Settings } from '../settings.ts'
import { readFile, settingsFileName, writeFile, type Values } from '../settingsFile.ts'
import { exitCodes, fullSentence, isFull, Stop } from '../stop.ts'
import { readyMessage, startAnew } from '../update/launch.ts'
import { openWindow, type OpenWindow } from './windowServer.ts'

type Environment = Readonly<Record<string, string | undefined>>
type Choose = (settings: Settings, server: URL) => Promise<Chosen>
const againMs = 60_000
/** Names the running window for the next `dmp-uploader window`; as secret as the settings. */
const windowFile = 'window.json'

/** The work with a window: until it is stopped. Where it runs already, only its page is opened. */
export async function runWindow(
  options: Options,
  environment: Environment,
  programFolder: string,
  choose: Choose,
): Promise<number> {
  const stateFolder = toStateFolder(options.state)
  mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
  const running = await askRunning(stateFolder)
  if (running !== undefined) {
    show(running, options)
    return exitCodes.done
  }
  const work = new WindowWork(options, environment, programFolder, choose)
  work.gateway = await openGateway(stateFolder, work.settings.gateway, work.control)
  const window = await openWindow(work)
  const file = path.join(stateFolder, windowFile)
  writeFileSync(file, JSON.stringify({ port: window.port, secret: window.secret }), { mode: 0o600 })
  show(window.createAddress(), options)
  if (work.installCommand !== undefined)
    process.stdout.write(
      `It runs only while this terminal is open. To start it with this machine, end it here (Ctrl+C) and enter:\n  ${work.installCommand}\n`,
    )
  process.send?.(readyMessage)
  try {
    return await work.run()
  } finally {
    rmSync(file, { force: true })
    await window.close()
    await work.gateway.close()
  }
}

function show(address: string, { isNoOpen }: Options): void {
  process.stdout.write(`The uploader's window (good once): ${address}\n`)
  if (isNoOpen) return
  const [program, ...words] =
    process.platform === 'win32'
      ? ['rundll32', 'url.dll,FileProtocolHandler', address]
      : [process.platform === 'darwin' ? 'open' : 'xdg-open', address]
  // Where there is no browser, the address above is enough.
  spawn(program ?? '', words, { stdio: 'ignore', detached: true })
    .on('error', () => undefined)
    .unref()
}

/** A new address of the window that runs already; undefined where none does. */
async function askRunning(stateFolder: string): Promise<string | undefined> {
  try {
    const { port, secret } = JSON.parse(readFileSync(path.join(stateFolder, windowFile), 'utf8')) as OpenWindow
    const response = await fetch(`http://127.0.0.1:${port}/address`, {
      method: 'POST',
      headers: { authorization: `Bearer ${secret}` },
      redirect: 'error',
      signal: AbortSignal.timeout(5000),
    })
    return response.ok ? await response.text() : undefined
  } catch {
    return undefined
  }
}

/** What the window shows and decides, and the work behind it. */
export class WindowWork {
  readonly control = new Control()
  readonly droppedFolder: string
  gateway: Gateway | undefined
  #options: Options
  readonly #environment: Environment
  readonly #programFolder: string
  readonly #pauseFile: string
  readonly #choose: Choose
  readonly #stopping = new AbortController()
  /** Ends what is sent with an API token that is renewed. */
  #renewing = new AbortController()
  /** The problem that terminal and log have heard of. */
  #told: string | undefined
  #isUpdated = false
  #isConnecting = false
  /** Ends the wait for somebody who enters the code. */
  #cancelling = new AbortController()

  constructor(options: Options, environment: Environment, programFolder: string, choose: Choose) {
    this.#options = { ...options, isWatching: true }
    this.#environment = environment
    this.#programFolder = programFolder
    this.#choose = choose
    this.control.progress.series = new SeriesRows()
    this.#pauseFile = path.join(toStateFolder(options.state), 'paused')
    this.control.setPaused(existsSync(this.#pauseFile))
    this.droppedFolder = path.join(toStateFolder(options.state), 'dropped')
    mkdirSync(this.droppedFolder, { recursive: true, mode: 0o700 })
    const stop = (): void => {
      if (this.#stopping.signal.aborted) process.exit(exitCodes.interrupted)
      this.#stopping.abort()
    }
    process.on('SIGINT', stop).on('SIGTERM', stop)
    this.#keepFolders()
  }

  /** Watched from now on, as if chosen in the window. A service is given its folders at each start. */
  #keepFolders(): void {
    const { folders: given } = this.#options
    if (given.length === 0 || this.#options.isService) return
    const { folders: kept } = readSettings({ ...this.#options, folders: [] }, this.#environment, this.#programFolder)
    const folders = [...new Set([...kept, ...given.map((folder) => path.resolve(folder))])]
    try {
      this.keep({ folders })
    } catch {
      return void process.stdout.write(
        `Watched in this run only, because the settings cannot be written: ${given.join(', ')}\n`,
      )
    }
    this.#options = { ...this.#options, folders: [] }
    process.stdout.write(`Watched from now on: ${folders.join(', ')}\n`)
  }

  /** What makes it run without a terminal; undefined where it does. */
  get installCommand(): string | undefined {
    return this.#options.isService ? undefined : toInstallCommand(this.#options)
  }

  get settings(): Settings {
    return readSettings(this.#options, this.#environment, this.#programFolder)
  }

  async run(): Promise<number> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      try {
        await this.#send()
      } catch (cause) {
        // What stops a run of the command line waits here for a person, and is tried again.
        this.#tell(cause)
        // Who is let in no longer is not connected: the window offers to connect again.
        if (cause instanceof Stop && cause.exitCode === exitCodes.notSignedIn) this.control.account = undefined
      }
      if (this.#renewing.signal.aborted) this.#renewing = new AbortController()
      else if (!signal.aborted) await this.control.rest(againMs, signal)
    }
    return this.#isUpdated ? startAnew : exitCodes.done
  }

  /** Once, however often it is tried again. */
  #tell(cause: unknown): void {
    const { control } = this
    control.problem = cause instanceof Error ? cause.message : String(cause)
    control.problemCode = cause instanceof Stop ? cause.code : undefined
    if (isFull(cause)) {
      control.problem = `${fullSentence(toStateFolder(this.#options.state))} It goes on by itself once there is room.`
      // No log can be written either.
      return void process.stderr.write(`${control.problem}\n`)
    }
    if (cause instanceof Stop && cause.code === ownCodes.ended) control.progress.forgetLater(ownCodes.ended)
    if (this.#told === control.problem) return
    this.#told = control.problem
    const { server, apiToken, stateFolder } = this.settings
    const isOfToken = server !== undefined && apiToken !== undefined
    const log = new Log(isOfToken ? path.join(stateFolder, `${toAccountName(server, apiToken)}.log`) : undefined)
    log.say(control.problem)
  }

  async #send(): Promise<void> {
    const { control } = this
    const { settings } = this
    const { server } = settings
    control.folders = settings.folders
    control.pace.set(settings.slower)
    control.isDeidentifying = settings.isDeidentifying
    control.server = server
    if (server === undefined || !canSignIn(settings) || control.code !== undefined)
      return void (control.lost = undefined)
    const onUpdate = (): void => this.startAnew()
    await sendAll({
      server,
      chosen: await this.#choose(settings, server),
      options: this.#options,
      settings,
      control,
      listFolders: () => control.folders,
      signal: AbortSignal.any([this.#stopping.signal, this.#renewing.signal]),
      droppedFolder: this.droppedFolder,
      ...(this.gateway && { gateway: this.gateway }),
      beside: (session, log) => startBeside({ server, settings, control, onUpdate }, session, log),
    })
  }

  /** Until somebody goes on, over restarts. A file, because settings that it does not know stop an earlier program. */
  pause(isPaused: boolean): void {
    if (isPaused) writeFileSync(this.#pauseFile, '', { mode: 0o600 })
    else rmSync(this.#pauseFile, { force: true })
    this.control.setPaused(isPaused)
  }

  /** Ends politely where somebody starts the newer program. */
  startAnew(): void {
    this.#isUpdated = process.connected === true
    if (this.#isUpdated) this.#stopping.abort()
  }

  /** Keeps what somebody decided in the settings file. */
  keep(values: Values): void {
    const file = this.#file
    writeFile(file, { ...(existsSync(file) ? readFile(file) : {}), ...values })
  }

  get #file(): string {
    return this.#options.config ?? this.settings.file ?? path.join(toStateFolder(this.#options.state), settingsFileName)
  }

  cancelConnect(): void {
    this.#cancelling.abort()
    this.control.code = undefined
  }

  /** Shows the code of the device flow in the window, and begins to send when somebody has let this machine in. */
  async connect(address: string): Promise<void> {
    const { control } = this
    // Pressed twice, another code would be waited for that nobody enters.
    if (this.#isConnecting) return
    this.#told = undefined
    this.#isConnecting = true
    this.#cancelling = new AbortController()
    control.problem = undefined
    control.unconnected = undefined
    try {
      await connect({ ...this.#options, connect: address }, this.#environment, this.#programFolder, {
        isAsking: true,
        signal: this.#cancelling.signal,
        onCode: (code) => (control.code = code),
        onKept: () => {
          control.code = undefined
          this.#renewing.abort()
        },
      })
    } catch (cause) {
      // Who has cancelled it knows that.
      if (this.#cancelling.signal.aborted) return
      control.unconnected = cause instanceof Error ? cause.message : String(cause)
    } finally {
      this.#isConnecting = false
      control.code = undefined
      control.wake()
    }
  }
}
