import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ImportReason } from '@dmp/contract/organization'
import { fromRandomAccessReaderPromise, getFileNameLowLevel, validateFileName, type Entry, type ZipFile } from 'yauzl'
import { ArchiveBytes, type OpenStretch } from './archiveBytes.ts'

/** For good: the archive itself is the reason, and trying again would end alike. */
export class ArchiveFault extends Error {
  readonly reason: ImportReason
  readonly files: readonly string[]

  constructor(reason: ImportReason, files: readonly string[] = []) {
    super(`${reason}: ${files.join(', ')}`)
    this.reason = reason
    this.files = files
  }
}

/** Where an archive lies. */
export interface ArchivePlace {
  readonly open: OpenStretch
  readonly size: number
}

export interface ArchiveFile {
  /** As its zip calls it, without the folder around everything. */
  readonly name: string
  readonly size: number
  read(): Promise<Readable>
}

/** More than an export of any clinic has, and a directory that is walked in a minute. */
const mostFiles = 2_000_000
/** Objects of one series: a set has 5,000 unless one has more. */
const mostOfSet = 200_000
/** Pixels of one colour shrink further than this, but not everything of a clinic. */
const mostRatio = 100
const freeBytes = 16 * 2 ** 20

const topFile = /^(?:export|schema|people|complaints|links|audit|imported)\.json$|^SHA256SUMS$/
const inSet = /^(scans-\d{4,9})\/(.+)$/

/** What is not taken is called by its name without what could disguise it. */
export const toPlainName = (name: string): string => name.replace(/[^A-Za-z0-9._/ -]/g, '?').slice(0, 100)

const unsafe = (name: string): ArchiveFault => new ArchiveFault('Unsafe', [toPlainName(name)])

async function openZip({ open, size }: ArchivePlace): Promise<ZipFile> {
  const options = { autoClose: false, decodeStrings: false, validateEntrySizes: true }
  return fromRandomAccessReaderPromise(new ArchiveBytes(open, size), size, options)
}

/** The name of an entry, when it can be nothing but a file, or a folder, below the place where it is unpacked. */
function nameOf(entry: Entry): string {
  const raw = entry.fileName as unknown as Buffer
  const name = getFileNameLowLevel(entry.generalPurposeBitFlag, raw, entry.extraFields, true)
  // Links, pipes and devices say so in the upper half, on whatever system the zip was made.
  const kind = (entry.externalFileAttributes >>> 16) & 0xf000
  const isPlain = kind === 0 || kind === 0x8000 || kind === 0x4000
  const isReadable = !entry.isEncrypted() && (entry.compressionMethod === 0 || entry.compressionMethod === 8)
  if (validateFileName(name) !== null || name.includes('\0') || !isPlain || !isReadable) throw unsafe(name)
  return name
}

/** The files of an export, one after another as the zip lists them; whatever else is in it is left where it is. */
async function* walk(zip: ZipFile): AsyncGenerator<ArchiveFile & { readonly entry: Entry }> {
  let folder: string | undefined
  for await (const entry of zip.eachEntry()) {
    const whole = nameOf(entry)
    if (whole.endsWith('/')) continue
    const isOwn = (name: string): boolean => topFile.test(name) || inSet.test(name)
    const around = isOwn(whole) ? '' : whole.slice(0, whole.indexOf('/') + 1)
    const name = whole.slice(around.length)
    if (!isOwn(name)) continue
    // Two exports in one zip: which hash is whose would be a guess.
    if ((folder ??= around) !== around) throw unsafe(whole)
    yield { entry, name, size: entry.uncompressedSize, read: () => zip.openReadStreamPromise(entry) }
  }
}

/** Of a zip whose directory was looked at whole. */
export interface CheckedArchive {
  /** Files beside the sets, and the list of each set, by name. */
  readonly files: ReadonlyMap<string, ArchiveFile>
  readonly sets: readonly string[]
  readonly objects: number
  /** Of everything, unpacked. */
  readonly bytes: number
  close(): void
}

/**
 * Looks at everything that the zip says of itself before anything is read by it: names, kinds, doubles, and sizes that
 * would come to more than the archive can hold (overlapping or nested bombs).
 */
