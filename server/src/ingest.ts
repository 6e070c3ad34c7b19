import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openObjectReader, toDiskSpace } from './createDependencies.ts'
import { toCommandLocation } from './databaseLocation.ts'
import { openDatabase } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { patiently } from './db/patience.ts'
import { createWriter } from './db/write.ts'
import { readKeys } from './identity/keys.ts'
import { recoverObjects } from './modules/scan/intake/objectRecovery.ts'
import { askServer } from './operator/askServer.ts'
import { hearOnTerminal } from './operator/hearOnTerminal.ts'
import { ingestCommand } from './operator/ingestCommand.ts'
import type { Say } from './operator/operatorCommands.ts'
import { openEncryption } from './outside/encryption/encryption.ts'
import { openObjectStore } from './outside/openObjectStore.ts'
import { readSettings, type Settings } from './settings/settings.ts'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { runCommand } from './core/runCommand.ts'
import { StartFailure } from './core/StartFailure.ts'

const usage = `Reads a folder of DICOM files into an organization, also while the server runs on this data folder.
Given again it goes on: what is stored already is passed over.

  npm run ingest -- <folder> [--organization North-Clinic]

The organization is needed where there are several. Exit code 1: an image was refused, or nothing was done.`

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { organization: { type: 'string' }, help: { type: 'boolean' } },
  })
  const [given] = positionals
  if (values.help) return void process.stdout.write(`${usage}\n`)
  if (given === undefined || positionals.length > 1) throw new StartFailure(usage)
  const { organization } = values
  const input = { folder: resolve(given), ...(organization !== undefined && { organization }) }
  const settings = readSettings()
  const say = hearOnTerminal()
  if (await askServer(settings.dataDir, 'ingest', input, say)) return
  await ingestHere(settings, input, say)
}

/** No server runs on the data folder. With PostgreSQL others may, elsewhere. */
async function ingestHere(settings: Settings, input: object, say: Say): Promise<void> {
  makeFolderPrivate(settings.dataDir)
  const database = await openDatabase(toCommandLocation(settings, 4))
  const reader = openObjectReader(settings)
  try {
    await migrate(database.db, settings)
    const { audit } = await readKeys(settings)
    const write = createWriter(database.db, audit)
    const encryption = await openEncryption(settings, database.db, write)
    const objects = await openObjectStore(settings, database.db, encryption, toDiskSpace(settings))
    await recoverObjects(database.db, objects, database.pool ? 3_600_000 : 0)
    await ingestCommand(
      { db: database.db, write, objects, encryption, reader, settings },
      input,
      say,
      new AbortController().signal,
    )
  } finally {
    await reader.close()
    await database.close()
  }
}

await patiently(() => runCommand(main, (reason) => `The command failed: ${reason}`))
