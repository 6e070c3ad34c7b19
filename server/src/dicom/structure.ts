import { fromTagNumber, hasLongLength, hasShortLength, tag } from '@dmp/dicom'
import type { Encoding } from '@dmp/dimse/elementWriter'
import { findVr } from './dictionary.ts'
import { dicomLimits, type DicomLimits } from './limits.ts'
import { DicomRefusal } from './refusal.ts'

/**
 * The guard in front of the parser (P12). It walks element headers only, with a stack of its own instead of recursion,
 * and refuses an object that claims more bytes, levels or elements than it has. An object that passes is safe to hand
 * to the library.
 */

/** The walk needs bytes that have not been read yet: read at least up to `until` and walk again. */
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

const undefinedLength = 0xffffffff
const pixelDataTags = new Set([tag.FloatPixelData, tag.DoubleFloatPixelData, tag.PixelData])
/** 64-bit values, which are younger than the library: it takes their length for a short one. */
const vrsUnknownToLibrary = new Set(['OV', 'SV', 'UV'])

interface Frame {
  readonly kind: 'elements' | 'items' | 'fragments'
  readonly end: number
  readonly isOpen: boolean
  readonly isExplicit: boolean
  readonly seenTags: Set<string>
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
  #items = 0
  readonly #limits: DicomLimits
  /** Offsets of value representations that the library does not know. */
  readonly unknownVrOffsets: number[] = []

  /** `bytes` may be only the beginning of the object; `end` is where the whole object ends. */
  constructor(bytes: Buffer, start: number, end: number, encoding: Encoding, limits: DicomLimits = dicomLimits) {
    this.#limits = limits
    this.#bytes = bytes
    this.#position = start
    this.#end = end
    this.#encoding = encoding
  }

