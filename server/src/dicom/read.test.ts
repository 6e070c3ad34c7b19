import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import type { ByteSource } from './byteSource.ts'
import { elementBytes, itemBytes, part10Start, type RawElement } from './elementWriter.ts'
import { readInstance, readInstanceBytes } from './read.ts'
import { DicomRefusal, dicomLimits, type RefusalReason } from './refusal.ts'
import { StructureWalk } from './structure.ts'
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
import { sampleObjects } from './sampleObjects.ts'

async function refusalOf(bytes: Buffer): Promise<DicomRefusal | undefined> {
  try {
    await readInstanceBytes(bytes)
    return undefined
  } catch (cause) {
    if (cause instanceof DicomRefusal) return cause
    throw cause
  }
}

const without = (...tags: readonly string[]): Elements =>
  Object.fromEntries(Object.entries(slice()).filter(([key]) => !tags.includes(key)))
const start = (transferSyntaxUID = '1.2.840.10008.1.2.1'): Buffer =>
  part10Start({ sopClassUID: CT, sopInstanceUID: '1.2.3.4.5', transferSyntaxUID })
const preamble = (bytes: string): Buffer => {
  const file = dicomFile()
  file.write(bytes, 0, 'latin1')
  return file
}
/** Puts raw bytes behind the elements below (0028,0000), where any element may stand. */
const inject = (...raw: Buffer[]): Buffer => dicomFile({ dataset: Buffer.concat([datasetBytes(slice()), ...raw]) })
const raw = (tag: string, vr: string, length: number, value: Buffer = Buffer.alloc(0)): Buffer => {
  const isLong = ['OB', 'OW', 'SQ', 'UN', 'UT'].includes(vr)
  const head = Buffer.alloc(isLong ? 12 : 8)
  head.writeUInt16LE(parseInt(tag.slice(0, 4), 16), 0)
  head.writeUInt16LE(parseInt(tag.slice(4), 16), 2)
  head.write(vr, 4, 'latin1')
  if (isLong) head.writeUInt32LE(length >>> 0, 8)
  else head.writeUInt16LE(length, 6)
  return Buffer.concat([head, value])
}
const front = (...bytes: Buffer[]): Buffer => dicomFile({ dataset: Buffer.concat([...bytes, datasetBytes(slice())]) })
const item = (length: number, content: Buffer = Buffer.alloc(0)): Buffer => {
  const head = Buffer.from([0xfe, 0xff, 0x00, 0xe0, 0, 0, 0, 0])
  head.writeUInt32LE(length >>> 0, 4)
  return Buffer.concat([head, content])
}
const sequenceEnd = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0])
const itemEnd = Buffer.from([0xfe, 0xff, 0x0d, 0xe0, 0, 0, 0, 0])
const OPEN = 0xffffffff

function nested(levels: number, isOpen: boolean): Buffer {
  let inner = elementBytes('00080100', text('SH', 'x'), explicitLittle)
  for (let i = 0; i < levels; i++) {
    const content = isOpen ? Buffer.concat([item(OPEN), inner, itemEnd, sequenceEnd]) : itemBytes(inner, false)
    inner = raw('00081140', 'SQ', isOpen ? OPEN : content.length, content)
  }
  return inner
}

const jpeg = '1.2.840.10008.1.2.4.50'
const compressed = (pixels: Buffer): Buffer =>
  dicomFile({ transferSyntaxUID: jpeg, dataset: Buffer.concat([datasetBytes(without('7FE00010')), pixels]) })
const pixels = (bytes: number): Record<string, RawElement> => ({ '7FE00010': { vr: 'OW', value: Buffer.alloc(bytes) } })
const implicit = '1.2.840.10008.1.2'
/** Eight bits of three colours a pixel, of which two share one of each. */
const colours = (photometric: string, bytes: number): Elements =>
  slice({
    '00280002': u16(3),
    '00280004': text('CS', photometric),
    '00280100': u16(8),
    '00280101': u16(8),
    '00280102': u16(7),
    ...pixels(bytes),
  })
