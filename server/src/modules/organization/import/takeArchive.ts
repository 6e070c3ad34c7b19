import type { Readable } from 'node:stream'
import { sql } from 'kysely'
import type { WriteContext } from '../../../db/write.ts'
import type { Db } from '../../../db/client.ts'
import type { ImportResult } from '../../../db/tables/organization.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { maxUploadBytes } from '../../../settings/settings.ts'
import {
  addRefusal,
  emptySummary,
  ingestFiles,
  type IngestFile,
  type IngestSummary,
} from '../../scan/intake/ingestFolder.ts'
import {
  hashBytes,
  mostHeadBytes,
  mostSumsBytes,
  parseSums,
  recordKinds,
  setPattern,
  sumsFile,
} from '../export/exportFormat.ts'
import {
  ArchiveFault,
  checkArchive,
  hashOf,
  readSets,
  readText,
  toPlainName,
  type ArchiveFile,
  type ArchivePlace,
  type ArchiveSet,
  type CheckedArchive,
} from './archiveReader.ts'
import { headFile, isObjectPath, listWrongRecords, missing, parseManifest, type ExportManifest } from './exportHead.ts'
import { importRecords, type Store } from './importRecords.ts'
import { importSentences } from './importSentences.ts'

/** What a stop may let it do again. */
const objectsPerStep = 128
const mostNamed = 20
/** Of an organization, in characters: rows that no quota counts. */
const mostImportedChars = 2 * 2 ** 30
/** Of an archive. */
const recordBounds = { people: 1000, chars: 512 * 2 ** 20 }

const unlisted = { reason: 'UNLISTED', sentence: importSentences.unlisted } as const

export interface TakingWork {
  readonly place: ArchivePlace
  readonly store: Store
  readonly importId: string
  readonly context: WriteContext
  readonly signal: AbortSignal
  readonly progress: ImportProgress
  /** Throws once the import is over. */
  save(progress: ImportProgress): Promise<void>
}

/** How far it is; what a later try goes on from. */
export interface ImportProgress {
  /** Sets, and objects of the next one. */
  sets: number
  files: number
  result: ImportResult
}

/**
 * Takes an archive in. Lists and records have to be what was exported, or nothing is taken; objects are judged one by
 * one, as uploads are. Throws an `ArchiveFault` where trying again would end alike.
 */
export async function takeArchive(deps: Dependencies, work: TakingWork): Promise<void> {
  const { place, progress, signal } = work
  const archive = await checkArchive(place, deps.settings.importGigabytes * 2 ** 30)
  try {
    const { files } = archive
    const manifest = parseManifest(
      await readText(files.get(headFile), mostHeadBytes),
      await readText(files.get(sumsFile), mostSumsBytes),
    )
    if (!manifest) throw new ArchiveFault('NotAnExport', [headFile, sumsFile])
    const wrong = [
      ...(await listWrongRecords(manifest, (name) => hashOf(files.get(name), signal))),
      ...(await listWrongLists(archive, manifest, signal)),
    ]
    if (wrong.length > 0) throw new ArchiveFault('NotWhole', wrong.slice(0, mostNamed))
    progress.result = { ...progress.result, from: manifest.head.organization, objects: archive.objects }
    await work.save(progress)
    for await (const set of readSets(place, progress.sets)) await takeSet(deps, work, set)
    await takeRecords(deps, work, archive, manifest)
  } finally {
    archive.close()
  }
}

/** Also of sets that the export had and the archive has not. */
async function listWrongLists(
  { files, sets }: CheckedArchive,
  { sums }: ExportManifest,
  signal: AbortSignal,
): Promise<string[]> {
  const listed = [...sums.keys()].filter((name) => setPattern.test(name.split('/')[0] ?? ''))
  const wrong: string[] = []
  for (const name of new Set([...sets.map((set) => `${set}/${sumsFile}`), ...listed])) {
    signal.throwIfAborted()
    const text = await readText(files.get(name), mostSumsBytes)
    if (text === undefined || hashBytes(text) !== sums.get(name) || !parseSums(text)) wrong.push(name)
  }
  return wrong
}

