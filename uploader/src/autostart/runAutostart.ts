import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { isSea } from 'node:sea'
import { promisify } from 'node:util'
import { toStateFolder, type Options } from '../options.ts'
import { exitCodes, serviceCodes, Stop } from '../stop.ts'
import { launchdLabel, serviceName, toPropertyList, toTask, toUnit, windowsWord, type Service } from './definitions.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** What the work needs of the environment. */
const passedOn = [
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'NO_PROXY',
  'https_proxy',
  'http_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'UPLOADER_SERVER',
]

/** The address of a proxy may have a password: services show their definition and environment to everybody. */
const toEnvironmentFile = ({ state }: Options): string => path.join(toStateFolder(state), 'service-environment.json')

function keepEnvironment(options: Options, environment: Environment): void {
  const file = toEnvironmentFile(options)
  const kept = passedOn.flatMap((name) => (environment[name] ? [[name, environment[name]] as const] : []))
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    // An earlier file keeps its mode otherwise.
    rmSync(file, { force: true })
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(kept), undefined, 2)}\n`, { mode: 0o600 })
  } catch {
    throw new Stop(`${file} cannot be written. Nothing was installed.`)
  }
}

const isRoot = (): boolean => process.getuid?.() === 0

const listProgram = (): string[] =>
  isSea() ? [process.execPath] : [process.execPath, ...process.execArgv, path.resolve(process.argv[1] ?? '')]

/** As people write it in the terminal of this system: what every shell takes as it is stays unquoted. */
function toShellWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word
  if (process.platform === 'win32') return /^[\w@+=:,./\\-]+$/.test(word) ? word : windowsWord(word)
  return `'${word.replaceAll("'", String.raw`'\''`)}'`
}

/** The line that makes a service of what runs now, wherever it is entered. */
export const toInstallCommand = ({ config, state, folders }: Options): string =>
  [
    ...listProgram(),
    'service',
    'install',
    ...(state === undefined ? [] : ['--state', path.resolve(state)]),
    ...(config === undefined ? [] : ['--config', path.resolve(config)]),
    ...folders.map((folder) => path.resolve(folder)),
  ]
    .map(toShellWord)
    .join(' ')

/** The work of the window, without a browser, from wherever the program lies. */
export function describeService(options: Options, isOfMachine: boolean): Service {
  const program = listProgram()
  return {
    title: 'Uploader of the Data Management Platform',
    command: [
      ...program,
      'window',
      '--no-open',
      '--state',
      toStateFolder(options.state),
      '--environment',
      toEnvironmentFile(options),
      ...(options.config === undefined ? [] : ['--config', path.resolve(options.config)]),
      ...options.folders,
    ],
    isOfMachine,
  }
}

interface Way {
  readonly file: string
  readonly content: string
  readonly install: readonly (readonly string[])[]
  readonly remove: readonly (readonly string[])[]
  readonly status: readonly string[]
  /** What the status says while it runs, where its exit code does not tell. */
  readonly running?: RegExp
}

function toWay(service: Service): Way {
  if (process.platform === 'win32') {
    const user = `${process.env['USERDOMAIN'] ?? '.'}\\${os.userInfo().username}`
    const file = path.join(os.tmpdir(), 'dmp-uploader-task.xml')
    return {
      file,
      content: toTask(service, user),
      install: [
        ['schtasks', '/Create', '/TN', serviceName, '/XML', file, '/F'],
        ['schtasks', '/Run', '/TN', serviceName],
      ],
      remove: [
        ['schtasks', '/End', '/TN', serviceName],
        ['schtasks', '/Delete', '/TN', serviceName, '/F'],
      ],
      status: ['schtasks', '/Query', '/TN', serviceName, '/V', '/FO', 'LIST'],
      // The words are in the language of Windows; the last result (SCHED_S_TASK_RUNNING) is a number.
      running: /\b267009\b/,
    }
  }
  if (process.platform === 'darwin') {
    const domain = service.isOfMachine ? 'system' : `gui/${process.getuid?.() ?? 0}`
    const folder = service.isOfMachine ? '/Library/LaunchDaemons' : path.join(os.homedir(), 'Library/LaunchAgents')
    const file = path.join(folder, `${launchdLabel}.plist`)
    return {
      file,
      content: toPropertyList(service),
      install: [['launchctl', 'bootstrap', domain, file]],
      remove: [['launchctl', 'bootout', `${domain}/${launchdLabel}`]],
      status: ['launchctl', 'print', `${domain}/${launchdLabel}`],
      running: /\bstate = running\b/,
    }
  }
  const whose = service.isOfMachine ? [] : ['--user']
  const folder = service.isOfMachine ? '/etc/systemd/system' : path.join(os.homedir(), '.config/systemd/user')
  const unit = `${serviceName}.service`
  return {
    file: path.join(folder, unit),
    content: toUnit(service),
    install: [
      ['systemctl', ...whose, 'daemon-reload'],
      ['systemctl', ...whose, 'enable', '--now', unit],
    ],
    remove: [['systemctl', ...whose, 'disable', '--now', unit]],
    status: ['systemctl', ...whose, 'status', '--no-pager', unit],
  }
}