/** So many frames, in so many fragments. */
const several = (transferSyntaxUID: string, frames: number, fragments: number): Buffer =>
  dicomFile({
    transferSyntaxUID,
    dataset: Buffer.concat([
      datasetBytes({ ...without('7FE00010'), '00280008': text('IS', String(frames)) }),
      encapsulated(Array(fragments).fill(Buffer.alloc(8))),
    ]),
  })
/** In implicit VR, a sequence that nobody knows for one but by its items. */
const unheardOf = Buffer.concat([
  Buffer.from([0x08, 0, 0x77, 0x77, 24, 0, 0, 0]),
  item(16, Buffer.concat([Buffer.from([0x10, 0, 0x10, 0, 0, 0, 0, 0]), Buffer.from([0x10, 0, 0x10, 0, 0, 0, 0, 0])])),
])
const meta = (...elements: Buffer[]): Buffer => Buffer.concat([Buffer.alloc(128), Buffer.from('DICM'), ...elements])
const metaUid = (tag: string, uid: string): Buffer => elementBytes(tag, text('UI', uid), explicitLittle)

/** An object without a picture: its last element ends it. */
const report = (): Buffer =>
  dicomFile({ elements: without(...Object.keys(slice()).filter((tag) => /^(?:0028|7FE0)/.test(tag))) })

