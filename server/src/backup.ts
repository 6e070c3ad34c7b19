import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { runCommand } from './core/runCommand.ts'
import { StartFailure } from './core/StartFailure.ts'
import { toCommandLocation } from './databaseLocation.ts'
import { openDatabase } from './db/client.ts'
import { patiently } from './db/patience.ts'
import { askServer } from './operator/askServer.ts'
import { backupCommand } from './operator/backup/backupCommand.ts'
import { hearOnTerminal } from './operator/hearOnTerminal.ts'
import { readSettings } from './settings/settings.ts'

const usage = `Writes bytes and rows into a folder, also while servers run. Given again it adds what is new.

  npm run backup -- <folder> [--keep 14] [--without-database]
      --keep              removes older backups, and the bytes that only they named
      --without-database  bytes alone, where the database has backups of its own`

async function main(): Promise<void> {
  const { values, positionals } = parse()
  const [given] = positionals
  if (given === undefined || positionals.length > 1) throw new StartFailure(usage)
  const keep = values.keep === undefined ? undefined : Number(values.keep)
  if (keep !== undefined && !(Number.isInteger(keep) && keep > 0))
    throw new StartFailure('--keep is how many backups stay, such as 14.')
  const input = {
    folder: resolve(given),
    ...(keep !== undefined && { keep }),
    ...(values['without-database'] && { withoutDatabase: true }),
  }
  const settings = readSettings()
  const say = hearOnTerminal()
  if (await askServer(settings.dataDir, 'backup', input, say)) return
  // A wrong folder would be taken for an empty installation.
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, 'database')))
    throw new StartFailure(`There is no database in ${settings.dataDir}. Correct DMP_DATA_DIR, or set DATABASE_URL.`)
  makeFolderPrivate(settings.dataDir)
  const database = await openDatabase(toCommandLocation(settings))
  try {
    await backupCommand({ database, settings }, input, say, new AbortController().signal)
  } finally {
    await database.close()
  }
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: { keep: { type: 'string' }, 'without-database': { type: 'boolean', default: false } },
    })
  } catch {
    throw new StartFailure(usage)
  }
}

await patiently(() => runCommand(main, (reason) => `No backup was written: ${reason}`))