async function takeSet(deps: Dependencies, work: TakingWork, set: ArchiveSet): Promise<void> {
  const { store, context, signal, progress, save } = work
  const sums = parseSums((await readText(set.files.get(sumsFile), mostSumsBytes)) ?? '-')
  if (!sums) throw new ArchiveFault('NotWhole', [`${set.name}/${sumsFile}`])
  const rest = { ...emptySummary() }
  const files: IngestFile[] = []
  for (const [path, sha256] of sums) {
    const file = set.files.get(path)
    if (!isObjectPath(path)) continue
    if (file) files.push(toIngestFile(file, sha256))
    else addRefusal(rest, `${set.name}/${path}`, missing)
  }
  for (const [path, { name }] of set.files)
    if (isObjectPath(path) && !sums.has(path)) addRefusal(rest, toPlainName(name), unlisted)
  const incoming = { organizationId: store.id, source: 'Import', context }
  const maxBytes = maxUploadBytes(deps.settings)
  while (progress.files < files.length) {
    signal.throwIfAborted()
    const step = files.slice(progress.files, progress.files + objectsPerStep)
    const onProgress = (): void => undefined
    const summary = await ingestFiles(deps, incoming, step, emptySummary(), { maxBytes, signal, onProgress })
    progress.files += step.length
    progress.result = addSummary(progress.result, summary)
    if (progress.files < files.length) await save(progress)
  }
  progress.sets += 1
  progress.files = 0
  progress.result = addSummary(progress.result, rest)
  await save(progress)
}

/** A file that the zip holds only half is cut off: its hash is another one then, and it is refused by its name. */
const toIngestFile = ({ name, size, read }: ArchiveFile, sha256: string): IngestFile => ({
  name,
  sha256,
  measure: () => size,
  read: () => untilFault(read),
})

async function* untilFault(read: () => Promise<Readable>): AsyncGenerator<Uint8Array> {
  try {
    for await (const piece of await read()) yield piece as Uint8Array
  } catch (cause) {
    // What the disk or the key says is tried again.
    if (cause instanceof Error && ('syscall' in cause || 'fault' in cause)) throw cause
  }
}

function addSummary(result: ImportResult, { stored, duplicates, refused }: IngestSummary): ImportResult {
  const refusals = new Map(result.refusals.map((refusal) => [refusal.reason, { ...refusal }]))
  let count = 0
  for (const [reason, { sentence, count: more, examples }] of refused) {
    const said = reason === 'DAMAGED' ? importSentences.damaged : sentence
    const known = refusals.get(reason) ?? { reason, sentence: said, count: 0, examples: [] }
    known.count += more
    known.examples = [...known.examples, ...examples].slice(0, mostNamed)
    refusals.set(reason, known)
    count += more
  }
  return {
    ...result,
    stored: result.stored + stored,
    present: result.present + duplicates,
    refused: result.refused + count,
    refusals: [...refusals.values()],
  }
}

async function takeRecords(
  deps: Dependencies,
  { store, importId, context, signal, progress, save }: TakingWork,
  { files }: CheckedArchive,
  { head }: ExportManifest,
): Promise<void> {
  const isFull = (await countImportedChars(deps.db, store.id)) > mostImportedChars
  const bounds = { ...recordBounds, ...(isFull && { chars: 0 }) }
  for (const kind of recordKinds) {
    const file = files.get(`${kind}.json`)
    if (!file || progress.result.records.some((done) => done.kind === kind)) continue
    const lines = (await file.read()).setEncoding('utf8') as AsyncIterable<string>
    const source = { kind, head, lines, context, importId, bounds }
    const { added, present, refused } = await importRecords(deps, store, source, signal)
    const sentences = [...new Set(refused.values())]
    const records = [...progress.result.records, { kind, added, present, refused: refused.size, sentences }]
    progress.result = { ...progress.result, records }
    await save(progress)
  }
}

async function countImportedChars(db: Db, organizationId: string): Promise<number> {
  const row = await db
    .selectFrom('imported_records')
    .select(sql<string>`coalesce(sum(pg_column_size(content)), 0)`.as('bytes'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}