const lies: ReadonlyArray<readonly [what: string, reason: RefusalReason, make: () => Buffer]> = [
  ['nothing at all', 'NOT_DICOM', () => Buffer.alloc(0)],
  ['132 zeros', 'NOT_DICOM', () => Buffer.alloc(132)],
  ['a text file', 'NOT_DICOM', () => Buffer.from('Dear colleague, please find attached. '.repeat(20))],
  ['a JPEG', 'NOT_DICOM', () => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(500)])],
  ['DICM one byte early', 'NOT_DICOM', () => dicomFile().subarray(1)],
  ['a Windows program in the preamble', 'PREAMBLE', () => preamble('MZ\x90')],
  ['a Linux program in the preamble', 'PREAMBLE', () => preamble('\x7fELF')],
  ['a script in the preamble', 'PREAMBLE', () => preamble('#!/bin/sh\n')],
  ['a zip in the preamble', 'PREAMBLE', () => preamble('PK\x03\x04')],
  ['a PDF in the preamble', 'PREAMBLE', () => preamble('%PDF-1.7')],
  ['a Java class in the preamble', 'PREAMBLE', () => preamble('\xca\xfe\xba\xbe')],
  ['a web page in the preamble', 'PREAMBLE', () => preamble('  <html><script>alert(1)</script>')],
  ['a PHP program in the preamble', 'PREAMBLE', () => preamble('<?php system($_GET[0]);')],
  ['a prefix and nothing behind it', 'META', () => meta()],
  ['file meta information alone', 'TRUNCATED', () => start()],
  [
    'file meta information alone that ends with an empty element',
    'TRUNCATED',
    () => Buffer.concat([start(), raw('00020016', 'AE', 0)]),
  ],
  [
    'file meta information alone that ends with an empty long element',
    'TRUNCATED',
    () => Buffer.concat([start(), raw('00020102', 'OB', 0)]),
  ],
  ['no transfer syntax', 'META', () => dicomFile({ start: meta(metaUid('00020002', CT)) })],
  [
    'meta information in implicit VR',
    'META',
    () => dicomFile({ start: meta(Buffer.from([2, 0, 0x10, 0, 0x12, 0, 0, 0]), Buffer.alloc(18)) }),
  ],
  [
    'meta information longer than the file',
    'META',
    () =>
      dicomFile({
        start: meta(
          raw('00020000', 'UL', 4, Buffer.from([0xff, 0xff, 0xff, 0x7f])),
          metaUid('00020010', '1.2.840.10008.1.2.1'),
        ),
      }),
  ],
  ['a meta element longer than the file', 'TRUNCATED', () => dicomFile({ start: meta(raw('00020010', 'UI', 0xfff0)) })],
  [
    'a long meta element longer than the file',
    'TRUNCATED',
    () => dicomFile({ start: meta(raw('00020001', 'OB', 0x7fffffff)) }),
  ],
  [
    'two transfer syntaxes',
    'DUPLICATE_ELEMENT',
    () =>
      dicomFile({ start: meta(metaUid('00020010', '1.2.840.10008.1.2.1'), metaUid('00020010', '1.2.840.10008.1.2')) }),
  ],
  ['a private transfer syntax', 'TRANSFER_SYNTAX', () => dicomFile({ start: start('1.2.840.113619.5.2') })],
  ['a transfer syntax that is a path', 'TRANSFER_SYNTAX', () => dicomFile({ start: start('../../etc/passwd') })],
  [
    'explicit elements said to be implicit',
    'TRUNCATED',
    () => dicomFile({ start: start('1.2.840.10008.1.2'), dataset: datasetBytes(slice()) }),
  ],
  [
    'implicit elements said to be explicit',
    'VR',
    () => dicomFile({ dataset: datasetBytes(slice(), { isExplicit: false, isBigEndian: false }) }),
  ],
  [
    'little-endian elements said to be big-endian',
    'TRUNCATED',
    () => dicomFile({ start: start('1.2.840.10008.1.2.2'), dataset: datasetBytes(slice()) }),
  ],
  ['a value representation that does not exist', 'VR', () => front(raw('00080005', 'ZZ', 0))],
  ['a value representation of zeros', 'VR', () => front(raw('00080005', '\0\0', 0))],
  ['an element longer than the file', 'TRUNCATED', () => front(raw('00080005', 'CS', 0xfffe))],
  ['a long element longer than the file', 'TRUNCATED', () => front(raw('00080005', 'UT', 0xfffffff0))],
  ['text of undefined length', 'LENGTH', () => front(raw('00080005', 'UT', OPEN))],
  ['an item longer than its sequence', 'LENGTH', () => front(raw('00081140', 'SQ', 8, item(200)))],
  [
    'an element longer than its item',
    'LENGTH',
    () => front(raw('00081140', 'SQ', 16, item(8, raw('00080100', 'SH', 100)))),
  ],
  ['half an element in an item', 'LENGTH', () => front(raw('00081140', 'SQ', 12, item(4, Buffer.from([8, 0, 0, 1]))))],
  ['a sequence without items', 'SEQUENCE', () => front(raw('00081140', 'SQ', 10, text('SH', 'not items!').value))],
  ['a delimiter that was not opened', 'SEQUENCE', () => front(itemEnd)],
  ['an item outside of a sequence', 'SEQUENCE', () => front(item(0))],
  [
    'a delimiter with a length',
    'SEQUENCE',
    () => front(raw('00081140', 'SQ', OPEN, Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 4, 0, 0, 0]))),
  ],
  [
    'more zeros behind the last element than a writer pads with',
    'VR',
    () => Buffer.concat([report(), Buffer.alloc(2 ** 16 + 2)]),
  ],
  [
    'meta information inside of the data set',
    'SEQUENCE',
    () => front(raw('00080005', 'CS', 0), metaUid('00020010', '1.2.840.10008.1.2')),
  ],
  ['a command inside of the data set', 'SEQUENCE', () => front(metaUid('00000002', CT))],
  ['an open sequence that is never closed', 'SEQUENCE', () => front(raw('00081140', 'SQ', OPEN))],
  [
    'an open item that is never closed',
    'TRUNCATED',
    () =>
      dicomFile({
        dataset: Buffer.concat([datasetBytes(without('7FE00010')), raw('FFFAFFFA', 'SQ', OPEN, item(OPEN))]),
      }),
  ],
  ['sequences nested one level too deep', 'DEPTH', () => front(nested(dicomLimits.depth + 1, false))],
  ['open sequences nested 5,000 deep', 'DEPTH', () => front(nested(5_000, true))],
  ['the patient twice', 'DUPLICATE_ELEMENT', () => front(raw('00100010', 'PN', 2, Buffer.from('AB')))],
  [
    'an element twice in an item',
    'DUPLICATE_ELEMENT',
    () =>
      front(raw('00081140', 'SQ', 24, item(16, Buffer.concat([raw('00080100', 'SH', 0), raw('00080100', 'SH', 0)])))),
  ],
  [
    'more elements than allowed',
    'TOO_LARGE',
    () =>
      front(
        raw('00081140', 'SQ', 8 * (dicomLimits.elements + 1), Buffer.alloc(8 * (dicomLimits.elements + 1), item(0))),
      ),
  ],
  [
    'a header larger than allowed',
    'TOO_LARGE',
    () => front(raw('00091010', 'OB', dicomLimits.headerBytes + 2, Buffer.alloc(dicomLimits.headerBytes + 2))),
  ],
  [
    'a deflate bomb',
    'DEFLATE',
    () =>
      Buffer.concat([
        start('1.2.840.10008.1.2.1.99'),
        deflateRawSync(Buffer.alloc(dicomLimits.inflatedBytes + 2 ** 20)),
      ]),
  ],
  [
    'noise said to be deflated',
    'DEFLATE',
    () => Buffer.concat([start('1.2.840.10008.1.2.1.99'), Buffer.from('this was never deflated by anybody')]),
  ],
  [
    'a deflated object cut short',
    'DEFLATE',
    () => dicomFile({ transferSyntaxUID: '1.2.840.10008.1.2.1.99' }).subarray(0, -10),
  ],
  ['no SOP class', 'UID', () => dicomFile({ elements: without('00080016') })],
  ['no SOP instance UID', 'UID', () => dicomFile({ elements: without('00080018') })],
  ['no study', 'UID', () => dicomFile({ elements: without('0020000D') })],
  ['no series', 'UID', () => dicomFile({ elements: without('0020000E') })],
  ['an empty series', 'UID', () => dicomFile({ elements: slice({ '0020000E': text('UI', '') }) })],
  ['a UID that is a path', 'UID', () => dicomFile({ elements: slice({ '0020000E': text('UI', '../../../etc') }) })],
  ['a UID with letters', 'UID', () => dicomFile({ elements: slice({ '0020000D': text('UI', '1.2.abc') }) })],
  [
    'a UID of 65 characters',
    'UID',
    () => dicomFile({ elements: slice({ '0020000D': text('UI', `1.${'2'.repeat(63)}`) }) }),
  ],
  ['a UID that ends with a dot', 'UID', () => dicomFile({ elements: slice({ '0020000D': text('UI', '1.2.') }) })],
  ['two study UIDs', 'UID', () => dicomFile({ elements: slice({ '0020000D': text('UI', '1.2\\1.3') }) })],
  ['an instance in the meta information that is no UID', 'UID', () => dicomFile({ sopInstanceUID: '../../9' })],
  ['a described picture that is not there', 'PIXEL_DATA', () => dicomFile({ elements: without('7FE00010') })],
  [
    'another class in the data set',
    'UID',
    () => dicomFile({ elements: slice({ '00080016': text('UI', '1.2.840.10008.5.1.4.1.1.4') }) }),
  ],
  [
    'a character set that does not exist',
    'CHARACTER_SET',
    () => dicomFile({ elements: slice({ '00080005': text('CS', 'KLINGON') }) }),
  ],
  [
    'an unknown second character set',
    'CHARACTER_SET',
    () => dicomFile({ elements: slice({ '00080005': text('CS', 'ISO 2022 IR 6\\ISO 2022 IR 999') }) }),
  ],
  [
    'a name that is not in UTF-8 as said',
    'CHARACTER_SET',
    () =>
      dicomFile({
        elements: slice({
          '00080005': text('CS', 'ISO_IR 192'),
          '00100010': { vr: 'PN', value: Buffer.from([0x4d, 0xfc, 0x6c, 0x6c]) },
        }),
      }),
  ],
  ['no rows', 'PIXEL_DATA', () => dicomFile({ elements: without('00280010') })],
  ['zero columns', 'PIXEL_DATA', () => dicomFile({ elements: slice({ '00280011': u16(0) }) })],
  [
    'more rows than pixels',
    'PIXEL_DATA',
    () => dicomFile({ elements: slice({ '00280010': u16(65_535), '00280011': u16(65_535) }) }),
  ],
  [
    'a million frames in 32 bytes',
    'PIXEL_DATA',
    () => dicomFile({ elements: slice({ '00280008': text('IS', '1000000') }) }),
  ],
  [
    'one frame and a half, with the pixels of both',
    'PIXEL_DATA',
    () => dicomFile({ elements: slice({ '00280008': text('IS', '1.5'), ...pixels(48) }) }),
  ],
  [
    'fewer rows than none',
    'PIXEL_DATA',
    () => dicomFile({ elements: slice({ '00280010': { vr: 'SS', value: Buffer.from(Int16Array.of(-4).buffer) } }) }),
  ],
  [
    'fewer columns than none',
    'PIXEL_DATA',
    () => dicomFile({ elements: slice({ '00280011': { vr: 'SS', value: Buffer.from(Int16Array.of(-4).buffer) } }) }),
  ],
  ['frames that are no number', 'PIXEL_DATA', () => dicomFile({ elements: slice({ '00280008': text('IS', '1.5') }) })],
  [
    'five samples per pixel',
    'PIXEL_DATA',
    () => dicomFile({ elements: slice({ '00280002': u16(5), ...pixels(5 * 32) }) }),
  ],
  ['no samples per pixel', 'PIXEL_DATA', () => dicomFile({ elements: slice({ '00280002': u16(0) }) })],
  ['eleven allocated bits', 'PIXEL_DATA', () => dicomFile({ elements: slice({ '00280100': u16(11) }) })],
  ['pixels one byte short', 'PIXEL_DATA', () => dicomFile({ elements: slice(pixels(30)) })],
  [
    'pixels longer than the file',
    'TRUNCATED',
    () => dicomFile({ dataset: Buffer.concat([datasetBytes(without('7FE00010')), raw('7FE00010', 'OW', 1_000_000)]) }),
  ],
  ['pixels of halved colours one pair short', 'PIXEL_DATA', () => dicomFile({ elements: colours('YBR_FULL_422', 30) })],
  ['more pictures than fragments', 'PIXEL_DATA', () => several(jpeg, 3, 2)],
  ['native pixels said to be JPEG', 'PIXEL_DATA', () => dicomFile({ transferSyntaxUID: jpeg })],
  [
    'fragments said to be native',
    'PIXEL_DATA',
    () => dicomFile({ dataset: Buffer.concat([datasetBytes(without('7FE00010')), encapsulated([Buffer.alloc(8)])]) }),
  ],
  ['no fragments', 'PIXEL_DATA', () => compressed(encapsulated([]))],
  [
    'a fragment longer than the file',
    'TRUNCATED',
    () => compressed(Buffer.concat([encapsulated([]).subarray(0, -8), item(1_000_000)])),
  ],
  ['fragments that never end', 'TRUNCATED', () => compressed(encapsulated([Buffer.alloc(8)]).subarray(0, -8))],
  [
    'an element between fragments',
    'PIXEL_DATA',
    () =>
      compressed(
        Buffer.concat([encapsulated([Buffer.alloc(8)]).subarray(0, -8), raw('00100010', 'PN', 0), sequenceEnd]),
      ),
  ],
  ['half an element behind the pixel data', 'TRUNCATED', () => inject(raw('FFFCFFFC', 'OB', 500))],
  ['half an element of the group of the pixel data behind them', 'TRUNCATED', () => inject(raw('7FE00020', 'OB', 500))],
  [
    'a tag and nothing more behind the pixel data',
    'TRUNCATED',
    () => Buffer.concat([dicomFile({ transferSyntaxUID: implicit }), Buffer.from([0xfc, 0xff, 0xfc, 0xff])]),
  ],
  [
    'the patient twice in an item of a sequence that no dictionary has',
    'DUPLICATE_ELEMENT',
    () =>
      dicomFile({
        transferSyntaxUID: implicit,
        dataset: Buffer.concat([unheardOf, datasetBytes(slice(), { isExplicit: false, isBigEndian: false })]),
      }),
  ],
]

