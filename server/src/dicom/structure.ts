import { vrOf } from './dictionary.ts'
import { DicomRefusal, dicomLimits } from './refusal.ts'

/**
 * The guard in front of the parser (P12): walks element headers only, with a stack of its own instead of recursion, and
 * refuses whatever claims more bytes, more levels or more elements than there are. What passes is safe to hand to the
 * library.
 */

/** Thrown when the walk needs bytes that were not read yet: read at least up to `until` and walk again. */
export class NeedsMoreBytes {
  readonly until: number
  constructor(until: number) {
    this.until = until
  }
}

export interface PixelDataStart {
  readonly tag: string
  readonly vr: string
  /** Where its element begins, and where its value begins. */
  readonly offset: number
  readonly valueOffset: number
  /** `undefined` when it is encapsulated in fragments. */
  readonly length: number | undefined
}

export interface Encoding {
  readonly isExplicit: boolean
  readonly isBigEndian: boolean
}

const UNDEFINED_LENGTH = 0xffffffff
const ITEM = 'FFFEE000'
const ITEM_END = 'FFFEE00D'
const SEQUENCE_END = 'FFFEE0DD'
const pixelDataTags = new Set(['7FE00008', '7FE00009', '7FE00010'])
const longVrs = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV'])
/** 64-bit values, younger than the library, which takes their length for a short one. */
const strangeVrs = new Set(['OV', 'SV', 'UV'])
const shortVrs = new Set([
  'AE',
  'AS',
  'AT',
  'CS',
  'DA',
  'DS',
  'DT',
  'FL',
  'FD',
  'IS',
  'LO',
  'LT',
  'PN',
  'SH',
  'SL',
  'SS',
  'ST',
  'TM',
  'UI',
  'UL',
  'US',
])

interface Frame {
  readonly kind: 'elements' | 'items' | 'fragments'
  readonly end: number
  readonly isOpen: boolean
  readonly isExplicit: boolean
  readonly seen: Set<string>
}

interface ElementHeader {
  readonly tag: string
  readonly vr: string | undefined
  readonly length: number
  readonly valueOffset: number
}

export class StructureWalk {
  readonly #bytes: Buffer
  readonly #end: number
  readonly #encoding: Encoding
  readonly #stack: Frame[] = []
  #position: number
  #elements = 0
  /** Where the VRs stand that the library does not know the length of. */
  readonly strangers: number[] = []

  /** `bytes` may be the beginning of the object only; `end` is where the whole object ends. */
  constructor(bytes: Buffer, start: number, end: number, encoding: Encoding) {
    this.#bytes = bytes
    this.#position = start
    this.#end = end
    this.#encoding = encoding
  }

