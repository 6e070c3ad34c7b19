import { deflateRawSync } from 'node:zlib'
import type { DataSet, Element } from 'dicom-parser'
import { elementBytes, itemBytes, part10Start, type RawElement } from './elementWriter.ts'
import { effectiveVr } from './jsonModel.ts'
import { readFragments } from './part10.ts'
import type { Instance } from './read.ts'
import type { Encoding } from './structure.ts'

/** An element as the rewriting meets it. */
export interface Met {
  readonly tag: string
  readonly vr: string
  /** The data set that it is in: the object's own, or an item's. */
  readonly siblings: DataSet
  readonly element: Element
  readonly isNested: boolean
  value(): Buffer
  /** Private creator of a private element, where the object names one. */
  creator(): string | undefined
}

/** `keep` copies the bytes (of a sequence: goes into its items), `empty` leaves the element without value. */
export type Decision = 'keep' | 'remove' | 'empty' | RawElement

export interface Rewriting {
  decide(met: Met): Decision
  /** Elements to be present in the object's own data set, whatever was there. */
  readonly set: ReadonlyMap<string, RawElement>
}

/**
 * A rewritten object: its bytes up to the pixel data, and which bytes of the original follow. Pixel data are never
 * decoded or changed.
 */
export interface Rewritten {
  readonly head: Buffer
  readonly pixelRange: { readonly start: number; readonly end: number } | undefined
}

function met(bytes: Buffer, siblings: DataSet, element: Element, isNested: boolean): Met {
  const tag = element.tag.slice(1).toUpperCase()
  return {
    tag,
    vr: element.items ? 'SQ' : effectiveVr(tag, element.vr, false),
    siblings,
    element,
    isNested,
    value: () => bytes.subarray(element.dataOffset, element.dataOffset + element.length),
    creator: () => siblings.string(`x${tag.slice(0, 4)}00${tag.slice(4, 6)}`.toLowerCase())?.trim(),
  }
}

function copied(one: Met, vr: string, encoding: Encoding): Buffer {
  if (!one.element.hadUndefinedLength) return elementBytes(one.tag, { vr, value: one.value() }, encoding)
  // Compressed pixels of an icon image: fragments of their own, closed by a delimiter.
  const head = elementBytes(one.tag, { vr, value: Buffer.alloc(0) }, encoding).subarray(0, -4)
  return Buffer.concat([head, Buffer.alloc(4, 0xff), one.value()])
}

function rewriteElement(bytes: Buffer, one: Met, encoding: Encoding, rewriting: Rewriting): Buffer {
  const decision = rewriting.decide(one)
  if (decision === 'remove') return Buffer.alloc(0)
  const statedVr = one.element.vr ?? one.vr
  if (decision === 'empty') return elementBytes(one.tag, { vr: statedVr, value: Buffer.alloc(0) }, encoding)
  if (decision !== 'keep') return elementBytes(one.tag, decision, encoding)
  if (!one.element.items) return copied(one, statedVr, encoding)
  // Items of an undefined-length UN element are written in implicit VR (PS3.5 section 6.2.2), and so they stay.
  const inner = one.element.vr === 'UN' ? { ...encoding, isExplicit: false } : encoding
  const items = one.element.items.map((item) =>
    itemBytes(
      item.dataSet ? rewriteItems(bytes, item.dataSet, inner, rewriting, true) : Buffer.alloc(0),
      encoding.isBigEndian,
    ),
  )
  return elementBytes(one.tag, { vr: statedVr, value: Buffer.concat(items) }, encoding)
}

function rewriteItems(
  bytes: Buffer,
  dataSet: DataSet,
  encoding: Encoding,
  rewriting: Rewriting,
  isNested: boolean,
): Buffer {
  const written = new Map<string, Buffer>()
  for (const element of Object.values(dataSet.elements)) {
    const one = met(bytes, dataSet, element, isNested)
    // Group lengths would be wrong afterwards; delimiters and padding are not elements.
    if (one.tag.endsWith('0000') || one.tag.startsWith('FFFE')) continue
    if (!isNested && rewriting.set.has(one.tag)) continue
    written.set(one.tag, rewriteElement(bytes, one, encoding, rewriting))
  }
  if (!isNested) for (const [tag, raw] of rewriting.set) written.set(tag, elementBytes(tag, raw, encoding))
  return Buffer.concat([...written.keys()].sort().map((tag) => written.get(tag) ?? Buffer.alloc(0)))
}

/** Writes the object anew in its own transfer syntax, with what `rewriting` changes. */
export async function rewrite(
  instance: Instance,
  rewriting: Rewriting,
  identity: { sopClassUID: string; sopInstanceUID: string },
): Promise<Rewritten> {
  const { part10, dataSet } = instance
  const { transferSyntax, pixelData, source } = part10
  const dataset = rewriteItems(part10.header, dataSet, transferSyntax, rewriting, false)
  const start = part10Start({ ...identity, transferSyntaxUID: transferSyntax.uid })
  const end =
    pixelData &&
    (pixelData.length === undefined
      ? (await readFragments(source, pixelData)).end
      : pixelData.valueOffset + pixelData.length)
  const range = pixelData && end !== undefined ? { start: pixelData.offset, end } : undefined
  if (!transferSyntax.isDeflated) return { head: Buffer.concat([start, dataset]), pixelRange: range }
  const pixels = range ? await source.read(range.start, range.end - range.start) : Buffer.alloc(0)
  return { head: Buffer.concat([start, deflateRawSync(Buffer.concat([dataset, pixels]))]), pixelRange: undefined }
}

const CHUNK_BYTES = 2 ** 20

/** The bytes of a rewritten object, in constant memory. */
export async function* rewrittenBytes(instance: Instance, { head, pixelRange }: Rewritten): AsyncGenerator<Buffer> {
  yield head
  if (!pixelRange) return
  for (let at = pixelRange.start; at < pixelRange.end; at += CHUNK_BYTES)
    yield await instance.part10.source.read(at, Math.min(CHUNK_BYTES, pixelRange.end - at))
}