describe('objects that lie are refused with a reason [P12]', () => {
  it.each(lies)('%s: %s [P12]', async (_what, reason, make) => {
    expect((await refusalOf(make()))?.reason).toBe(reason)
  })

  it('never repeats what the object says [P12, P23]', async () => {
    for (const [, , make] of lies) expect((await refusalOf(make()))?.message).not.toMatch(/Tilda|KLINGON|passwd/)
  })

  it('says it in the numbers of the standard, for programs [P12]', async () => {
    const numbers = {
      TRANSFER_SYNTAX: 0xc122,
      TOO_LARGE: 0xa700,
      UID: 0xa900,
      PIXEL_DATA: 0xa900,
      DICOMDIR: 0x0122,
      TRUNCATED: 0xc000,
      NOT_DICOM: 0xc000,
      UNREADABLE: 0xc000,
    } as const
    for (const [reason, number] of Object.entries(numbers))
      expect([reason, new DicomRefusal(reason as RefusalReason, 'No.').failureCode]).toEqual([reason, number])
  })

  it('refuses a small object cut at any byte [P12]', async () => {
    const whole = dicomFile()
    const taken: number[] = []
    for (let cut = 0; cut < whole.length; cut++) if (!(await refusalOf(whole.subarray(0, cut)))) taken.push(cut)
    // Between two elements above the description of the picture, what is left is a whole header without a picture.
    const heads = Object.entries(slice()).filter(([tag]) => tag <= '00280100' && tag >= '0020000E')
    expect(taken.length).toBe(heads.length - 1)
    for (const cut of taken) expect((await readInstanceBytes(whole.subarray(0, cut))).part10.pixelData).toBeUndefined()
  })
})

