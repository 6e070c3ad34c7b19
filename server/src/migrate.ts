import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { StartFailure } from './core/StartFailure.ts'
import { createLocalBus } from './db/bus.ts'
import { toCommandLocation } from './databaseLocation.ts'
import { listUnfinished } from './db/backFills/progress.ts'
import { openDatabase, type Database, type DatabaseLocation } from './db/client.ts'
import { openJobs } from './db/jobs.ts'
import { migrate } from './db/migrate.ts'
import { readSettings } from './settings/settings.ts'

/** Brings the database to this version without a server: `npm run migrate`. */
async function main(): Promise<void> {
  const settings = readSettings(undefined, { serves: false })
  // Beside a PostgreSQL there may be no folder to write to.
  if (settings.databaseUrl === undefined) makeFolderPrivate(settings.dataDir)
  const database = await openPatiently(toCommandLocation(settings))
  try {
    const newerNames = await migrate(database.db)
    // The tables of background jobs have migrations of their own.
    const jobs = await openJobs(database, createLocalBus(), pino({ level: 'silent' }))
    await jobs.close()
    const more = newerNames.length === 0 ? '' : `, and a newer version has added to it (${newerNames.join(', ')})`
    process.stdout.write(`The database is at this version${more}.\n`)
    for (const { name, share, isFilled } of await listUnfinished(database.db))
      process.stdout.write(
        isFilled
          ? `${name} is filled in. What only earlier versions use goes a minute after the last of their servers.\n`
          : `${name}: the servers fill in what is there already while they run, ${Math.floor(share * 100)} % so far.\n`,
      )
  } finally {
    await database.close()
  }
}

/** A PostgreSQL that is started beside has no name or does not answer yet. */
const patienceMs = 30_000
async function openPatiently(location: DatabaseLocation): Promise<Database> {
  for (const began = performance.now(); ; await pause(1000))
    try {
      return await openDatabase(location)
    } catch (cause) {
      if (location.kind === 'folder' || performance.now() - began > patienceMs) throw cause
    }
}

main().catch((error: unknown) => {
  const sentences =
    error instanceof StartFailure
      ? error.sentences
      : [`The database could not be migrated: ${error instanceof Error ? error.message : String(error)}`]
  process.stderr.write(`${sentences.join('\n')}\n`)
  process.exitCode = 1
})
