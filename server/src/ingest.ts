import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { openObjectReader, toDiskSpace } from './createDependencies.ts'
import { openDatabase, type Db } from './db/client.ts'
import { migrate } from './db/migrate.ts'
import { patiently } from './db/patience.ts'
import { createWriter } from './db/write.ts'
import { readKeys } from './identity/keys.ts'
import { recoverObjects } from './modules/scan/intake/objectRecovery.ts'
import { listFiles, ingestFolder, type IngestSummary } from './modules/scan/intake/ingestFolder.ts'
import { openEncryption } from './outside/encryption/encryption.ts'
import { openObjectStore } from './outside/openObjectStore.ts'
import { maxUploadBytes, readSettings } from './settings/settings.ts'
import { makeFolderPrivate } from './core/privateFolder.ts'
import { StartFailure } from './core/StartFailure.ts'

const usage = `Reads a folder of DICOM files into an organization.
The server must not be running on an embedded database.

  npm run ingest -- <folder> [--organization North-Clinic]`

const megabyte = 2 ** 20

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { organization: { type: 'string' } } })
  const [given] = positionals
  if (given === undefined || positionals.length > 1) throw new StartFailure(usage)
  const folder = resolve(given)
  await listFiles(folder).catch((cause: unknown) => {
    throw new StartFailure(
      `The folder ${folder} cannot be read (${(cause as { code?: string }).code ?? 'unknown'}). Name a folder that exists and is readable.`,
    )
  })
  const settings = readSettings()
  makeFolderPrivate(settings.dataDir)
  const database = await openDatabase(
    settings.databaseUrl === undefined
      ? { kind: 'folder', folder: settings.dataDir }
      : { kind: 'postgres', url: settings.databaseUrl, poolSize: 4 },
  )
  const reader = openObjectReader(settings)
  try {
    await migrate(database.db, settings)
    const { audit } = await readKeys(settings)
    const write = createWriter(database.db, audit)
    const encryption = await openEncryption(settings, database.db, write)
    const objects = await openObjectStore(settings, database.db, encryption, toDiskSpace(settings))
    await recoverObjects(database.db, objects, database.pool ? 3_600_000 : 0)
    const organization = await findOrganization(database.db, values.organization)
    process.stdout.write(`Reading ${folder} into ${organization.name}\n`)
    const began = performance.now()
    const arrival = {
      organizationId: organization.id,
      source: 'Ingest',
      context: { request: { id: 'ingest', ip: 'this machine' } },
    }
    const summary = await ingestFolder(
      { db: database.db, write, objects, encryption, reader, settings },
      arrival,
      folder,
      maxUploadBytes(settings),
      progressBar(began),
    )
    process.stdout.write(`\n${sentences(summary, (performance.now() - began) / 1000).join('\n')}\n`)
  } finally {
    await reader.close()
    await database.close()
  }
}

async function findOrganization(db: Db, name: string | undefined): Promise<{ id: string; name: string }> {
  const stores = await db
    .selectFrom('organizations')
    .select(['id', 'name'])
    .where('datastore_id', 'is not', null)
    .where('status', '=', 'Activated')
    .orderBy('created_date')
    .orderBy('name')
    .execute()
  const organization =
    name === undefined ? stores[0] : stores.find((store) => store.name.toLowerCase() === name.toLowerCase())
  if (organization) return organization
  const names = stores.map((store) => store.name).join(', ')
  throw new StartFailure(
    names
      ? `No activated organization with a datastore is called ${name}. Choose one of: ${names}.`
      : 'There is no activated organization with a datastore yet. Start the server once (npm start), or create one in the product.',
  )
}

/** One line that is drawn again on a terminal; a line every tenth of the way elsewhere. */
function progressBar(began: number): (summary: IngestSummary, total: number) => void {
  const width = 30
  let tenth = 0
  return ({ files, bytes }, total) => {
    const filled = Math.round((files / total) * width)
    const speed = bytes / megabyte / Math.max(0.001, (performance.now() - began) / 1000)
    const line = `[${'#'.repeat(filled)}${' '.repeat(width - filled)}] ${files}/${total} files, ${speed.toFixed(1)} MB/s`
    if (process.stdout.isTTY) process.stdout.write(`\r${line}`)
    else if (Math.floor((files / total) * 10) > tenth) {
      tenth = Math.floor((files / total) * 10)
      process.stdout.write(`${line}\n`)
    }
  }
}

function sentences({ files, bytes, stored, duplicates, refused, series }: IngestSummary, seconds: number): string[] {
  const lines = [
    `${files} files, ${(bytes / megabyte).toFixed(1)} MB in ${seconds.toFixed(1)} s`,
    `  ${stored} stored, in ${series.size} series`,
    `  ${duplicates} were already stored`,
  ]
  const count = [...refused.values()].reduce((sum, refusal) => sum + refusal.count, 0)
  lines.push(`  ${count} refused`)
  for (const [reason, refusal] of refused)
    lines.push(
      `    ${refusal.count} × ${reason}: ${refusal.sentence}`,
      ...refusal.examples.map((path) => `        ${join('.', path)}`),
    )
  return lines
}

patiently(main).catch((error: unknown) => {
  const messages =
    error instanceof StartFailure
      ? error.sentences
      : [`The command failed: ${error instanceof Error ? error.message : String(error)}`]
  process.stderr.write(`${messages.join('\n')}\n`)
  process.exit(1)
})