describe('real objects', () => {
  it('reads every sample there is [3.12, 3.13]', async () => {
    const paths = sampleObjects()
    expect(paths.length).toBeGreaterThanOrEqual(53)
    for (const path of paths)
      expect([basename(path), await refusalOf(readFileSync(path))]).toEqual([basename(path), undefined])
  })

  it('survives byte mutations: a refusal or an instance, nothing else, quickly [P12]', async () => {
    const seeds = sampleObjects()
      .map((path) => readFileSync(path))
      .filter((bytes) => bytes.length < 300_000)
    let state = 20_240_506
    // A generator with a seed, so that a failure can be repeated.
    const random = (below: number): number => (
      (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0),
      state % below
    )
    let slowest = 0
    for (let round = 0; round < 600; round++) {
      const bytes = Buffer.from(seeds[random(seeds.length)] ?? Buffer.alloc(0))
      for (let change = 0; change <= random(8); change++)
        bytes[128 + random(Math.min(bytes.length - 128, 6_000))] = [0, 0xff, random(256)][random(3)] ?? 0
      const began = process.cpuUsage()
      await refusalOf(random(5) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes)
      const { user, system } = process.cpuUsage(began)
      slowest = Math.max(slowest, (user + system) / 1000)
    }
    expect(slowest).toBeLessThan(2_000)
  })

  it('reads odd but harmless writers: zero padding, other bytes behind the pixels, wrong group length, elements out of order, another instance in the meta information [P12]', async () => {
    const disordered = Buffer.concat([elementBytes('00100040', text('CS', 'F'), explicitLittle), datasetBytes(slice())])
    for (const bytes of [
      Buffer.concat([dicomFile(), Buffer.alloc(64)]),
      report(),
      Buffer.concat([report(), Buffer.alloc(2 ** 16)]),
      Buffer.concat([dicomFile(), Buffer.from('left behind by the scanner')]),
      dicomFile({ dataset: disordered }),
      preamble('II*\0'),
      dicomFile({ sopInstanceUID: '9.9.9' }),
    ]) {
      expect(await refusalOf(bytes)).toBeUndefined()
    }
  })
})