/** `service install | remove | status`. Returns what is said. Throws a Stop. */
export async function runService(options: Options, environment: Environment): Promise<string> {
  const way = toWay(describeService(options, isRoot()))
  if (options.serviceVerb === 'install') {
    keepEnvironment(options, environment)
    const installed = await install(way)
    return isPassing(programFile()) ? `${installed}\n${passingSentence(programFile())}` : installed
  }
  if (options.serviceVerb === 'remove') {
    if (process.platform !== 'win32' && !existsSync(way.file))
      throw new Stop(`There is no service: ${way.file} does not exist.`)
    const failures = await attempt(way.remove)
    for (const file of [way.file, toEnvironmentFile(options)]) rmSync(file, { force: true })
    return [`The service is removed: ${way.file}. Journal, log and settings stay.`, ...failures].join('\n')
  }
  if (options.serviceVerb === 'status') return status(way)
  throw new Stop('Say what to do with the service: dmp-uploader service install, remove or status.')
}

const programFile = (): string => listProgram().at(-1) ?? ''

/** As browsers and systems name the folder, in the languages of the product. */
const downloadFolder = /^(?:downloads?|téléchargements|descargas|ダウンロード|التنزيلات|تنزيلات)$/iu

/** Whether it lies where people and systems clear away. */
function isPassing(file: string): boolean {
  const fromTemporary = path.relative(os.tmpdir(), file)
  const isTemporary = !fromTemporary.startsWith('..') && !path.isAbsolute(fromTemporary)
  const parts = path.dirname(file).normalize('NFC').split(path.sep)
  return isTemporary || parts.some((part) => downloadFolder.test(part))
}

const passingSentence = (file: string): string =>
  `Warning: the service starts ${file}, which lies in a folder for downloads or temporary files. Once it is cleared ` +
  'away, nothing is sent any more. Move the program to where it can stay, and run "service install" there again.'

async function status({ file, status: command, running }: Way): Promise<string> {
  const isWindows = process.platform === 'win32'
  // Windows keeps the definition itself, and then asking for it fails.
  const isDefined = isWindows || existsSync(file)
  const { isDone, said } = isDefined ? await execute(command) : { isDone: false, said: '' }
  if (!isDefined || (isWindows && !isDone)) throw new Stop('The service is not installed.', serviceCodes.notInstalled)
  if (isDone && (running === undefined || running.test(said))) return said.trim()
  throw new Stop(
    `${said.trim()}\nThe service is installed, but the system does not say that it runs.`,
    serviceCodes.notRunning,
  )
}

async function install(way: Way): Promise<string> {
  try {
    mkdirSync(path.dirname(way.file), { recursive: true })
    // Task Scheduler reads UTF-16 with its mark.
    const content = process.platform === 'win32' ? Buffer.from(`\uFEFF${way.content}`, 'utf16le') : way.content
    writeFileSync(way.file, content, { mode: 0o600 })
  } catch {
    throw new Stop(`${way.file} cannot be written. Nothing was installed.`)
  }
  const failures = await attempt(way.install)
  if (failures.length > 0)
    throw new Stop(
      [`The definition is in ${way.file}, but the system did not start it:`, ...failures].join('\n'),
      exitCodes.notAllSent,
    )
  const lingering =
    process.platform === 'linux' && !isRoot()
      ? ' It starts when you sign in; for a start with the machine: sudo loginctl enable-linger "$USER".'
      : ''
  return `The service is installed and started: ${way.file}.${lingering} Its window: dmp-uploader window`
}

async function attempt(commands: Way['install']): Promise<string[]> {
  for (const command of commands) {
    const { isDone, said } = await execute(command)
    if (!isDone) return [`  ${command.join(' ')}`, `  ${said.trim()}`]
  }
  return []
}

async function execute([program = '', ...words]: readonly string[]): Promise<{ isDone: boolean; said: string }> {
  try {
    const { stdout, stderr } = await promisify(execFile)(program, words, { timeout: 30_000 })
    return { isDone: true, said: stdout || stderr }
  } catch (cause) {
    const { stdout = '', stderr = '', message } = cause as { stdout?: string; stderr?: string; message: string }
    return { isDone: false, said: stdout || stderr || message }
  }
}
