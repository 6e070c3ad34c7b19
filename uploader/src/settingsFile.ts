import { accessSync, constants, existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
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