describe('objects that are as they may be', () => {
  const like = [0xfe, 0xff, 0x00, 0xe0, 0xff, 0xff, 0xff, 0x7f]
  it.each<[what: string, make: () => Buffer]>([
    ['sequences nested as deep as allowed', () => front(nested(dicomLimits.depth, false))],
    ['a UID of 64 characters', () => dicomFile({ elements: slice({ '0020000D': text('UI', `1.${'2'.repeat(62)}`) }) })],
    ['an instance in the meta information whose UID has four characters', () => dicomFile({ sopInstanceUID: '1.23' })],
    ['an empty last element', () => Buffer.concat([report(), raw('00324000', 'LT', 0)])],
    ['an empty last element with a long head', () => Buffer.concat([report(), raw('00324000', 'UT', 0)])],
    [
      'capital letters left behind the pixels by the scanner',
      () => Buffer.concat([dicomFile(), Buffer.from('LEFTOVERS OF THE SCANNER')]),
    ],
    ['four samples per pixel', () => dicomFile({ elements: slice({ '00280002': u16(4), ...pixels(4 * 32) }) })],
    ['halved colours', () => dicomFile({ elements: colours('YBR_FULL_422', 32) })],
    ['halved colours of video', () => dicomFile({ elements: colours('YBR_PARTIAL_422', 32) })],
    ['a video, whose pictures are all in one fragment', () => several('1.2.840.10008.1.2.4.102', 100, 1)],
    ['a value that begins like an item', () => front(raw('00080001', 'UT', 8, Buffer.from(like)))],
    [
      'a value that begins like an item, of a kind that the dictionary tells',
      () =>
        dicomFile({
          transferSyntaxUID: implicit,
          elements: slice({ '00282000': { vr: 'OB', value: Buffer.from(like) } }),
        }),
    ],
    [
      'a private value that begins like an item',
      () =>
        dicomFile({
          transferSyntaxUID: implicit,
          elements: slice({ '00091001': { vr: 'UN', value: Buffer.from(like) } }),
        }),
    ],
  ])('are taken: %s [3.12, P12]', async (_what, make) => {
    expect((await refusalOf(make()))?.message).toBeUndefined()
  })
})

