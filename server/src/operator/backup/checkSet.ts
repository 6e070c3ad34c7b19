import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { ByteBudget } from '../../core/byteBudget.ts'
import { StartFailure } from '../../core/StartFailure.ts'
import { openStores, toDiskSpace } from '../../createDependencies.ts'
import { toCommandLocation } from '../../databaseLocation.ts'
import { openDatabase, type Database } from '../../db/client.ts'
import { DatabaseHosts } from '../../db/databaseHosts.ts'
import { migrate } from '../../db/migrate.ts'
import { createWriter } from '../../db/write.ts'
import { readKeys } from '../../identity/keys.ts'
import type { StoreProblem } from '../../modules/scan/check/storedBytes.ts'
import { getSeriesThumbnail } from '../../modules/scan/reading/thumbnails.ts'
import type { Settings } from '../../settings/settings.ts'
import { checkInstallation } from '../checkInstallation.ts'
import { objectsFolder, type BackupSet } from './backupFolder.ts'
import { restoreRows, restoreState } from './restoreSet.ts'

const newestSeries = 20

export interface CheckedSet {
  readonly problems: readonly StoreProblem[]
  /** Of the newest series, how many were asked for a picture, and how many gave one. */
  readonly pictures: { readonly asked: number; readonly drawn: number }
}

/**
 * Proves a backup in a place of its own, which is gone afterwards: the rows are restored there, the bytes of each are
 * read where the backup has them and compared with their hash, the audit chains are walked, and scans are opened.
 */
export async function checkSet(
  settings: Settings,
  folder: string,
  set: BackupSet,
  { bytesPerSecond, signal }: { readonly bytesPerSecond: number; readonly signal: AbortSignal },
): Promise<CheckedSet> {
  if (set.head.database === 'none')
    throw new StartFailure(
      `Backup ${set.name} holds no database. Restore that of the same time, and compare both with npm run fsck.`,
    )
  const dataDir = await mkdtemp(join(tmpdir(), 'dmp-restore-check-'))
  const scratch = set.head.database === 'postgres' ? await createScratch(settings) : undefined
  const place: Settings = {
    ...settings,
    dataDir,
    databaseUrl: scratch?.url,
    databaseDirectUrl: undefined,
    s3Bucket: undefined,
    dicomWebUrl: undefined,
  }
  try {
    await restoreState(dataDir, set)
    await restoreRows(place, set, signal)
    await symlink(resolve(folder, objectsFolder), join(dataDir, 'objects'), 'dir')
    const database = await openDatabase(toCommandLocation(place))
    try {
      await migrate(database.db, place)
      // Bytes of other sets lie beside those of this one.
      const problems = await checkInstallation(database, place, { repairs: false, bytesPerSecond, isShared: true })
      return { problems, pictures: await drawNewest(database, place) }
    } finally {
      await database.close()
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
    await scratch?.drop()
  }
}

/** A database beside that of the settings, for as long as the check takes. */
async function createScratch({
  databaseUrl,
  databaseDirectUrl,
}: Settings): Promise<{ url: string; drop(): Promise<void> }> {
  const addresses = databaseDirectUrl ?? databaseUrl
  if (addresses === undefined)
    throw new StartFailure('This backup is of a PostgreSQL. Set DATABASE_URL to one that may be used for the check.')
  const hosts = new DatabaseHosts(addresses)
  if (!(await hosts.find()))
    throw new StartFailure(`The database ${hosts.name} does not respond. Start it, or correct DATABASE_URL.`)
  const name = `dmp_restore_check_${randomBytes(6).toString('hex')}`
  const run = async (statement: string): Promise<void> => {
    const client = new pg.Client({ connectionString: hosts.address })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await run(`create database ${name} template template0`).catch((cause: Error) => {
    throw new StartFailure(
      `No database can be made for the check (${cause.message}). Give the user of DATABASE_URL the right (alter user … createdb), or set DATABASE_URL to another server.`,
    )
  })
  const url = new URL(hosts.address)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => run(`drop database ${name} with (force)`) }
}

/** The pictures that lists show are left aside: they lie in rows, and say nothing of bytes. */
async function drawNewest(database: Database, settings: Settings): Promise<CheckedSet['pictures']> {
  const { db } = database
  await db.deleteFrom('thumbnails').execute()
  const write = createWriter(db, (await readKeys(settings)).audit)
  const stores = await openStores(settings, db, write, toDiskSpace(settings))
  const memory = new ByteBudget(settings.readMegabytes * 2 ** 20, settings.readPersonMegabytes * 2 ** 20)
  try {
    const newest = await db
      .selectFrom('series')
      .select(['organization_id', 'series_uid'])
      .orderBy('created_date', 'desc')
      .limit(newestSeries)
      .execute()
    let drawn = 0
    for (const { organization_id: organizationId, series_uid: seriesUID } of newest) {
      const owner = { organizationId, userId: 'operator' }
      const picture = await getSeriesThumbnail({ db, memory, ...stores }, organizationId, seriesUID, { owner }).catch(
        () => undefined,
      )
      if (picture) drawn += 1
    }
    return { asked: newest.length, drawn }
  } finally {
    await stores.pictures.close()
    await stores.reader.close()
  }
}
