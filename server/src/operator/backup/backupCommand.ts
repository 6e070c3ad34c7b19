import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { cp, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { finished } from 'node:stream/promises'
import { Readable } from 'node:stream'
import * as v from 'valibot'
import { inTurnOf } from '../../core/asker.ts'
import type { Database } from '../../db/client.ts'
import { hashFile, sumsFile, toSums, writeWhole } from '../../modules/organization/export/exportFormat.ts'
import { openPlainStore } from '../../outside/openObjectStore.ts'
import type { Settings } from '../../settings/settings.ts'
import { operatorTurn } from '../ingestCommand.ts'
import type { Say } from '../operatorCommands.ts'
import {
  beginSet,
  headPath,
  keysFile,
  listSets,
  openBackupFolder,
  stateFolder,
  toSetName,
  type BackupHead,
} from './backupFolder.ts'
import { copyObjects, removeUnnamed, type Copied } from './copyObjects.ts'
import { copyEmbedded, copyMode, dumpPostgres } from './databaseCopy.ts'

const BackupInput = v.strictObject({
  folder: v.string(),
  keep: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  withoutDatabase: v.optional(v.boolean()),
})

interface BackupDependencies {
  readonly database: Database
  readonly settings: Settings
}

const megabyte = 2 ** 20
/** What is made anew, belongs to one process, or is only on its way. */
const passing = new Set(
  'database objects segments incoming uploads imports release-cache lock lock-journal lock-owner.json operator.json'.split(
    ' ',
  ),
)

/**
 * Bytes first, then the rows of one moment, then the bytes that came meanwhile: whatever these rows name is there.
 * Bytes that are there already stay, so that each backup but the first costs what is new.
 */
export async function backupCommand(
  { database, settings }: BackupDependencies,
  input: unknown,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  const { folder, keep, withoutDatabase = false } = v.parse(BackupInput, input)
  const end = await openBackupFolder(folder, settings.dataDir)
  try {
    await inTurnOf(operatorTurn, () => writeSet({ database, settings }, folder, withoutDatabase, say, signal))
    if (keep !== undefined) await removeOld(folder, keep, say, signal)
  } finally {
    end()
  }
}

async function writeSet(
  { database, settings }: BackupDependencies,
  folder: string,
  withoutDatabase: boolean,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  const { db } = database
  const store = await openPlainStore(settings, db)
  if (store.isArchive)
    say({ text: 'Scans lie in a DICOM archive, which has backups of its own: their bytes are not copied.' })
  const { objects: total } = await countObjects(database)
  let moved = 0
  let listed = 0
  const set = await beginSet(folder, toSetName(new Date()))
  const list = createWriteStream(join(set, keysFile), { mode: 0o600, flush: true })
  const copy = async (isListed: (isNew: boolean) => boolean): Promise<Copied> => {
    if (store.isArchive) return { objects: 0, bytes: 0, added: 0, faults: [] }
    return copyObjects({
      db,
      store,
      folder,
      signal,
      note: async (key, isNew) => {
        if (!isListed(isNew)) return
        listed += 1
        if (!list.write(`${key}\n`)) await once(list, 'drain')
      },
      onObject: ({ objects, bytes }) => {
        moved = Math.max(moved, objects)
        say({ progress: { done: moved, total: Math.max(total, moved), bytes } })
      },
    })
  }
  const before = await copy(() => true)
  // Heads of the audit trail that are newer than its rows would say that rows are gone.
  await copyState(settings.dataDir, set)
  const made = withoutDatabase ? new Date() : await copyDatabase(database, settings, set, signal)
  // What was let go of since then is in these rows, and listed already.
  const after = await copy((isNew) => isNew)
  list.end()
  await finished(list)
  const head: BackupHead = {
    format: 1,
    made: made.toISOString(),
    database: withoutDatabase ? 'none' : database.embedded ? 'embedded' : 'postgres',
    objects: listed,
    bytes: after.bytes,
  }
  await writeWhole(join(set, sumsFile), Readable.from([toSums(await hashAll(set))]), signal)
  await writeWhole(headPath(set), Readable.from([JSON.stringify(head, null, 1)]), signal)
  const name = toSetName(made)
  await rename(set, join(folder, name))
  say({ text: `Backup ${name}: ${listed} objects, ${(after.bytes / megabyte).toFixed(1)} MB` })
  say({ text: `  ${before.added + after.added} objects are new` })
  if (withoutDatabase) say({ text: '  without the database, as you asked' })
  for (const key of after.faults.slice(0, 20)) say({ text: `  missing or damaged where it is stored: ${key}` })
  if (after.faults.length > 0)
    say({ text: `  ${after.faults.length} objects could not be copied. npm run fsck says what is wrong with each.` })
}

async function countObjects({ db }: Database): Promise<{ objects: number }> {
  const count = async (table: 'instances' | 'bin_instances'): Promise<number> => {
    const { n } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow()
    return Number(n)
  }
  return { objects: (await count('instances')) + (await count('bin_instances')) }
}

function copyDatabase(database: Database, settings: Settings, set: string, signal: AbortSignal): Promise<Date> {
  const { databaseUrl, databaseDirectUrl, dataDir } = settings
  return databaseUrl === undefined
    ? copyEmbedded(database, dataDir, set)
    : dumpPostgres(databaseDirectUrl ?? databaseUrl, set, signal)
}

async function copyState(dataDir: string, set: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (passing.has(name)) continue
    await cp(join(dataDir, name), join(set, stateFolder, name), {
      recursive: true,
      mode: copyMode,
      filter: (path) => !path.endsWith('.part'),
    })
  }
}

async function hashAll(set: string): Promise<(readonly [path: string, sha256: string])[]> {
  const sums: (readonly [string, string])[] = []
  const entries = await readdir(set, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    sums.push([relative(set, path).split(sep).join('/'), await hashFile(path)])
  }
  return sums
}

/** The newest stay; bytes that only the others named go with them, as the bin promised. */
async function removeOld(folder: string, keep: number, say: Say, signal: AbortSignal): Promise<void> {
  const sets = await listSets(folder)
  const old = sets.slice(0, -keep)
  if (old.length === 0) return
  for (const { path } of old) await rm(path, { recursive: true })
  const removed = await removeUnnamed(folder, sets.slice(-keep), signal)
  say({ text: `Older backups removed: ${old.length}; objects that only they named: ${removed}` })
}