describe('the ceilings of one object [P12]', () => {
  const walked = (...pieces: Buffer[]): string => {
    const bytes = Buffer.concat(pieces)
    try {
      new StructureWalk(bytes, 0, bytes.length, explicitLittle).toPixelData()
      return 'taken'
    } catch (cause) {
      return cause instanceof DicomRefusal ? cause.reason : String(cause)
    }
  }
  const reasonOf = (bytes: Buffer): Promise<string> => refusalOf(bytes).then((refusal) => refusal?.reason ?? 'taken')
  const filler = (tag: string, length: number) =>
    elementBytes(tag, { vr: 'OB', value: Buffer.alloc(length - 12) }, explicitLittle)
  const items = (count: number): Buffer => raw('00081140', 'SQ', 8 * count, Buffer.alloc(8 * count, item(0)))

  it('are so many elements and items, and not one more [P12]', () => {
    const { elements } = dicomLimits
    // The sequence is an element itself.
    expect([walked(items(elements - 1)), walked(items(elements))]).toEqual(['taken', 'TOO_LARGE'])
    const last = raw('00100010', 'PN', 0)
    expect([walked(items(elements - 2), last), walked(items(elements - 1), last)]).toEqual(['taken', 'TOO_LARGE'])
  })

  it('are so many bytes before the pixels, and behind them [P12]', async () => {
    const { headerBytes } = dicomLimits
    const head = report()
    expect([
      await reasonOf(Buffer.concat([head, filler('00291010', headerBytes - head.length)])),
      await reasonOf(Buffer.concat([head, filler('00291010', headerBytes - head.length + 2)])),
    ]).toEqual(['taken', 'TOO_LARGE'])
    expect([
      await reasonOf(inject(filler('FFFCFFFC', headerBytes))),
      await reasonOf(inject(filler('FFFCFFFC', headerBytes + 2))),
    ]).toEqual(['taken', 'TOO_LARGE'])
  })

  it('are so many fragments of the pixels [P12]', async () => {
    const of = (fragments: number) =>
      compressed(Buffer.concat([encapsulated([]).subarray(0, -8), Buffer.alloc(8 * fragments, item(0)), sequenceEnd]))
    // The offset table lies before them, as an item of its own.
    expect([await reasonOf(of(dicomLimits.fragments - 1)), await reasonOf(of(dicomLimits.fragments))]).toEqual([
      'taken',
      'TOO_LARGE',
    ])
  })

  it('are so many bytes of a deflated object, and what ends before its size is refused [P12]', async () => {
    const bytes = dicomFile({ transferSyntaxUID: '1.2.840.10008.1.2.1.99' })
    const sized = (size: number): ByteSource => ({
      size,
      read: async (offset, length) => bytes.subarray(offset, offset + length),
    })
    const reason = (size: number) =>
      readInstance(sized(size)).then(
        () => 'taken',
        (cause: unknown) => (cause instanceof DicomRefusal ? cause.reason : String(cause)),
      )
    expect([await reason(dicomLimits.inflatedBytes), await reason(dicomLimits.inflatedBytes + 1)]).toEqual([
      'taken',
      'TOO_LARGE',
    ])
  })
})
