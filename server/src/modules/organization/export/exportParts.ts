import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Turn } from '../../../core/fairTurns.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import {
  createDirectory,
  createReadme,
  listObjectsOf,
  toEntryPath,
  type ZipDependencies,
  type ZipRow,
} from '../../scan/download/seriesZip.ts'
import { localHeader, toDirectory } from './archiveFormat.ts'
import type { PartRow } from './export.repository.ts'
import {
  createSchema,
  formatName,
  recordKinds,
  sumsFile,
  toJsonLines,
  toSetName,
  toSums,
  type ExportHead,
} from './exportFormat.ts'
import { clearPieces, PieceWriter, type PartFile, type PartPlace } from './exportPieces.ts'
import { readRecords } from './exportRecords.ts'
import type { PlannedSet } from './planSets.ts'

/** For good: trying again would end alike. */
export class CannotExport extends Error {}

export interface PartWork {
  readonly place: PartPlace
  /** Where the part begins in the archive. */
  readonly start: number
  readonly turn: Turn
  readonly signal: AbortSignal
}

type PartDependencies = ZipDependencies & Pick<Dependencies, 'db'>

/**
 * A DICOM file set of its own. Each object is read once and compared with what was received; undefined where all of its
 * scans were deleted since it was planned.
 */
export async function writeSetPart(
  deps: PartDependencies,
  { place, start, turn, signal }: PartWork,
  { series, last }: PlannedSet,
  onObject: () => void,
): Promise<PartRow | undefined> {
  const rows = await listObjectsOf(deps, place.organizationId, series)
  if (rows.length === 0) return undefined
  await clearPieces(deps.db, place)
  const writer = new PieceWriter(deps, place)
  const folder = toSetName(place.position)
  const directory = await createDirectory(deps, place.organizationId, rows, turn)
  const dicomdir = await writer.write(`${folder}/DICOMDIR`, [directory])
  const readme = await writer.write(`${folder}/README.TXT`, [createReadme(series.length)])
  const objects: PartFile[] = []
  for (const [index, row] of rows.entries()) {
    signal.throwIfAborted()
    const crc = await measure(deps, place.organizationId, row, signal)
    const name = `${folder}/${toEntryPath(index).join('/')}`
    objects.push({ name, size: Number(row.byte_size), crc, key: row.object_key })
    onObject()
  }
  const sums = toSums([
    ['DICOMDIR', dicomdir.sha256],
    ['README.TXT', readme.sha256],
    ...rows.map((row, index) => [toEntryPath(index).join('/'), row.sha256] as const),
  ])
  const list = await writer.write(`${folder}/${sumsFile}`, [sums])
  return finish(writer, { place, start }, [list, dicomdir, readme, ...objects], {
    objects: rows.length,
    last,
    sums: list.sha256,
  })
}

/** People, complaints, links, audit events and what was imported before, with what says how to read them. */
export async function writeRecordsPart(
  deps: PartDependencies,
  { place, start, signal }: PartWork,
  organization: { readonly id: string; readonly name: string },
  sets: readonly PartRow[],
): Promise<{ part: PartRow; counts: Record<string, number> }> {
  await clearPieces(deps.db, place)
  const writer = new PieceWriter(deps, place)
  const counts: Record<string, number> = { objects: sets.reduce((sum, { objects }) => sum + objects, 0) }
  const files: (PartFile & { readonly sha256: string })[] = []
  for (const kind of recordKinds) {
    counts[kind] = 0
    const count = (rows: number): void => void (counts[kind] = (counts[kind] ?? 0) + rows)
    const rows = toJsonLines(readRecords(deps.db, kind, organization.id, count, signal))
    files.push(await writer.write(`${kind}.json`, rows))
  }
  const head: ExportHead = {
    format: formatName,
    version: 1,
    organizationId: organization.id,
    organization: organization.name,
    date: new Date().toISOString(),
    counts,
  }
  files.push(await writer.write('schema.json', [toText(createSchema())]))
  files.push(await writer.write('export.json', [toText(head)]))
  const sums = toSums([
    ...sets.map(({ position, sums: sha256 }) => [`${toSetName(position)}/${sumsFile}`, String(sha256)] as const),
    ...files.map(({ name, sha256 }) => [name, sha256] as const),
  ])
  files.push(await writer.write(sumsFile, [sums]))
  const part = await finish(writer, { place, start }, files, { objects: 0, last: undefined, sums: undefined })
  return { part, counts }
}

const toText = (value: object): string => `${JSON.stringify(value, null, 2)}\n`

async function finish(
  writer: PieceWriter,
  { place: { position }, start }: Pick<PartWork, 'place' | 'start'>,
  files: readonly PartFile[],
  facts: Pick<PartRow, 'objects' | 'last' | 'sums'>,
): Promise<PartRow> {
  await writer.list(files)
  const bytes = files.reduce((sum, file) => sum + localHeader(file).length + file.size, 0)
  const directoryBytes = toDirectory(files, start).bytes.length
  return { position, start, bytes, directoryBytes, files: files.length, ...facts }
}

/** The CRC of an object that is what was received. */
async function measure(
  deps: PartDependencies,
  organizationId: string,
  row: ZipRow,
  signal: AbortSignal,
): Promise<number> {
  const hash = createHash('sha256')
  let crc = 0
  try {
    for await (const chunk of await deps.objects.read(row.object_key)) {
      signal.throwIfAborted()
      hash.update(chunk as Buffer)
      crc = crc32(chunk as Buffer, crc)
    }
  } catch (cause) {
    const isLost = cause instanceof ObjectStoreError && ['MISSING', 'DAMAGED', 'LOCKED'].includes(cause.fault)
    if (isLost) await refuseDamaged(deps, organizationId, row)
    throw cause
  }
  if (hash.digest('hex') !== row.sha256) await refuseDamaged(deps, organizationId, row)
  return crc
}

/** One that was deleted or moved meanwhile is planned anew with the next try. */
async function refuseDamaged({ db }: PartDependencies, organizationId: string, row: ZipRow): Promise<never> {
  const present = await db
    .selectFrom('instances')
    .select('object_key')
    .where('organization_id', '=', organizationId)
    .where('sop_instance_uid', '=', row.sop_instance_uid)
    .where('object_key', '=', row.object_key)
    .executeTakeFirst()
  if (!present) throw new Error('A scan changed while it was exported.')
  throw new CannotExport('An object is damaged where it is stored.')
}
