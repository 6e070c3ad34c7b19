import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { inTurnOf } from '../core/asker.ts'
import { StartFailure } from '../core/StartFailure.ts'
import type { Dependencies } from '../dependencies.ts'
import {
  addRefusal,
  emptySummary,
  ingestFiles,
  toIngestFile,
  type IngestFile,
} from '../modules/scan/intake/ingestFolder.ts'
import { maxUploadBytes } from '../settings/settings.ts'
import {
  hashBytes,
  hashFile,
  mostHeadBytes,
  mostSumsBytes,
  parseSums,
  recordKinds,
  setPattern,
  sumsFile,
} from '../modules/organization/export/exportFormat.ts'
import {
  headFile,
  isObjectPath,
  listWrongRecords,
  missing,
  parseManifest,
  type ExportManifest,
} from '../modules/organization/import/exportHead.ts'
import { importRecords, type Store } from '../modules/organization/import/importRecords.ts'
import { oneAtATime } from '../modules/organization/oneAtATime.ts'
import { createPlaceCheck, isPlainFile, readShortFile } from './folders.ts'
import { findStore, operatorContext, operatorTurn, toSentences } from './ingestCommand.ts'
import type { Say } from './operatorCommands.ts'

const ImportInput = v.strictObject({ folder: v.string(), organization: v.string() })

export type ImportDependencies = Pick<
  Dependencies,
  'db' | 'database' | 'write' | 'objects' | 'encryption' | 'reader' | 'settings' | 'bus'
>

/** Takes an export into an organization. What is there already stays as it is: given again it goes on. */
export async function importCommand(
  deps: ImportDependencies,
  input: unknown,
  say: Say,
  stopping: AbortSignal,
): Promise<void> {
  const { folder, organization: name } = v.parse(ImportInput, input)
  const manifest = await readManifest(folder)
  const { head, sums } = manifest
  const store = await findStore(deps.db, name)
  await oneAtATime(deps.database, store, stopping, (signal) =>
    inTurnOf(operatorTurn, async () => {
      say({ text: `Taking ${head.organization} of ${head.date.slice(0, 10)} into ${store.name}` })
      await checkRecords(folder, manifest)
      await importScans(deps, store, { folder, sums, total: head.counts.objects ?? 0 }, say, signal)
      for (const kind of recordKinds) {
        const lines = createReadStream(join(folder, `${kind}.json`), 'utf8') as AsyncIterable<string>
        const source = { kind, head, lines, context: operatorContext('import') }
        const counts = await importRecords(deps, store, source, signal)
        const { added, present, refused } = counts
        say({ text: `${kind}: ${added} taken in, ${present} were there already, ${refused.size} refused` })
        for (const [what, why] of [...refused].slice(0, 20)) say({ text: `    ${what}: ${why}` })
      }
      await deps.write(operatorContext('import'), (write) =>
        write.audit({
          event: 'OrganizationImported',
          organizationId: store.id,
          subject: { state: 'whole', from: head.organizationId },
        }),
      )
    }),
  )
}

async function readManifest(folder: string): Promise<ExportManifest> {
  const manifest = parseManifest(
    await readShortFile(join(folder, headFile), mostHeadBytes),
    await readShortFile(join(folder, sumsFile), mostSumsBytes),
  )
  if (!manifest)
    throw new StartFailure(
      `The folder ${folder} holds no whole export: ${headFile} or ${sumsFile} is missing or cannot be read. Export again into the same folder.`,
    )
  return manifest
}

/** Of scans each object is judged by itself. */
async function checkRecords(folder: string, manifest: ExportManifest): Promise<void> {
  const wrong = await listWrongRecords(manifest, async (name) => {
    const path = join(folder, name)
    return (await isPlainFile(path)) ? hashFile(path).catch(() => undefined) : undefined
  })
  if (wrong.length > 0)
    throw new StartFailure(
      `Nothing was taken in: ${wrong.join(', ')} of ${folder} is not what was exported. Copy the export once more.`,
    )
}

interface Source {
  readonly folder: string
  readonly sums: ReadonlyMap<string, string>
  readonly total: number
}

async function importScans(
  deps: ImportDependencies,
  store: Store,
  { folder, sums, total }: Source,
  say: Say,
  signal: AbortSignal,
): Promise<void> {
  const { db, write, objects, encryption, reader, settings, bus } = deps
  const summary = emptySummary()
  const began = performance.now()
  const isInPlace = await createPlaceCheck(folder)
  for (const set of (await readdir(folder)).filter((name) => setPattern.test(name)).sort()) {
    const place = join(folder, set)
    const list = join(place, sumsFile)
    const listed = ((await isInPlace(list)) && (await readShortFile(list, mostSumsBytes))) || ''
    const parsed = parseSums(listed)
    if (!parsed || sums.get(`${set}/${sumsFile}`) !== hashBytes(listed)) {
      addRefusal(summary, set, {
        reason: 'LIST',
        sentence: 'The list of files is not what was exported, so nothing of its folder is taken.',
      })
      continue
    }
    const files: IngestFile[] = []
    for (const [name, sha256] of parsed) {
      if (!isObjectPath(name)) continue
      const path = join(place, name)
      const file = toIngestFile(folder, path, sha256)
      if ((await isInPlace(path)) && (await isPlainFile(path))) files.push(file)
      else addRefusal(summary, file.name, missing)
    }
    await ingestFiles(
      { db, write, objects, encryption, reader, settings, bus },
      { organizationId: store.id, source: 'Ingest', context: operatorContext('import') },
      files,
      summary,
      {
        maxBytes: maxUploadBytes(settings),
        signal,
        onProgress: ({ files: done, bytes }) => say({ progress: { done, total: Math.max(total, done), bytes } }),
      },
    )
  }
  for (const text of toSentences(summary, (performance.now() - began) / 1000)) say({ text })
}
