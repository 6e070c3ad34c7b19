import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { Stop } from './stop.ts'

export const settingsFileName = 'dmp-uploader.json'
const settingNames = [
  'server',
  'email',
  'password',
  'apiToken',
  'folders',
  'watch',
  'atOnce',
  'lookEverySeconds',
  'name',
  'slower',
  'update',
  'gateway',
  'deidentify',
] as const
export type Known = (typeof settingNames)[number]
export type Values = Partial<Record<Known, unknown>>

/** The file that was named, or the one in the current folder, beside the program or beside the journal, if any. */
export function findFile(
  requestedFile: string | undefined,
  programFolder: string,
  stateFolder = programFolder,
): string | undefined {
  if (requestedFile !== undefined) {
    if (!existsSync(requestedFile)) throw new Stop(`The settings file does not exist: ${requestedFile}.`)
    return requestedFile
  }
  return [path.resolve(), programFolder, stateFolder]
    .map((folder) => path.join(folder, settingsFileName))
    .find((file) => existsSync(file))
}

export function readFile(file: string): Values {
  let values: unknown
  try {
    values = JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (cause) {
    // The message of JSON.parse quotes the text, which may be the password.
    throw new Stop(
      cause instanceof SyntaxError
        ? `${file} is not valid JSON. Windows paths need two backslashes: "C:\\\\Scans".`
        : `${file} cannot be read.`,
    )
  }
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    throw new Stop(`${file} must contain an object: {"server": "…", "email": "…"}.`)
  const stranger = Object.keys(values).find((name) => !settingNames.some((each) => each === name))
  if (stranger !== undefined)
    throw new Stop(
      `${file} has a setting "${stranger}" that does not exist. Choose one of: ${settingNames.join(', ')}.`,
    )
  return values
}

/** Where an API token is kept that this machine asked for, if no file was named: in the folder of its user alone. */
export const toKeptFile = (stateFolder: string): string => path.join(stateFolder, settingsFileName)

/**
 * The settings of a file, with the API token that lies in the state folder. It is for its own server: settings that
 * name another one, or an account, do without.
 */
export function withKeptToken(values: Values, stateFolder: string): Values {
  const file = toKeptFile(stateFolder)
  if ([values.apiToken, values.email, values.password].some((each) => each !== undefined)) return values
  if (!existsSync(file)) return values
  const { apiToken, server } = readFile(file)
  if (apiToken === undefined || (values.server !== undefined && values.server !== server)) return values
  return { ...values, apiToken, server }
}

/**
 * Uploaders of before kept the API token beside the program. Returns the sentence that says where it is now; undefined
 * where there is nothing to move, or where it may be another person's.
 */
export function moveToken(programFolder: string, stateFolder: string): string | undefined {
  const before = path.join(programFolder, settingsFileName)
  const kept = toKeptFile(stateFolder)
  if (before === kept || !existsSync(before) || !isOwn(before)) return undefined
  const { apiToken, server, ...others } = readFile(before)
  const own = existsSync(kept) ? readFile(kept) : {}
  if (typeof apiToken !== 'string' || own.apiToken !== undefined) return undefined
  try {
    assertWritable(before)
    mkdirSync(stateFolder, { recursive: true, mode: 0o700 })
    writeFile(kept, { ...own, ...(server !== undefined && { server }), apiToken })
    if (Object.keys(others).length === 0) rmSync(before)
    else writeFile(before, others)
  } catch {
    return undefined
  }
  return `The API token was moved from ${before} to ${kept}, which only you can read.`
}

/** Whoever starts it from another account would take it away from the one that uses it. */
const isOwn = (file: string): boolean => process.getuid === undefined || statSync(file).uid === process.getuid()

/** Throws a Stop where `writeFile` would, before a person has done anything for it. */
export function assertWritable(file: string): void {
  try {
    accessSync(path.dirname(file), constants.W_OK)
  } catch {
    throw new Stop(`${path.dirname(file)} cannot be written. Name a settings file that can be, with --config.`)
  }
}

/** The file as it was, or as it is wanted, never half; readable by its user alone, because it holds a secret. */
export function writeFile(file: string, values: Values): void {
  const next = `${file}.new`
  writeFileSync(next, `${JSON.stringify(values, undefined, 2)}\n`, { mode: 0o600 })
  renameSync(next, file)
}

export const isReadByOthers = (file: string): boolean =>
  process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0