  /** Walks to the pixel data of the top level, which are not part of the header, or to the end. */
  toPixelData(): PixelDataStart | undefined {
    this.#stack.push({
      kind: 'elements',
      end: this.#end,
      isOpen: false,
      isExplicit: this.#encoding.isExplicit,
      seenTags: new Set(),
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
        'The object, or an item of it, ends in the middle of an element.',
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
    return fromTagNumber(this.#u16(offset) * 0x10000 + this.#u16(offset + 2))
  }

  #header(frame: Frame): ElementHeader {
    const at = this.#position
    const elementTag = this.#tagAt(at)
    if (elementTag.startsWith('FFFE') || !frame.isExplicit)
      return { tag: elementTag, vr: findVr(elementTag), length: this.#u32(at + 4), valueOffset: at + 8 }
    const vr = this.#bytes.toString('latin1', at + 4, at + 6)
    if (hasShortLength(vr)) return { tag: elementTag, vr, length: this.#u16(at + 6), valueOffset: at + 8 }
    if (!hasLongLength(vr))
      throw new DicomRefusal('VR', `The element at byte ${at} has an unknown value representation.`)
    this.#need(12, frame)
    if (vrsUnknownToLibrary.has(vr)) this.unknownVrOffsets.push(at + 4)
    return { tag: elementTag, vr, length: this.#u32(at + 8), valueOffset: at + 12 }
  }

  #element(frame: Frame): PixelDataStart | undefined {
    const isRoot = this.#stack.length === 1
    if (isRoot && this.#isPadding()) return void (this.#position = this.#end)
    this.#need(8, frame)
    const header = this.#header(frame)
    if (header.tag === tag.ItemDelimitationItem && frame.isOpen) return this.#close(header)
    if (/^(FFFE|000[0-357])/.test(header.tag))
      throw new DicomRefusal('SEQUENCE', `The element at byte ${this.#position} does not belong there.`)
    if (frame.seenTags.has(header.tag))
      throw new DicomRefusal('DUPLICATE_ELEMENT', `The element ${header.tag} occurs twice.`)
    frame.seenTags.add(header.tag)
    this.#countElement()
    if (isRoot && pixelDataTags.has(header.tag)) {
      const { vr = 'OW', valueOffset, length } = header
      return {
        tag: header.tag,
        vr,
        offset: this.#position,
        valueOffset,
        length: length === undefinedLength ? undefined : length,
      }
    }
    this.#enter(header, frame)
    return undefined
  }

  /** Steps over a value, or into it when it is a sequence. */
  #enter(header: ElementHeader, frame: Frame): void {
    const isOpen = header.length === undefinedLength
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
      this.#push({
        kind: 'items',
        end,
        isOpen,
        isExplicit: header.vr === 'SQ' && frame.isExplicit,
        seenTags: new Set(),
      })
    } else if (isOpen) {
      if (!pixelDataTags.has(header.tag)) throw new DicomRefusal('LENGTH', `The element ${header.tag} has no length.`)
      this.#push({ kind: 'fragments', end, isOpen, isExplicit: frame.isExplicit, seenTags: new Set() })
    } else if (end > this.#bytes.length) {
      throw new NeedsMoreBytes(end)
    }
    this.#position = isSequence || isOpen ? header.valueOffset : end
  }

  /** In implicit VR the library peeks for an item in elements that its dictionary does not have; so does this walk. */
  #looksLikeSequence(header: ElementHeader, end: number): boolean {
    if (header.vr !== undefined || parseInt(header.tag.slice(0, 4), 16) % 2 === 1 || header.valueOffset + 4 > end)
      return false
    if (header.valueOffset + 4 > this.#bytes.length) throw new NeedsMoreBytes(header.valueOffset + 4)
    const first = this.#tagAt(header.valueOffset)
    return first === tag.Item || first === tag.SequenceDelimitationItem
  }

  #item(frame: Frame): void {
    this.#need(8, frame)
    const header = {
      tag: this.#tagAt(this.#position),
      vr: undefined,
      length: this.#u32(this.#position + 4),
      valueOffset: this.#position + 8,
    }
    if (header.tag === tag.SequenceDelimitationItem && frame.isOpen) return void this.#close(header)
    if (header.tag !== tag.Item) throw new DicomRefusal('SEQUENCE', `Expected an item at byte ${this.#position}.`)
    const isOpen = header.length === undefinedLength
    const end = isOpen ? frame.end : header.valueOffset + header.length
    if (end > frame.end || (isOpen && frame.kind === 'fragments'))
      throw new DicomRefusal('LENGTH', 'An item claims more bytes than there are.')
    if (frame.kind === 'items')
      this.#push({ kind: 'elements', end, isOpen, isExplicit: frame.isExplicit, seenTags: new Set() })
    this.#countElement()
    if (++this.#items > this.#limits.items)
      throw new DicomRefusal('TOO_LARGE', `The object has more than ${this.#limits.items} items.`)
    this.#position = frame.kind === 'items' ? header.valueOffset : end
  }

  #countElement(): void {
    if (++this.#elements > this.#limits.elements)
      throw new DicomRefusal('TOO_LARGE', `The object has more than ${this.#limits.elements} elements.`)
  }

  #close(header: ElementHeader): undefined {
    if (header.length !== 0) throw new DicomRefusal('SEQUENCE', 'A delimiter has a length.')
    this.#position += 8
    this.#stack.pop()
  }

  #push(frame: Frame): void {
    // The data set itself, and two frames a level: the sequence and its item.
    if (this.#stack.length > 2 * this.#limits.depth)
      throw new DicomRefusal('DEPTH', `Sequences are nested deeper than ${this.#limits.depth} levels.`)
    this.#stack.push(frame)
  }

  /** Some writers pad the file with zeros. */
  #isPadding(): boolean {
    if (this.#bytes[this.#position] !== 0 || this.#end - this.#position > 2 ** 16) return false
    if (this.#end > this.#bytes.length) throw new NeedsMoreBytes(this.#end)
    return this.#bytes.subarray(this.#position, this.#end).every((byte) => byte === 0)
  }
}
