import { fromTagNumber, hasLongLength, tag } from '@dmp/dicom'
import { withoutPadding } from '@dmp/dicom/padding'
import { findTransferSyntax, type TransferSyntax } from '@dmp/dicom/transferSyntaxes'
import type { ByteSource, Range } from './byteSource.ts'
import { inflateInMemory, type Inflate } from './inflate.ts'
import { dicomLimits, type DicomLimits } from './limits.ts'
import { DicomRefusal } from './refusal.ts'
import { NeedsMoreBytes, StructureWalk, type PixelDataStart } from './structure.ts'

/** A DICOM object (PS3.10) that has been walked from the first byte to the last and found coherent. */
export interface Part10 {
  readonly transferSyntax: TransferSyntax
  /** (0002,xxxx) as text, by tag. */
  readonly meta: ReadonlyMap<string, string>
  /** Preamble, file meta and data set up to the pixel data; inflated when the object is deflated. */
  readonly header: Buffer
  readonly datasetOffset: number
  /** Where `pixelData.offset` counts from: the object itself, or its inflated form. */
  readonly source: ByteSource
  readonly pixelData: PixelDataStart | undefined
  /** Offsets in `header` of value representations that the library does not know. */
  readonly unknownVrOffsets: readonly number[]
}

const preambleBytes = 128
const metaOffset = preambleBytes + 4
/** Most headers are shorter. */
export const firstReadBytes = 256 * 1024

/** A preamble is free text to DICOM but a program to an operating system (CVE-2019-11687): such files are refused. */
const programSignatures = [
  'MZ',
  '\x7fELF',
  '#!',
  'PK\x03\x04',
  '%PDF',
  '\xca\xfe\xba\xbe',
  '\xcf\xfa\xed\xfe',
  '\xce\xfa\xed\xfe',
  'Rar!',
  '7z\xbc\xaf',
  '<?',
  '<%',
]

function checkPreamble(bytes: Buffer): void {
  if (bytes.length < metaOffset || bytes.toString('latin1', preambleBytes, metaOffset) !== 'DICM') {
    throw new DicomRefusal('NOT_DICOM', 'This is not a DICOM file.')
  }
  const preamble = bytes.toString('latin1', 0, preambleBytes)
  if (programSignatures.some((start) => preamble.startsWith(start)) || /<(script|html|svg|!doctype)/i.test(preamble)) {
    throw new DicomRefusal('PREAMBLE', 'The preamble marks this file as a program or another kind of document.')
  }
}

function readMeta(bytes: Buffer, size: number): { meta: Map<string, string>; end: number } {
  const meta = new Map<string, string>()
  let offset = metaOffset
  while (offset + 8 <= bytes.length && bytes.readUInt16LE(offset) === 2) {
    const metaTag = fromTagNumber(0x20000 + bytes.readUInt16LE(offset + 2))
    const vr = bytes.toString('latin1', offset + 4, offset + 6)
    if (!/^[A-Z]{2}$/.test(vr))
      throw new DicomRefusal('META', 'The file meta information is not written in explicit VR.')
    const isLong = hasLongLength(vr)
    if (isLong && offset + 12 > bytes.length) break
    const length = isLong ? bytes.readUInt32LE(offset + 8) : bytes.readUInt16LE(offset + 6)
    const start = offset + (isLong ? 12 : 8)
    if (start + length > size) throw new DicomRefusal('TRUNCATED', 'The object ends inside its file meta information.')
    if (start + length > bytes.length) throw new DicomRefusal('META', 'The file meta information is too long.')
    if (meta.has(metaTag)) throw new DicomRefusal('DUPLICATE_ELEMENT', `The element ${metaTag} occurs twice.`)
    // The group length counts from its own end; it is checked as a number.
    meta.set(
      metaTag,
      vr === 'UL' && length === 4
        ? String(bytes.readUInt32LE(start))
        : withoutPadding(bytes.toString('latin1', start, start + length)),
    )
    offset = start + length
  }
  const statedLength = meta.get(tag.FileMetaInformationGroupLength)
  if (statedLength !== undefined && metaOffset + 12 + Number(statedLength) > size)
    throw new DicomRefusal('META', 'The file meta information claims more bytes than there are.')
  return { meta, end: offset }
}

function readTransferSyntax(meta: ReadonlyMap<string, string>): TransferSyntax {
  const uid = meta.get(tag.TransferSyntaxUID)
  if (!uid) throw new DicomRefusal('META', 'The transfer syntax is missing.')
  const transferSyntax = findTransferSyntax(uid)
  if (!transferSyntax) throw new DicomRefusal('TRANSFER_SYNTAX', 'This transfer syntax is not supported.')
  return transferSyntax
}

/** How an object is read. */
export interface ReadingOptions {
  readonly limits?: DicomLimits
  readonly inflate?: Inflate
  /** The source is the inflated form of a deflated object. */
  readonly isInflated?: boolean
}

/** The start of an object: how it is written, and where its data set begins. */
export async function readStart(
  source: ByteSource,
): Promise<Pick<Part10, 'transferSyntax' | 'meta'> & { first: Buffer; end: number }> {
  const first = await source.read(0, firstReadBytes)
  checkPreamble(first)
  const { meta, end } = readMeta(first, source.size)
  return { first, meta, end, transferSyntax: readTransferSyntax(meta) }
}

