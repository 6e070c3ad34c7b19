import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { inTurnOf } from '../core/asker.ts'
import { StartFailure } from '../core/StartFailure.ts'
import type { Dependencies } from '../dependencies.ts'
import { emptySummary, ingestFiles, type IngestSummary } from '../modules/scan/intake/ingestFolder.ts'
import { maxUploadBytes } from '../settings/settings.ts'
import {
  ExportHead,
  hashBytes,
  hashFile,
  mostHeadBytes,
  mostSumsBytes,
  parseSums,
  recordKinds,
  setPattern,
  sumsFile,
} from '../modules/organization/export/exportFormat.ts'
import { createPlaceCheck, isPlainFile, readShortFile } from './folders.ts'
import { importRecords, type Store } from './importRecords.ts'
import { findStore, operatorContext, operatorTurn, toSentences } from './ingestCommand.ts'
import { oneAtATime } from './oneAtATime.ts'
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
  signal: AbortSignal,
): Promise<void> {
  const { folder, organization: name } = v.parse(ImportInput, input)
  const { head, sums } = await readHead(folder)
  const store = await findStore(deps.db, name)
  await oneAtATime(deps.database, store, () =>
    inTurnOf(operatorTurn, async () => {
      say({ text: `Taking ${head.organization} of ${head.date.slice(0, 10)} into ${store.name}` })
      await checkRecords(folder, sums)
      await importScans(deps, store, { folder, sums, total: head.counts.objects ?? 0 }, say, signal)
      for (const kind of recordKinds) {
        const counts = await importRecords(deps, store, { kind, head, path: join(folder, `${kind}.json`) }, signal)
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

async function readHead(folder: string): Promise<{ head: ExportHead; sums: Map<string, string> }> {
  const head = v.safeParse(
    v.pipe(v.string(), v.parseJson(), ExportHead),
    (await readShortFile(join(folder, 'export.json'), mostHeadBytes)) ?? '',
  )
  const sums = parseSums((await readShortFile(join(folder, sumsFile), mostSumsBytes)) ?? '-')
  if (!head.success || !sums)
    throw new StartFailure(
      `The folder ${folder} holds no whole export: export.json or ${sumsFile} is missing or cannot be read. Export again into the same folder.`,
    )
  return { head: head.output, sums }
}

/** Records are believed as a whole or not at all; of scans each object is judged by itself. */
async function checkRecords(folder: string, sums: ReadonlyMap<string, string>): Promise<void> {
  const names = ['export', ...recordKinds].map((kind) => `${kind}.json`)
  const wrong: string[] = []
  for (const name of names) {
    const path = join(folder, name)
    const sha256 = (await isPlainFile(path)) ? await hashFile(path).catch(() => undefined) : undefined
    if (sha256 === undefined || sha256 !== sums.get(name)) wrong.push(name)
  }
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
      refuse(summary, 'LIST', `The list of files is not what was exported, so nothing of its folder is taken.`, set)
      continue
    }
    const sha256 = new Map([...parsed].map(([path, hash]) => [join(place, path), hash]))
    const files: string[] = []
    for (const path of sha256.keys()) {
      if (!/[\\/]DICOM[\\/]/.test(path.slice(place.length))) continue
      if ((await isInPlace(path)) && (await isPlainFile(path))) files.push(path)
      else refuse(summary, 'MISSING', 'The file is not there.', path.slice(folder.length + 1))
    }
    await ingestFiles(
      { db, write, objects, encryption, reader, settings, bus },
      { organizationId: store.id, source: 'Ingest', context: operatorContext('import') },
      files,
      summary,
      {
        folder,
        maxBytes: maxUploadBytes(settings),
        signal,
        sha256,
        onProgress: ({ files: done, bytes }) => say({ progress: { done, total: Math.max(total, done), bytes } }),
      },
    )
  }
  for (const text of toSentences(summary, (performance.now() - began) / 1000)) say({ text })
}

function refuse({ refused }: IngestSummary, reason: string, sentence: string, example: string): void {
  const known = refused.get(reason) ?? { sentence, count: 0, examples: [] }
  known.count += 1
  if (known.examples.length < 3) known.examples.push(example)
  refused.set(reason, known)
}