  /** Walks to the pixel data of the top level (which are not part of the header), or to the end. */
  toPixelData(): PixelDataStart | undefined {
    this.#stack.push({
      kind: 'elements',
      end: this.#end,
      isOpen: false,
      isExplicit: this.#encoding.isExplicit,
      seen: new Set(),
    })
    for (let frame = this.#stack.at(-1); frame; frame = this.#stack.at(-1)) {
      if (this.#position >= frame.end) {
        if (frame.isOpen) throw new DicomRefusal('TRUNCATED', 'A sequence or item is never closed.')
        this.#stack.pop()
      } else if (frame.kind === 'elements') {
        const pixelData = this.#element(frame)
        if (pixelData) return pixelData
      } else {
        this.#item(frame)
      }
    }
    return undefined
  }

  #need(count: number, frame: Frame): void {
    if (this.#position + count > frame.end) {
      throw new DicomRefusal(
        frame.end === this.#end ? 'TRUNCATED' : 'LENGTH',
        'The object ends, or its enclosing item does, in the middle of an element.',
      )
    }
    if (this.#position + count > this.#bytes.length) throw new NeedsMoreBytes(this.#position + count)
  }

  #u16(offset: number): number {
    return this.#encoding.isBigEndian ? this.#bytes.readUInt16BE(offset) : this.#bytes.readUInt16LE(offset)
  }

  #u32(offset: number): number {
    return this.#encoding.isBigEndian ? this.#bytes.readUInt32BE(offset) : this.#bytes.readUInt32LE(offset)
  }

  #tagAt(offset: number): string {
    return ((this.#u16(offset) * 0x10000 + this.#u16(offset + 2)) >>> 0).toString(16).toUpperCase().padStart(8, '0')
  }

  #header(frame: Frame): ElementHeader {
    const at = this.#position
    const tag = this.#tagAt(at)
    if (tag.startsWith('FFFE') || !frame.isExplicit)
      return { tag, vr: vrOf(tag), length: this.#u32(at + 4), valueOffset: at + 8 }
    const vr = this.#bytes.toString('latin1', at + 4, at + 6)
    if (shortVrs.has(vr)) return { tag, vr, length: this.#u16(at + 6), valueOffset: at + 8 }
    if (!longVrs.has(vr))
      throw new DicomRefusal('VR', `The element at byte ${at} has a value representation that does not exist.`)
    this.#need(12, frame)
    if (strangeVrs.has(vr)) this.strangers.push(at + 4)
    return { tag, vr, length: this.#u32(at + 8), valueOffset: at + 12 }
  }

  #element(frame: Frame): PixelDataStart | undefined {
    const isRoot = this.#stack.length === 1
    if (isRoot && this.#isPadding()) return void (this.#position = this.#end)
    this.#need(8, frame)
    const header = this.#header(frame)
    if (header.tag === ITEM_END && frame.isOpen) return this.#close(header)
    if (/^(FFFE|000[0-357])/.test(header.tag))
      throw new DicomRefusal('SEQUENCE', `The element at byte ${this.#position} does not belong there.`)
    if (frame.seen.has(header.tag))
      throw new DicomRefusal('DUPLICATE_ELEMENT', `The element ${header.tag} is there twice.`)
    frame.seen.add(header.tag)
    if (++this.#elements > dicomLimits.elements)
      throw new DicomRefusal('TOO_LARGE', `The object has more than ${dicomLimits.elements} elements.`)
    if (isRoot && pixelDataTags.has(header.tag)) {
      const { tag, vr = 'OW', valueOffset, length } = header
      return { tag, vr, offset: this.#position, valueOffset, length: length === UNDEFINED_LENGTH ? undefined : length }
    }
    this.#enter(header, frame)
    return undefined
  }

  /** Steps over a value, or into it when it is a sequence. */
  #enter(header: ElementHeader, frame: Frame): void {
    const isOpen = header.length === UNDEFINED_LENGTH
    const end = isOpen ? frame.end : header.valueOffset + header.length
    if (end > frame.end)
      throw new DicomRefusal(
        frame.end === this.#end ? 'TRUNCATED' : 'LENGTH',
        `The element ${header.tag} claims more bytes than there are.`,
      )
    const isSequence =
      header.vr === 'SQ' ||
      (isOpen && (header.vr === 'UN' || header.vr === undefined)) ||
      this.#looksLikeSequence(header, end)
    if (isSequence) {
      // PS3.5 section 6.2.2: a UN sequence is written in implicit VR whatever surrounds it.
      this.#push({ kind: 'items', end, isOpen, isExplicit: header.vr === 'SQ' && frame.isExplicit, seen: new Set() })
    } else if (isOpen) {
      if (!pixelDataTags.has(header.tag)) throw new DicomRefusal('LENGTH', `The element ${header.tag} has no length.`)
      this.#push({ kind: 'fragments', end, isOpen, isExplicit: frame.isExplicit, seen: new Set() })
    } else if (end > this.#bytes.length) {
      throw new NeedsMoreBytes(end)
    }
    this.#position = isSequence || isOpen ? header.valueOffset : end
  }

  /** Implicit VR, an element that the dictionary does not have: the library peeks for an item, so this does as well. */
  #looksLikeSequence(header: ElementHeader, end: number): boolean {
    if (header.vr !== undefined || parseInt(header.tag.slice(0, 4), 16) % 2 === 1 || header.valueOffset + 4 > end)
      return false
    if (header.valueOffset + 4 > this.#bytes.length) throw new NeedsMoreBytes(header.valueOffset + 4)
    const first = this.#tagAt(header.valueOffset)
    return first === ITEM || first === SEQUENCE_END
  }

  #item(frame: Frame): void {
    this.#need(8, frame)
    const header = {
      tag: this.#tagAt(this.#position),
      vr: undefined,
      length: this.#u32(this.#position + 4),
      valueOffset: this.#position + 8,
    }
    if (header.tag === SEQUENCE_END && frame.isOpen) return void this.#close(header)
    if (header.tag !== ITEM) throw new DicomRefusal('SEQUENCE', `There should be an item at byte ${this.#position}.`)
    const isOpen = header.length === UNDEFINED_LENGTH
    const end = isOpen ? frame.end : header.valueOffset + header.length
    if (end > frame.end || (isOpen && frame.kind === 'fragments'))
      throw new DicomRefusal('LENGTH', 'An item claims more bytes than there are.')
    if (frame.kind === 'items')
      this.#push({ kind: 'elements', end, isOpen, isExplicit: frame.isExplicit, seen: new Set() })
    if (++this.#elements > dicomLimits.elements)
      throw new DicomRefusal('TOO_LARGE', `The object has more than ${dicomLimits.elements} items.`)
    this.#position = frame.kind === 'items' ? header.valueOffset : end
  }

  #close(header: ElementHeader): undefined {
    if (header.length !== 0) throw new DicomRefusal('SEQUENCE', 'A delimiter has a length.')
    this.#position += 8
    this.#stack.pop()
  }

  #push(frame: Frame): void {
    // The data set itself, and two frames a level: the sequence and its item.
    if (this.#stack.length > 2 * dicomLimits.depth)
      throw new DicomRefusal('DEPTH', `Sequences are nested deeper than ${dicomLimits.depth} levels.`)
    this.#stack.push(frame)
  }

  /** Some writers fill the file up with zeros. */
  #isPadding(): boolean {
    if (this.#bytes[this.#position] !== 0 || this.#end - this.#position > 2 ** 16) return false
    if (this.#end > this.#bytes.length) throw new NeedsMoreBytes(this.#end)
    return this.#bytes.subarray(this.#position, this.#end).every((byte) => byte === 0)
  }
}
