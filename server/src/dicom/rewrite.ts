import { Readable } from 'node:stream'
import { createDeflateRaw } from 'node:zlib'
import { fromParserKey } from '@dmp/dicom'
import { elementBytes, itemBytes, part10Start, type Encoding, type RawElement } from '@dmp/dimse/elementWriter'
import type { DataSet, Element } from 'dicom-parser'
import type { ByteSource } from './byteSource.ts'
import { readCopiedPixels, type CopiedPixels } from './cleanPixels.ts'
import { toEffectiveVr } from './jsonModel.ts'
import type { Instance } from './instance.ts'
import { isDecoded, maskedSyntaxUID, writeMaskedFrames, type DecodedPixels, type MaskFrame } from './maskedFrames.ts'

/** An element in its context, for a rewriting to decide on. */
export interface ElementContext {
  readonly tag: string
  readonly vr: string
  /** The data set around it: the object's own, or an item's. */
  readonly siblings: DataSet
  readonly element: Element
  /** Tags of the sequences around it, the outermost first. */
  readonly path: readonly string[]
  value(): Buffer
}

/** `keep` copies the bytes (a sequence is rewritten item by item); `empty` writes the element without a value. */
export type Decision = 'keep' | 'remove' | 'empty' | RawElement

export interface Rewriting {
  decide(context: ElementContext): Decision
  /** Elements to write into the object's own data set, in place of any that were there. */
  readonly replacements: ReadonlyMap<string, RawElement>
}

/** A rewritten object: file meta information, its bytes up to the pixel data, and the pixel data. */
export interface Rewritten {
  readonly meta: Uint8Array
  readonly dataset: Uint8Array
  readonly isDeflated: boolean
  /** Only compressed pixels of which parts are blacked out are decoded. */
  readonly pixels: CopiedPixels | DecodedPixels | undefined
}

function toElementContext(bytes: Buffer, siblings: DataSet, element: Element, path: readonly string[]): ElementContext {
  const tag = fromParserKey(element.tag)
  return {
    tag,
    vr: element.items ? 'SQ' : toEffectiveVr(tag, element.vr, false),
    siblings,
    element,
    path,
    value: () => bytes.subarray(element.dataOffset, element.dataOffset + element.length),
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
      item.dataSet
        ? rewriteItems(bytes, item.dataSet, itemEncoding, rewriting, [...context.path, context.tag])
        : Buffer.alloc(0),
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
  path: readonly string[],
): Buffer {
  const isNested = path.length > 0
  const writtenElements = new Map<string, Buffer>()
  for (const element of Object.values(dataSet.elements)) {
    const context = toElementContext(bytes, dataSet, element, path)
    // Group lengths would be wrong afterwards; delimiters and padding are not elements.
    if (context.tag.endsWith('0000') || context.tag.startsWith('FFFE')) continue
    if (!isNested && rewriting.replacements.has(context.tag)) continue
    writtenElements.set(context.tag, rewriteElement(bytes, context, encoding, rewriting))
  }
  if (!isNested)
    for (const [tag, raw] of rewriting.replacements) writtenElements.set(tag, elementBytes(tag, raw, encoding))
  return Buffer.concat([...writtenElements.keys()].sort().map((tag) => writtenElements.get(tag) ?? Buffer.alloc(0)))
}

/** Rewrites an object in its own transfer syntax, unless its pixels are decoded. */
export function rewrite(
  { part10, dataSet }: Instance,
  rewriting: Rewriting,
  identity: { sopClassUID: string; sopInstanceUID: string },
  pixels: CopiedPixels | DecodedPixels | undefined,
): Rewritten {
  const { transferSyntax } = part10
  const transferSyntaxUID = pixels && isDecoded(pixels) ? maskedSyntaxUID : transferSyntax.uid
  return {
    meta: part10Start({ ...identity, transferSyntaxUID }),
    dataset: rewriteItems(part10.header, dataSet, transferSyntax, rewriting, []),
    isDeflated: transferSyntax.isDeflated,
    pixels,
  }
}

/**
 * The bytes of a rewritten object, in constant memory; `source` is the original, inflated if it was deflated.
 * `maskFrame` makes the frames of pixels that are decoded.
 */
export async function* readRewritten(
  source: ByteSource,
  { meta, dataset, isDeflated, pixels }: Rewritten,
  maskFrame?: MaskFrame,
): AsyncGenerator<Uint8Array> {
  const content = async function* (): AsyncGenerator<Uint8Array> {
    yield dataset
    if (pixels && isDecoded(pixels)) yield* writeMaskedFrames(pixels, maskFrame)
    else if (pixels) yield* readCopiedPixels(source, pixels)
  }
  yield meta
  if (!isDeflated) return yield* content()
  const plain = Readable.from(content(), { objectMode: false })
  const deflated = createDeflateRaw()
  plain.on('error', (cause) => deflated.destroy(cause))
  yield* plain.pipe(deflated)
}
