import { resolve } from 'node:path'
import { readSecretVariable, trimToUndefined } from '@dmp/release/secretVariable'
import * as v from 'valibot'
import type { Setting } from './setting.ts'
import { settingsTable } from './settingsTable.ts'
import { StartFailure } from '../core/StartFailure.ts'

type Table = typeof settingsTable
type ValueOf<S> = S extends Setting<infer T> ? T : never

/** The settings from the server's environment. Times are in the unit of their name; fractions are allowed. */
export type Settings = { readonly [K in keyof Table]: ValueOf<Table[K]> }

type Variables = Readonly<Record<string, string | undefined>>

/**
 * The variables as text; the whole environment where left out. This is the only reader of `process.env`. What a server
 * needs in production may be missing where nobody is served.
 */
export function readSettings(variables: Variables = process.env, { serves = true } = {}): Settings {
  const entries = Object.entries(settingsTable) as [keyof Table, Setting<unknown>][]
  const isProduction = serves && !['1', 'true'].includes(variables.DMP_DEMO ?? '')
  const problems: string[] = []
  const has = (name: string): boolean => [name, `${name}_FILE`].some((each) => trimToUndefined(variables[each]))
  const values = entries.map(([key, setting]) => {
    const countBefore = problems.length
    const text = read(variables, setting, problems) ?? setting.fallback
    if (text === undefined) {
      if (isProduction && setting.neededInProduction && problems.length === countBefore)
        problems.push(
          `${setting.name} is not set. ${setting.about}. Production needs it; demo mode (npm start) does not.`,
        )
      return [key, undefined] as const
    }
    const parsed = v.safeParse(setting.schema, text, { abortPipeEarly: true })
    if (parsed.success) return [key, parsed.output] as const
    // The value of a secret is not repeated: this ends in logs.
    const shownValue = setting.isSecret ? 'Its value' : `"${text}"`
    problems.push(`${setting.name} is wrong: ${shownValue} ${parsed.issues[0].message}. ${setting.about}.`)
    return [key, undefined] as const
  })
  problems.push(...unknownNames(variables))
  if (has('DATABASE_DIRECT_URL') && !has('DATABASE_URL'))
    problems.push(
      'DATABASE_DIRECT_URL is set without DATABASE_URL. Set that to the address of the pooler, or set it alone.',
    )
  if (has('DATABASE_READ_URL') && !has('DATABASE_URL'))
    problems.push(
      'DATABASE_READ_URL is set without DATABASE_URL. Set that to the address of the PostgreSQL that takes writes.',
    )
  if (problems.length > 0) throw new StartFailure(...problems)
  const settings = Object.fromEntries(values) as unknown as Settings
  return { ...settings, dataDir: resolve(settings.dataDir), publicUrl: settings.publicUrl?.replace(/\/$/, '') }
}

const names: ReadonlySet<string> = new Set(Object.values(settingsTable).map(({ name }) => name))

/** Every secret may also come from a file; the master keys of encryption have a setting of their own for that. */
export function findFileVariable({ name, isSecret }: Pick<Setting<unknown>, 'name' | 'isSecret'>): string | undefined {
  const variable = `${name}_FILE`
  return isSecret && !names.has(variable) ? variable : undefined
}

function read(variables: Variables, setting: Setting<unknown>, problems: string[]): string | undefined {
  if (findFileVariable(setting) === undefined) return trimToUndefined(variables[setting.name])
  try {
    return readSecretVariable(variables, setting.name)
  } catch (cause) {
    problems.push((cause as Error).message)
    return undefined
  }
}

/** A misspelt setting would otherwise be ignored in silence. Names of other programs of this repository are known. */
const elsewhere = /^DMP_(?:TEST_|DEV_|BENCH_|INGEST_|UPLOADER_|E2E_)/
function unknownNames(variables: Variables): string[] {
  const files = new Set(Object.values(settingsTable).map(findFileVariable))
  return Object.keys(variables)
    .filter((name) => name.startsWith('DMP_') && !names.has(name) && !files.has(name) && !elsewhere.test(name))
    .map((name) => `${name} is not a setting. The settings are listed in docs/operations.md.`)
}

/** The size of the largest single upload. */
export const maxUploadBytes = ({ scanMaxMegabytes }: Pick<Settings, 'scanMaxMegabytes'>): number =>
  scanMaxMegabytes * 2 ** 20

/** The PostgreSQL that tests make their databases on; the embedded database where it is not set. */
export const testDatabaseUrl = (): string | undefined => trimToUndefined(process.env.TEST_DATABASE_URL)
/** Where tests of the server keep objects: `bucket`, `archive`, `segments` of the folder, or its files. */
export const testObjects = (): string | undefined => trimToUndefined(process.env.TEST_OBJECTS)
/** The file to which `npm run mutate -- --conditions` has written what it finds. */
export const conditionsFile = (): string => trimToUndefined(process.env.TEST_CONDITIONS) ?? '/dev/null'
/** Whether what stories wrote down becomes their record. */
export const isAcceptingRecords = (): boolean => trimToUndefined(process.env.TEST_ACCEPT_RECORDS) === '1'
/** Whether tests of the server run with encryption at rest. */
export const isTestEncrypted = (): boolean => trimToUndefined(process.env.TEST_ENCRYPTION) === '1'
/** DICOMweb root of an Orthanc for tests, with user and password. */
export const testArchiveUrl = (): string | undefined => trimToUndefined(process.env.TEST_DICOMWEB_URL)
