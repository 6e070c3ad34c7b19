import os from 'node:os'
import path from 'node:path'
import { toGateway, type GatewaySettings } from './gateway/gatewaySettings.ts'
import { toStateFolder, type Options } from './options.ts'
import { clockTime, type Slower } from './Pace.ts'
import { findFile, isReadByOthers, readFile, settingsFileName, withKeptToken, type Known } from './settingsFile.ts'
import { readStationName } from './stationName.ts'
import { Stop } from './stop.ts'

export interface Settings {
  readonly server: URL | undefined
  readonly email: string | undefined
  readonly password: string | undefined
  /** A machine's own credential, instead of email and password. */
  readonly apiToken: string | undefined
  readonly folders: readonly string[]
  readonly isWatching: boolean
  /** Files that travel at the same time. */
  readonly atOnce: number
  readonly lookEverySeconds: number
  readonly stateFolder: string
  /** By which administrators know this machine. */
  readonly name: string
  readonly slower: Slower | undefined
  /** Takes newer uploaders from the server. */
  readonly isUpdating: boolean
  /** Takes what devices send that only speak DICOM. */
  readonly gateway: GatewaySettings | undefined
  /** Sends de-identified copies in place of what lies here. */
  readonly isDeidentifying: boolean
  /** Where the settings were read. */
  readonly file: string | undefined
  /** Warnings about settings that work. */
  readonly warnings: readonly string[]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Command line over environment over settings file. Throws a Stop. */
export function readSettings(options: Options, environment: Environment, programFolder: string): Settings {
  const stateFolder = toStateFolder(options.state)
  const file = findFile(options.config, programFolder, stateFolder)
  const own = file === undefined ? {} : readFile(file)
  const values = options.config === undefined ? withKeptToken(own, stateFolder) : own
  const text = (name: Known) => (typeof values[name] === 'string' && values[name] !== '' ? values[name] : undefined)
  // A variable that is set to nothing is not set.
  const variable = (name: string) => environment[`UPLOADER_${name}`] || undefined
  const ofToken = text('server')
  const server = options.server ?? variable('SERVER') ?? ofToken
  // An API token that stands beside its server is for that one: none that is named elsewhere gets it.
  const isElsewhere =
    server !== undefined && ofToken !== undefined && serverAddress(server).origin !== serverAddress(ofToken).origin
  const folders = options.folders.length > 0 ? options.folders : toList(values.folders, file)
  return {
    server: server === undefined ? undefined : serverAddress(server),
    email: options.email ?? variable('EMAIL') ?? text('email'),
    password: variable('PASSWORD') ?? text('password'),
    // An account that the command line names is meant.
    apiToken:
      options.email === undefined ? (variable('API_TOKEN') ?? (isElsewhere ? undefined : text('apiToken'))) : undefined,
    folders: folders.map((folder) => path.resolve(folder)),
    isWatching: options.isWatching ?? values.watch === true,
    atOnce: within(values.atOnce, 4, 1, 16, 'atOnce'),
    lookEverySeconds: within(values.lookEverySeconds, 10, 1, 3600, 'lookEverySeconds'),
    stateFolder,
    name: (text('name') ?? readStationName(stateFolder) ?? (os.hostname() || 'Uploader')).slice(0, 60),
    slower: toSlower(values.slower),
    isUpdating: values.update !== false,
    gateway: toGateway(values.gateway),
    isDeidentifying: toYesOrNo(values.deidentify),
    file,
    warnings:
      file !== undefined && [own.password, own.apiToken].some(Boolean) && isReadByOthers(file)
        ? [`${file} holds a secret and can be read by other users of this machine. Close it: chmod 600 ${file}`]
        : [],
  }
}

/** Whether there is what it takes to sign in without anybody there. */
export const canSignIn = ({ apiToken, email, password }: Settings): boolean =>
  apiToken !== undefined || (email !== undefined && password !== undefined)

export const isOfThisMachine = ({ hostname }: URL): boolean => ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** https, or http on this very machine: a password and patients' data are not sent in the open. */
export function serverAddress(written: string): URL {
  const address = /^[a-z]+:\/\//i.test(written) ? written : `https://${written}`
  if (!URL.canParse(address)) throw new Stop(`"${written}" is not an address. It looks like https://dmp.clinic.example`)
  const url = new URL(address)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isOfThisMachine(url)))
    throw new Stop(
      `${url.protocol}//${url.host} would send the password and the images in the open. Use https://${url.host}`,
    )
  if (url.username !== '' || url.password !== '')
    throw new Stop(
      'A user name or password does not belong in the address. Use --email, and UPLOADER_PASSWORD or the prompt.',
    )
  return new URL('/', url)
}

function toList(value: unknown, file: string | undefined): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  throw new Stop(`"folders" in ${file ?? settingsFileName} should be a list of paths: ["/scans"].`)
}

function within(value: unknown, usual: number, least: number, most: number, name: Known): number {
  if (value === undefined) return usual
  if (typeof value === 'number' && value >= least && value <= most) return value
  throw new Stop(`"${name}" should be a number from ${least} to ${most}.`)
}

/** A word in its place would be taken for yes or for no: for neither here. */
function toYesOrNo(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'boolean') return value
  throw new Stop('"deidentify" should be true or false.')
}

function toSlower(value: unknown): Slower | undefined {
  if (value === undefined || value === null) return undefined
  const { kilobytesPerSecond, from, to } = value as Partial<Slower>
  const isTime = (text: unknown): text is string => typeof text === 'string' && clockTime.test(text)
  if (typeof kilobytesPerSecond === 'number' && kilobytesPerSecond >= 10 && kilobytesPerSecond <= 1_000_000)
    if (isTime(from) && isTime(to)) return { kilobytesPerSecond, from, to }
  throw new Stop(
    '"slower" should be {"kilobytesPerSecond": 500, "from": "07:00", "to": "18:00"}, with 10 to 1000000 kilobytes.',
  )
}
