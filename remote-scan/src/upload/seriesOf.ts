/**
 * What a file's header says of its series, read in the page so that progress can be told by series before anything is
 * sent.
 */
export interface FileSeries {
  readonly uid: string
  /** As people know it: the description, else kind and number. */
  readonly name: string
}

/** Headers of pictures are shorter; where one is not, its file is told by its folder. */
const headBytes = 65_536
const preamble = 128
const implicitLittle = '1.2.840.10008.1.2'
const notReadHere = new Set(['1.2.840.10008.1.2.1.99', '1.2.840.10008.1.2.2'])
const longLengths = new Set(['OB', 'OD', 'OF', 'OL', 'OV', 'OW', 'SQ', 'SV', 'UC', 'UN', 'UR', 'UT', 'UV'])
const undefinedLength = 0xffffffff
const tags = {
  syntax: 0x00020010,
  modality: 0x00080060,
  description: 0x0008103e,
  patient: 0x00100010,
  uid: 0x0020000e,
  number: 0x00200011,
} as const
const last = tags.number
/** What says how the rest is written; itself it is always written with its kinds. */
const lastOfMeta = 0x0002ffff
const item = 0xfffee000
const endOfSequence = 0xfffee0dd

/** The series of a DICOM file (PS3.10); `undefined` when it is none or its header cannot be read so far. */
export async function seriesOf(file: Blob): Promise<FileSeries | undefined> {
  const view = new DataView(await file.slice(0, headBytes).arrayBuffer())
  if (view.byteLength < preamble + 4 || textAt(view, preamble, 4) !== 'DICM') return undefined
  try {
    return read(view)
  } catch (error) {
    // The header goes on behind what was read, or lies: the server will say which.
    if (error instanceof RangeError) return undefined
    throw error
  }
}

function read(view: DataView): FileSeries | undefined {
  const found = new Map<number, string>()
  let isImplicit = false
  let at = preamble + 4
  while (at < view.byteLength) {
    const element = elementAt(view, at, isImplicit)
    if (element.tag > lastOfMeta && found.has(tags.syntax)) {
      const syntax = found.get(tags.syntax) ?? ''
      if (notReadHere.has(syntax)) return undefined
      if (syntax === implicitLittle && !isImplicit) {
        isImplicit = true
        continue
      }
    }
    if (element.tag > last) break
    if (element.length === undefinedLength) at = afterItems(view, element.value, isImplicit)
    else {
      if (Object.values<number>(tags).includes(element.tag))
        found.set(element.tag, textAt(view, element.value, element.length))
      at = element.value + element.length
    }
  }
  const uid = found.get(tags.uid)
  if (!uid) return undefined
  const kind = [found.get(tags.modality), found.get(tags.number)].filter(Boolean).join(' ')
  return { uid, name: found.get(tags.description) || kind || uid }
}

interface Element {
  readonly tag: number
  readonly length: number
  /** Where the value begins. */
  readonly value: number
}

function elementAt(view: DataView, at: number, isImplicit: boolean): Element {
  const tag = ((view.getUint16(at, true) << 16) | view.getUint16(at + 2, true)) >>> 0
  if (isImplicit || tag >>> 16 === 0xfffe) return { tag, length: view.getUint32(at + 4, true), value: at + 8 }
  if (longLengths.has(textAt(view, at + 4, 2))) return { tag, length: view.getUint32(at + 8, true), value: at + 12 }
  return { tag, length: view.getUint16(at + 6, true), value: at + 8 }
}

/** Behind a sequence whose length is not said, however deep it is: every nested one closes as it opened. */
function afterItems(view: DataView, from: number, isImplicit: boolean): number {
  let at = from
  for (let depth = 1; depth > 0;) {
    const { tag, length, value } = elementAt(view, at, isImplicit)
    if (tag === endOfSequence) depth -= 1
    else if (length === undefinedLength && tag !== item) depth += 1
    at = length === undefinedLength ? value : value + length
  }
  return at
}

function textAt(view: DataView, at: number, length: number): string {
  if (at + length > view.byteLength) throw new RangeError('The header goes on.')
  // Every character set of DICOM agrees on ASCII; anything else waits for the server, which knows them all.
  const bytes = new Uint8Array(view.buffer, view.byteOffset + at, length)
  return String.fromCharCode(...bytes)
    .replaceAll('\0', '')
    .trim()
}