/** Walks the structure, reading more from the front of the object until the walk has all that it needs. */
async function walk(
  source: ByteSource,
  first: Buffer,
  start: number,
  encoding: TransferSyntax,
  limits: DicomLimits,
): Promise<Pick<Part10, 'pixelData' | 'unknownVrOffsets'> & { bytes: Buffer }> {
  let bytes = first
  for (;;) {
    try {
      const structure = new StructureWalk(bytes, start, source.size, encoding, limits)
      return { bytes, pixelData: structure.toPixelData(), unknownVrOffsets: structure.unknownVrOffsets }
    } catch (cause) {
      if (!(cause instanceof NeedsMoreBytes)) throw cause
      if (cause.until > limits.headerBytes) throw new DicomRefusal('TOO_LARGE', 'The header is too large.')
      const next = await source.read(
        0,
        Math.min(source.size, limits.headerBytes, Math.max(cause.until, bytes.length * 2)),
      )
      if (next.length <= bytes.length)
        throw new DicomRefusal('TRUNCATED', 'The object ends in the middle of an element.')
      bytes = next
    }
  }
}

/** Reads and checks an object; throws `DicomRefusal`. Pixel data are checked for coherence, not decoded. */
export async function readPart10(original: ByteSource, options: ReadingOptions = {}): Promise<Part10> {
  const { limits = dicomLimits, inflate = inflateInMemory, isInflated = false } = options
  const { first, meta, end, transferSyntax } = await readStart(original)
  const source = transferSyntax.isDeflated && !isInflated ? await inflate(original, end, limits) : original
  if (end >= source.size) throw new DicomRefusal('TRUNCATED', 'The object ends after its file meta information.')
  const { bytes, pixelData, unknownVrOffsets } = await walk(
    source,
    source === original ? first : await source.read(0, firstReadBytes),
    end,
    transferSyntax,
    limits,
  )
  if (pixelData) await checkPixelData(source, pixelData, transferSyntax, limits)
  const header = bytes.subarray(0, pixelData?.offset ?? source.size)
  return {
    transferSyntax,
    meta,
    header,
    datasetOffset: end,
    source,
    pixelData,
    // That of the pixel data lies behind the header.
    unknownVrOffsets: unknownVrOffsets.filter((at) => at < header.length),
  }
}

/** The fragments must be whole, and so must be the elements that follow the pixel data. */
async function checkPixelData(
  source: ByteSource,
  pixelData: PixelDataStart,
  encoding: TransferSyntax,
  limits: DicomLimits,
): Promise<void> {
  if (encoding.isEncapsulated !== (pixelData.length === undefined)) {
    throw new DicomRefusal('PIXEL_DATA', 'The pixel data do not match the transfer syntax.')
  }
  const end =
    pixelData.length === undefined
      ? (await readFragments(source, pixelData, limits.fragments)).end
      : pixelData.valueOffset + pixelData.length
  if (end > source.size) throw new DicomRefusal('TRUNCATED', 'The object ends inside its pixel data.')
  if (end === source.size) return
  const rest = source.size - end
  if (!(await startsAnElement(source, end, encoding))) return
  if (rest > limits.headerBytes) throw new DicomRefusal('TOO_LARGE', 'Too much data follows the pixel data.')
  new StructureWalk(await source.read(end, rest), 0, rest, encoding, limits).toPixelData()
}

/** Some scanners leave other bytes after the pixel data; nothing ever reads those. */
async function startsAnElement(source: ByteSource, offset: number, encoding: TransferSyntax): Promise<boolean> {
  const start = await source.read(offset, 8)
  if (start.length < 4) return false
  const group = encoding.isBigEndian ? start.readUInt16BE(0) : start.readUInt16LE(0)
  return group >= 0x7fe0 && (!encoding.isExplicit || /^[A-Z]{2}$/.test(start.toString('latin1', 4, 6)))
}

/** The items of encapsulated pixel data (PS3.5 annex A.4); the first is the basic offset table, which may be empty. */
export async function readFragments(
  source: ByteSource,
  pixelData: PixelDataStart,
  maxFragments = dicomLimits.fragments,
): Promise<{ table: Range; fragments: Range[]; end: number }> {
  const items: Range[] = []
  let window: Buffer = Buffer.alloc(0)
  let windowAt = 0
  let offset = pixelData.valueOffset
  for (;;) {
    if (offset + 8 > source.size) throw new DicomRefusal('TRUNCATED', 'The object ends inside its pixel data.')
    if (offset + 8 > windowAt + window.length) {
      window = await source.read(offset, 4096)
      windowAt = offset
    }
    const at = offset - windowAt
    const itemTag = fromTagNumber(window.readUInt16LE(at) * 0x10000 + window.readUInt16LE(at + 2))
    const length = window.readUInt32LE(at + 4)
    offset += 8
    if (itemTag === tag.SequenceDelimitationItem) break
    if (itemTag !== tag.Item) throw new DicomRefusal('PIXEL_DATA', 'Unexpected data between pixel-data fragments.')
    items.push({ offset, length })
    if (items.length > maxFragments) throw new DicomRefusal('TOO_LARGE', 'The pixel data have too many fragments.')
    offset += length
  }
  const [table, ...fragments] = items
  if (!table) throw new DicomRefusal('PIXEL_DATA', 'The pixel data have no offset table and no fragments.')
  return { table, fragments, end: offset }
}
