import { mkdir, readdir, readFile, rm, stat } from 'node:fs/promises'
import { isAbsolute, join, relative, resolve, sep } from 'node:path'
import * as v from 'valibot'
import { StartFailure } from '../../core/StartFailure.ts'
import { lockFolder } from '../../db/folderLock.ts'
import { assertOwnFolder } from '../folders.ts'

/*
 * A folder of backups:
 *
 *   objects/                  stored bytes under their keys, each once, for all sets
 *   2026-11-26T20-10-11-123Z/  a set: the rows of that moment
 *     database/ or database.dump   the embedded database, or what pg_dump wrote
 *     state/                  what else lies in the data folder: releases, keys of a demo, heads of the audit trail
 *     objects.txt             the key of each object that its rows name
 *     SHA256SUMS              of all of that
 *     backup.json             written last
 */

export const objectsFolder = 'objects'
export const databaseFolder = 'database'
export const dumpFile = 'database.dump'
export const stateFolder = 'state'
export const keysFile = 'objects.txt'
const headFile = 'backup.json'

export const BackupHead = v.object({
  /** Of this layout. */
  format: v.literal(1),
  /** ISO 8601, in UTC: the moment of its rows. */
  made: v.pipe(v.string(), v.isoTimestamp()),
  database: v.picklist(['embedded', 'postgres', 'none']),
  objects: v.number(),
  bytes: v.number(),
})
export type BackupHead = v.InferOutput<typeof BackupHead>

export interface BackupSet {
  readonly name: string
  readonly path: string
  readonly head: BackupHead
}

const setPattern = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/
/** What a backup that was broken off leaves behind. */
const unfinished = '.part'

export const toSetName = (moment: Date): string => moment.toISOString().replaceAll(/[:.]/g, '-')

/** Whole sets, the oldest first. */
export async function listSets(folder: string): Promise<readonly BackupSet[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => setPattern.test(name)).sort()
  const sets = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      const text = await readFile(join(path, headFile), 'utf8').catch(() => '')
      const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), BackupHead), text)
      return parsed.success ? [{ name, path, head: parsed.output }] : []
    }),
  )
  return sets.flat()
}

/** Where a new set is written until it is whole. */
export async function beginSet(folder: string, name: string): Promise<string> {
  const path = join(folder, `${name}${unfinished}`)
  await mkdir(join(path, stateFolder), { recursive: true, mode: 0o700 })
  return path
}

export const headPath = (set: string): string => join(set, headFile)

/** Makes it, or goes on in it, for one backup at a time. Returns what lets the next one begin. */
export async function openBackupFolder(folder: string, dataDir: string): Promise<() => void> {
  if (isWithin(folder, dataDir) || isWithin(dataDir, folder))
    throw new StartFailure(
      `The backup would lie in the data folder ${dataDir}, or around it. Name a folder elsewhere, best on another disk.`,
    )
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: { code?: string }) => {
    throw new StartFailure(`The folder ${folder} cannot be made (${cause.code ?? 'unknown'}). Name one that can.`)
  })
  await assertOwnFolder(folder)
  const foreign = (await readdir(folder)).filter((name) => !isOurs(name))
  if (foreign.length > 0)
    throw new StartFailure(
      `The folder ${folder} also holds other things, such as ${foreign[0]}. Name one that holds backups alone, or is new.`,
    )
  const unlock = lockBackups(folder)
  for (const name of await readdir(folder))
    if (name.endsWith(unfinished)) await rm(join(folder, name), { recursive: true, force: true })
  return unlock
}

function lockBackups(folder: string): () => void {
  try {
    return lockFolder(folder)
  } catch {
    throw new StartFailure(`Another backup is being written to ${folder}. Wait until it has ended.`)
  }
}

const isOurs = (name: string): boolean =>
  [objectsFolder, 'lock', 'lock-journal', 'lock-owner.json'].includes(name) ||
  setPattern.test(name.replace(unfinished, ''))

function isWithin(path: string, folder: string): boolean {
  const way = relative(resolve(folder), resolve(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

/** The set that is meant: by name, or the newest. */
export async function findSet(folder: string, name?: string): Promise<BackupSet> {
  if (!(await stat(folder).catch(() => undefined))?.isDirectory())
    throw new StartFailure(`There is no folder ${folder}. Name the one that npm run backup wrote to.`)
  const sets = await listSets(folder)
  const set = name === undefined ? sets.at(-1) : sets.find((one) => one.name === name)
  if (set) return set
  throw new StartFailure(
    sets.length === 0
      ? `In ${folder} is no whole backup.`
      : `There is no whole backup ${name ?? ''} in ${folder}. There are: ${sets.map((one) => one.name).join(', ')}.`,
  )
}
