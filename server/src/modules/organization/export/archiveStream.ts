import { ObjectStoreError } from '../../../outside/objectStore.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { endRecords, localHeader, toDirectory } from './archiveFormat.ts'
import { readFiles, readPieces, type PartFile, type PartPlace } from './exportPieces.ts'

type ArchiveDependencies = Pick<Dependencies, 'db' | 'encryption' | 'objects'>

/** A stretch of an archive, as its row has it. */
export interface ArchivePart {
  readonly position: number
  readonly start: number
  readonly bytes: number
  readonly directoryBytes: number
  readonly files: number
}

export interface Archive {
  readonly organizationId: string
  readonly exportId: string
  readonly parts: readonly ArchivePart[]
}

/** First byte, and the one after the last. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0)

const endOf = ({ parts }: Pick<Archive, 'parts'>): Buffer =>
  endRecords({
    files: sum(parts.map(({ files }) => files)),
    start: sum(parts.map(({ bytes }) => bytes)),
    bytes: sum(parts.map(({ directoryBytes }) => directoryBytes)),
  })

export const archiveBytes = (archive: Pick<Archive, 'parts'>): number =>
  sum(archive.parts.map(({ bytes, directoryBytes }) => bytes + directoryBytes)) + endOf(archive).length

/** Any stretch of an archive, made of what it needs alone: lists of its parts, one at a time, and objects in turn. */
export async function* readArchive(
  deps: ArchiveDependencies,
  archive: Archive,
  stretch: Stretch,
): AsyncGenerator<Buffer> {
  const places = archive.parts.map((part) => ({ ...archive, ...part }))
  for (const part of places)
    if (overlaps(stretch, part.start, part.bytes)) yield* readPart(deps, part, part.start, stretch)
  let at = sum(archive.parts.map(({ bytes }) => bytes))
  for (const part of places) {
    if (overlaps(stretch, at, part.directoryBytes))
      yield* cut(toDirectory(await readFiles(deps, part), part.start).bytes, at, stretch)
    at += part.directoryBytes
  }
  yield* cut(endOf(archive), at, stretch)
}

const overlaps = ({ start, end }: Stretch, at: number, length: number): boolean => at < end && at + length > start

/** What of bytes at a place belongs to the stretch. */
function* cut(bytes: Buffer, at: number, { start, end }: Stretch): Generator<Buffer> {
  const wanted = bytes.subarray(Math.max(0, start - at), Math.max(0, end - at))
  if (wanted.length > 0) yield wanted
}

async function* readPart(
  deps: ArchiveDependencies,
  place: PartPlace,
  partStart: number,
  stretch: Stretch,
): AsyncGenerator<Buffer> {
  let at = partStart
  for (const file of await readFiles(deps, place)) {
    const header = localHeader(file)
    yield* cut(header, at, stretch)
    at += header.length
    const start = Math.max(0, stretch.start - at)
    const end = Math.min(file.size, stretch.end - at)
    if (start < end) yield* readFile(deps, place, file, { start, end })
    at += file.size
    if (at >= stretch.end) return
  }
}

/** An object whose length is another one would move everything after it: the download ends instead. */
async function* readFile(
  deps: ArchiveDependencies,
  place: PartPlace,
  file: PartFile,
  { start, end }: Stretch,
): AsyncGenerator<Buffer> {
  if ('piece' in file) return yield* readPieces(deps, place, file.piece, { start, end })
  const isWhole = start === 0 && end === file.size
  const content = await deps.objects.read(file.key, isWhole ? undefined : { start, end: end - 1 })
  let left = end - start
  for await (const chunk of content) {
    const bytes = chunk as Buffer
    left -= bytes.length
    if (left < 0) break
    yield bytes
  }
  if (left !== 0) throw new ObjectStoreError('DAMAGED')
}