export async function checkArchive(place: ArchivePlace, mostBytes: number): Promise<CheckedArchive> {
  const zip = await readable(() => openZip(place))
  const files = new Map<string, ArchiveFile>()
  const sets = new Set<string>()
  const ofSet = new Set<string>()
  let [set, objects, bytes, packed] = ['', 0, 0, 0]
  try {
    if (zip.entryCount > mostFiles) throw new ArchiveFault('Unsafe')
    for await (const { entry, ...file } of readableEach(walk(zip))) {
      bytes += file.size
      packed += entry.compressedSize
      if (packed > place.size || bytes > mostBytes || bytes > place.size * mostRatio + freeBytes)
        throw unsafe(file.name)
      const [, ownSet, path] = inSet.exec(file.name) ?? []
      if (ownSet !== undefined && ownSet !== set) {
        // A set that comes again behind another one.
        if (sets.has(ownSet)) throw unsafe(file.name)
        sets.add(ownSet)
        set = ownSet
        ofSet.clear()
      }
      if (ownSet === undefined ? files.has(file.name) : ofSet.has(file.name)) throw unsafe(file.name)
      if (ownSet !== undefined) ofSet.add(file.name)
      if (ofSet.size > mostOfSet) throw unsafe(file.name)
      if (ownSet === undefined || path === 'SHA256SUMS') files.set(file.name, file)
      else if (path?.startsWith('DICOM/')) objects += 1
    }
  } catch (cause) {
    zip.close()
    throw cause
  }
  return { files, sets: [...sets], objects, bytes, close: () => zip.close() }
}

export interface ArchiveSet {
  readonly name: string
  /** By their path in the set. */
  readonly files: ReadonlyMap<string, ArchiveFile>
}

/** The sets of an archive that was checked, each once, from the one behind `done` on. */
export async function* readSets(place: ArchivePlace, done: number): AsyncGenerator<ArchiveSet> {
  const zip = await readable(() => openZip(place))
  try {
    let name = ''
    let files = new Map<string, ArchiveFile>()
    let at = 0
    for await (const file of readableEach(walk(zip))) {
      const [, set, path] = inSet.exec(file.name) ?? []
      if (set === undefined || path === undefined) continue
      if (set !== name) {
        if (name !== '' && (at += 1) > done) yield { name, files }
        name = set
        files = new Map()
      }
      if (at >= done) files.set(path, file)
    }
    if (name !== '' && at >= done) yield { name, files }
  } finally {
    zip.close()
  }
}

/** A zip that contradicts itself, or ends too early, is not read any further. */
async function readable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    throw toFault(cause)
  }
}

async function* readableEach<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]()
  try {
    for (;;) {
      const { done, value } = await readable(() => iterator.next())
      if (done) return
      yield value as T
    }
  } finally {
    await iterator.return?.()
  }
}

/** What the disk or the key says is no fault of the archive. */
const toFault = (cause: unknown): unknown =>
  cause instanceof ArchiveFault || (cause as { code?: string }).code?.startsWith('E') === true || isOfStore(cause)
    ? cause
    : new ArchiveFault('Unreadable')

const isOfStore = (cause: unknown): boolean => cause instanceof Error && 'fault' in cause

/** A text of an archive that anybody may have made; undefined when it is longer, or not there. */
export async function readText(file: ArchiveFile | undefined, mostBytes: number): Promise<string | undefined> {
  if (!file || file.size > mostBytes) return undefined
  const pieces: Buffer[] = []
  await readable(async () => {
    for await (const piece of await file.read()) pieces.push(piece as Buffer)
  })
  return Buffer.concat(pieces).toString('utf8')
}

export async function hashOf(file: ArchiveFile | undefined, signal: AbortSignal): Promise<string | undefined> {
  if (!file) return undefined
  const hash = createHash('sha256')
  await readable(async () => {
    for await (const piece of await file.read()) {
      signal.throwIfAborted()
      hash.update(piece as Buffer)
    }
  })
  return hash.digest('hex')
}
