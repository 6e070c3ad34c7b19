import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { runCommand } from './core/runCommand.ts'
import { StartFailure } from './core/StartFailure.ts'
import { toCommandLocation } from './databaseLocation.ts'
import { openDatabase } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { patiently } from './db/patience.ts'
import { checkInstallation, formatProblems } from './operator/checkInstallation.ts'
import { readSettings } from './settings/settings.ts'

const usage = `Compares the database with the store of objects, byte for byte.
On an embedded database the server must be stopped; on PostgreSQL it may go on.

  npm run fsck -- [--repair] [--pace 50] [--json]
      --repair  removes bytes that no row names and what interrupted uploads left behind, and corrects counts;
                what only a backup can bring back is listed
      --pace    reads at most so many megabytes per second
      --json    prints what was found as JSON
      Exit code 0: everything is in order, or was repaired. 2: problems remain. 1: it could not be judged`

const megabyte = 2 ** 20

async function main(): Promise<void> {
  const { values } = parse()
  const megabytesPerSecond = values.pace === undefined ? Infinity : Number(values.pace)
  if (!(megabytesPerSecond > 0)) throw new StartFailure('--pace is a number of megabytes per second, such as 50.')
  const settings = readSettings()
  // A wrong folder would be taken for an empty installation.
  if (settings.databaseUrl === undefined && !existsSync(join(settings.dataDir, 'database')))
    throw new StartFailure(`There is no database in ${settings.dataDir}. Correct DMP_DATA_DIR, or set DATABASE_URL.`)
  makeFolderPrivate(settings.dataDir)
  const database = await openDatabase(toCommandLocation(settings))
  try {
    await migrate(database.db, settings)
    const problems = await checkInstallation(database, settings, {
      repairs: values.repair,
      bytesPerSecond: megabytesPerSecond * megabyte,
    })
    process.stdout.write(`${values.json ? JSON.stringify({ problems }, null, 1) : formatProblems(problems)}\n`)
    process.exitCode = problems.every(({ isRepaired }) => isRepaired) ? 0 : 2
  } finally {
    await database.close()
  }
}

function parse() {
  try {
    return parseArgs({
      options: {
        repair: { type: 'boolean', default: false },
        pace: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    })
  } catch {
    throw new StartFailure(usage)
  }
}

await patiently(() => runCommand(main, (reason) => `Not judged: the check failed (${reason}).`))
