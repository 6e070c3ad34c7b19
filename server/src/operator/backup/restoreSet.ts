import { createReadStream, existsSync } from 'node:fs'
import { cp, mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import pg from 'pg'
import { StartFailure } from '../../core/StartFailure.ts'
import { toDiskSpace } from '../../createDependencies.ts'
import { DatabaseHosts } from '../../db/databaseHosts.ts'
import { hashFile, sumsFile } from '../../modules/organization/export/exportFormat.ts'
import { checkedKey } from '../../outside/localStaging.ts'
import { openPlainStore } from '../../outside/openObjectStore.ts'
import type { ObjectStore } from '../../outside/objectStore.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Say } from '../operatorCommands.ts'
import { databaseFolder, keysFile, objectsFolder, stateFolder, type BackupSet } from './backupFolder.ts'
import { copyMode, restoreDump } from './databaseCopy.ts'

/** Objects that become visible together. */
const atOnce = 50

/** Whether each file of the set is the one that was written; throws a `StartFailure` that names those that are not. */
export async function assertWhole({ path, name }: BackupSet): Promise<void> {
  const lines = (await readFile(join(path, sumsFile), 'utf8').catch(() => '')).split('\n').filter(Boolean)
  const wrong = lines.length === 0 ? [sumsFile] : []
  for (const line of lines) {
    const [, sha256, file = ''] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? []
    const hash =
      file === '' || file.includes('..') ? undefined : await hashFile(join(path, file)).catch(() => undefined)
    if (sha256 === undefined || hash !== sha256) wrong.push(file || sumsFile)
  }
  if (wrong.length === 0) return
  throw new StartFailure(
    `Backup ${name} is not what was written: ${wrong.slice(0, 5).join(', ')}. Take another one with --of.`,
  )
}

/** Into an empty installation: bytes before rows, so that no row is ever there without its bytes. */
export async function restoreSet(
  settings: Settings,
  folder: string,
  set: BackupSet,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  await assertFits(settings, set)
  const done = await restoreObjects(settings, folder, set, say, signal)
  await restoreState(settings.dataDir, set)
  await restoreRows(settings, set, signal)
  say({ text: `Restored backup ${set.name}: ${done} objects, and the rows of ${set.head.made}.` })
}

/** Returns how many there are. */
export async function restoreObjects(
  settings: Settings,
  folder: string,
  set: BackupSet,
  say: Say,
  signal: AbortSignal,
): Promise<number> {
  if (set.head.objects === 0) return 0
  const store = await openPlainStore(settings, undefined, toDiskSpace(settings))
  let done = 0
  let bytes = 0
  for await (const keys of readKeys(set)) {
    signal.throwIfAborted()
    bytes += await putObjects(store, folder, keys)
    done += keys.length
    say({ progress: { done, total: set.head.objects, bytes } })
  }
  return done
}

async function assertFits(
  { databaseUrl, databaseDirectUrl, dataDir }: Settings,
  { head, name }: BackupSet,
): Promise<void> {
  if (head.database === 'none')
    throw new StartFailure(
      `Backup ${name} holds no database. Restore that of the same time by what backs it up, give its objects back with --objects, and compare both with npm run fsck.`,
    )
  if ((head.database === 'postgres') !== (databaseUrl !== undefined))
    throw new StartFailure(
      head.database === 'postgres'
        ? `Backup ${name} is of a PostgreSQL. Set DATABASE_URL to an empty database.`
        : `Backup ${name} is of an embedded database. Unset DATABASE_URL.`,
    )
  if (
    databaseUrl === undefined
      ? existsSync(join(dataDir, 'database'))
      : await hasTables(databaseDirectUrl ?? databaseUrl)
  )
    throw new StartFailure(
      databaseUrl === undefined
        ? `In ${dataDir} is a database already. Nothing was changed. Restore into a new folder with DMP_DATA_DIR, and put it in its place afterwards.`
        : 'The database of DATABASE_URL has tables already. Nothing was changed. Name an empty one.',
    )
}

async function hasTables(addresses: string): Promise<boolean> {
  const hosts = new DatabaseHosts(addresses)
  if (!(await hosts.find()))
    throw new StartFailure(`The database ${hosts.name} does not respond. Start it, or correct DATABASE_URL.`)
  const client = new pg.Client({ connectionString: hosts.address })
  await client.connect()
  try {
    const { rows } = await client.query(`select 1 from pg_class where relkind in ('r', 'p')
      and relnamespace in (select oid from pg_namespace where nspname in ('public', 'jobs')) limit 1`)
    return rows.length > 0
  } finally {
    await client.end()
  }
}

async function* readKeys({ path }: BackupSet): AsyncGenerator<string[]> {
  let page: string[] = []
  for await (const key of createInterface({ input: createReadStream(join(path, keysFile)) })) {
    page.push(checkedKey(key))
    if (page.length < atOnce) continue
    yield page
    page = []
  }
  if (page.length > 0) yield page
}

/** What is there already was put there by a restore that was broken off: given again it goes on. */
async function putObjects(store: ObjectStore, folder: string, keys: readonly string[]): Promise<number> {
  const put: { staged: Awaited<ReturnType<ObjectStore['stage']>>; key: string }[] = []
  for (const key of keys) {
    const file = await open(join(folder, objectsFolder, key)).catch((cause: { code?: string }) => {
      if (cause.code !== 'ENOENT') throw cause
      throw new StartFailure(
        `The object ${key} is not in the backup. npm run restore -- ${folder} --check lists what is missing.`,
      )
    })
    const staged = await store.stage(file.createReadStream(), { isApart: true })
    put.push({ staged, key })
  }
  await store.intend(put)
  await store.keep(put.map(({ staged }) => staged))
  return put.reduce((sum, { staged }) => sum + staged.size, 0)
}

export async function restoreRows(
  { databaseUrl, databaseDirectUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
  { path }: BackupSet,
  signal: AbortSignal,
): Promise<void> {
  if (databaseUrl !== undefined) return restoreDump(databaseDirectUrl ?? databaseUrl, path, signal)
  const place = join(dataDir, databaseFolder)
  await cp(join(path, databaseFolder), `${place}.part`, { recursive: true, mode: copyMode })
  await rename(`${place}.part`, place)
}

/** What is there stays: the settings of this machine may have made it. */
export async function restoreState(dataDir: string, { path }: BackupSet): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  for (const name of await readdir(join(path, stateFolder)))
    await cp(join(path, stateFolder, name), join(dataDir, name), { recursive: true, force: false, mode: copyMode })
}
