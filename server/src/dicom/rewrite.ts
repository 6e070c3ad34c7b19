import { Readable } from 'node:stream'
import { createDeflateRaw } from 'node:zlib'
import { fromParserKey, toParserKey } from '@dmp/dicom'
import type { DataSet, Element } from 'dicom-parser'
import { readRanges, type ByteSource } from './byteSource.ts'
import { elementBytes, itemBytes, part10Start, type RawElement } from './elementWriter.ts'
import { toEffectiveVr } from './jsonModel.ts'
import { readFragments } from './part10.ts'
import type { Instance } from './instance.ts'
import type { Encoding } from './structure.ts'

/** An element in its context, for a rewriting to decide on. */
export interface ElementContext {
  readonly tag: string
  readonly vr: string
  /** The data set around it: the object's own, or an item's. */
  readonly siblings: DataSet
  readonly element: Element
  readonly isNested: boolean
  value(): Buffer
  /** Private creator of a private element, where the object names one. */
  creator(): string | undefined
}

/** `keep` copies the bytes (a sequence is rewritten item by item); `empty` writes the element without a value. */
export type Decision = 'keep' | 'remove' | 'empty' | RawElement

export interface Rewriting {
  decide(context: ElementContext): Decision
  /** Elements to write into the object's own data set, in place of any that were there. */
  readonly replacements: ReadonlyMap<string, RawElement>
}

/**
 * A rewritten object: file meta information, its bytes up to the pixel data, and the range of the original
 * that follows.
 * Pixel data are never decoded or changed.
 */
export interface Rewritten {
  readonly meta: Uint8Array
  readonly dataset: Uint8Array
  readonly isDeflated: boolean
  readonly pixelRange: { readonly start: number; readonly end: number } | undefined
}

function toElementContext(bytes: Buffer, siblings: DataSet, element: Element, isNested: boolean): ElementContext {
  const tag = fromParserKey(element.tag)
  return {
    tag,
    vr: element.items ? 'SQ' : toEffectiveVr(tag, element.vr, false),
    siblings,
    element,
    isNested,
    value: () => bytes.subarray(element.dataOffset, element.dataOffset + element.length),
    creator: () => siblings.string(toParserKey(`${tag.slice(0, 4)}00${tag.slice(4, 6)}`))?.trim(),
  }
}

function copyElement(context: ElementContext, vr: string, encoding: Encoding): Buffer {
  if (!context.element.hadUndefinedLength) return elementBytes(context.tag, { vr, value: context.value() }, encoding)
  // Compressed pixels of an icon image have fragments of their own, closed by a delimiter.
  const head = elementBytes(context.tag, { vr, value: Buffer.alloc(0) }, encoding).subarray(0, -4)
  return Buffer.concat([head, Buffer.alloc(4, 0xff), context.value()])
}

function rewriteElement(bytes: Buffer, context: ElementContext, encoding: Encoding, rewriting: Rewriting): Buffer {
  const decision = rewriting.decide(context)
  if (decision === 'remove') return Buffer.alloc(0)
  const statedVr = context.element.vr ?? context.vr
  if (decision === 'empty') return elementBytes(context.tag, { vr: statedVr, value: Buffer.alloc(0) }, encoding)
  if (decision !== 'keep') return elementBytes(context.tag, decision, encoding)
  if (!context.element.items) return copyElement(context, statedVr, encoding)
  // Items of a UN element of undefined length are in implicit VR (PS3.5 section 6.2.2), and stay so.
  const itemEncoding = context.element.vr === 'UN' ? { ...encoding, isExplicit: false } : encoding
  const items = context.element.items.map((item) =>
    itemBytes(
      item.dataSet ? rewriteItems(bytes, item.dataSet, itemEncoding, rewriting, true) : Buffer.alloc(0),
      encoding.isBigEndian,
    ),
  )
  return elementBytes(context.tag, { vr: statedVr, value: Buffer.concat(items) }, encoding)
}

function rewriteItems(
  bytes: Buffer,
  dataSet: DataSet,
  encoding: Encoding,
  rewriting: Rewriting,
  isNested: boolean,
): Buffer {
  const writtenElements = new Map<string, Buffer>()
  for (const element of Object.values(dataSet.elements)) {
    const context = toElementContext(bytes, dataSet, element, isNested)
    // Group lengths would be wrong afterwards; delimiters and padding are not elements.
    if (context.tag.endsWith('0000') || context.tag.startsWith('FFFE')) continue
    if (!isNested && rewriting.replacements.has(context.tag)) continue
    writtenElements.set(context.tag, rewriteElement(bytes, context, encoding, rewriting))
  }
  if (!isNested)
    for (const [tag, raw] of rewriting.replacements) writtenElements.set(tag, elementBytes(tag, raw, encoding))
  return Buffer.concat([...writtenElements.keys()].sort().map((tag) => writtenElements.get(tag) ?? Buffer.alloc(0)))
}

/** Rewrites an object in its own transfer syntax. */
export async function rewrite(
  instance: Instance,
  rewriting: Rewriting,
  identity: { sopClassUID: string; sopInstanceUID: string },
): Promise<Rewritten> {
  const { part10, dataSet } = instance
  const { transferSyntax, pixelData, source } = part10
  const dataset = rewriteItems(part10.header, dataSet, transferSyntax, rewriting, false)
  const part10Header = part10Start({ ...identity, transferSyntaxUID: transferSyntax.uid })
  const end =
    pixelData &&
    (pixelData.length === undefined
      ? (await readFragments(source, pixelData)).end
      : pixelData.valueOffset + pixelData.length)
  const pixelRange = pixelData && end !== undefined ? { start: pixelData.offset, end } : undefined
  return { meta: part10Header, dataset, isDeflated: transferSyntax.isDeflated, pixelRange }
}

/** The bytes of a rewritten object, in constant memory; `source` is the original, inflated if it was deflated. */
export async function* readRewritten(
  source: ByteSource,
  { meta, dataset, isDeflated, pixelRange }: Rewritten,
): AsyncGenerator<Uint8Array> {
  const content = async function* (): AsyncGenerator<Uint8Array> {
    yield dataset
    if (pixelRange) yield* readRanges(source, [{ offset: pixelRange.start, length: pixelRange.end - pixelRange.start }])
  }
  yield meta
  if (!isDeflated) return yield* content()
  const plain = Readable.from(content(), { objectMode: false })
  const deflated = createDeflateRaw()
  plain.on('error', (cause) => deflated.destroy(cause))
  yield* plain.pipe(deflated)
}
