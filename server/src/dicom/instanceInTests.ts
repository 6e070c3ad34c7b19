import { elementBytes, itemBytes, part10Start, type RawElement } from '@dmp/dimse/elementWriter'
import { readInstanceBytes } from './instance.ts'
import { DicomRefusal, type RefusalReason } from './refusal.ts'
import {
  CT,
  datasetBytes,
  dicomFile,
  encapsulated,
  explicitLittle,
  slice,
  text,
  u16,
  type Elements,
} from './testing/dicomFile.ts'

export async function findRefusal(bytes: Buffer): Promise<DicomRefusal | undefined> {
  try {
    await readInstanceBytes(bytes)
    return undefined
  } catch (cause) {
    if (cause instanceof DicomRefusal) return cause
    throw cause
  }
}

export const without = (...tags: readonly string[]): Elements =>
  Object.fromEntries(Object.entries(slice()).filter(([key]) => !tags.includes(key)))
export const start = (transferSyntaxUID = '1.2.840.10008.1.2.1'): Buffer =>
  part10Start({ sopClassUID: CT, sopInstanceUID: '1.2.3.4.5', transferSyntaxUID })
export const preamble = (bytes: string): Buffer => {
  const file = dicomFile()
  file.write(bytes, 0, 'latin1')
  return file
}
/** Puts raw bytes behind the elements below (0028,0000), where any element may stand. */
export const inject = (...raw: Buffer[]): Buffer =>
  dicomFile({ dataset: Buffer.concat([datasetBytes(slice()), ...raw]) })
export const raw = (tag: string, vr: string, length: number, value: Buffer = Buffer.alloc(0)): Buffer => {
  const isLong = ['OB', 'OW', 'SQ', 'UN', 'UT'].includes(vr)
  const head = Buffer.alloc(isLong ? 12 : 8)
  head.writeUInt16LE(parseInt(tag.slice(0, 4), 16), 0)
  head.writeUInt16LE(parseInt(tag.slice(4), 16), 2)
  head.write(vr, 4, 'latin1')
  if (isLong) head.writeUInt32LE(length >>> 0, 8)
  else head.writeUInt16LE(length, 6)
  return Buffer.concat([head, value])
}
export const front = (...bytes: Buffer[]): Buffer =>
  dicomFile({ dataset: Buffer.concat([...bytes, datasetBytes(slice())]) })
export const item = (length: number, content: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0])
  head.writeUInt32LE(length >>> 0, 4)
  return Buffer.concat([head, content])
}
export const sequenceEnd = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0])
export const itemEnd = Buffer.from([0xfe, 0xff, 0x0d, 0xe0, 0, 0, 0, 0])
export const undefinedLength = 0xffffffff

export function nested(levels: number, isOpen: boolean): Buffer {
  let inner = elementBytes('00080100', text('SH', 'x'), explicitLittle)
  for (let i = 0; i < levels; i++) {
    const content = isOpen
      ? Buffer.concat([item(undefinedLength), inner, itemEnd, sequenceEnd])
      : itemBytes(inner, false)
    inner = raw('00081140', 'SQ', isOpen ? undefinedLength : content.length, content)
  }
  return inner
}

export const jpeg = '1.2.840.10008.1.2.4.50'
export const compressed = (pixels: Buffer): Buffer =>
  dicomFile({ transferSyntaxUID: jpeg, dataset: Buffer.concat([datasetBytes(without('7FE00010')), pixels]) })
export const pixels = (bytes: number): Record<string, RawElement> => ({
  '7FE00010': { vr: 'OW', value: Buffer.alloc(bytes) },
})
export const implicit = '1.2.840.10008.1.2'
/** Eight bits of three colours a pixel, of which two share one of each. */
export const colours = (photometric: string, bytes: number): Elements =>
  slice({
    '00280002': u16(3),
    '00280004': text('CS', photometric),
    '00280100': u16(8),
    '00280101': u16(8),
    '00280102': u16(7),
    ...pixels(bytes),
  })
/** So many frames, in so many fragments. */
export const several = (transferSyntaxUID: string, frames: number, fragments: number): Buffer =>
  dicomFile({
    transferSyntaxUID,
    dataset: Buffer.concat([
      datasetBytes({ ...without('7FE00010'), '00280008': text('IS', String(frames)) }),
      encapsulated(Array(fragments).fill(Buffer.alloc(8))),
    ]),
  })
/** In implicit VR, a sequence that only its items identify. */
export const unknownSequence = Buffer.concat([
  Buffer.from([0x08, 0, 0x77, 0x77, 24, 0, 0, 0]),
  item(16, Buffer.concat([Buffer.from([0x10, 0, 0x10, 0, 0, 0, 0, 0]), Buffer.from([0x10, 0, 0x10, 0, 0, 0, 0, 0])])),
])
export const meta = (...elements: Buffer[]): Buffer =>
  Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), ...elements])
export const metaUid = (tag: string, uid: string): Buffer => elementBytes(tag, text('UI', uid), explicitLittle)

/** An object without a picture: its last element ends it. */
export const report = (): Buffer =>
  dicomFile({ elements: without(...Object.keys(slice()).filter((tag) => /^(?:0028|7FE0)/.test(tag))) })

export type Lie = readonly [what: string, reason: RefusalReason, make: () => Buffer]

/** Each lie is refused with its reason, in a sentence that holds nothing of the object. */
export function itRefuses(lies: readonly Lie[]): void {
  it.each(lies)('%s: %s [P12]', async (_what, reason, make) => {
    expect((await findRefusal(make()))?.reason).toBe(reason)
  })

  it('never repeats what the object says [P12, P23]', async () => {
    for (const [, , make] of lies) expect((await findRefusal(make()))?.message).not.toMatch(/Tilda|KLINGON|passwd/)
  })
}
