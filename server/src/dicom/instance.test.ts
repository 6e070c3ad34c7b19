import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { elementBytes } from '@dmp/dimse/elementWriter'
import { readInstanceBytes } from './instance.ts'
import { dicomLimits } from './limits.ts'
import { DicomRefusal, type RefusalReason } from './refusal.ts'
import { datasetBytes, dicomFile, encapsulated, explicitLittle, slice, text, u16 } from './testing/dicomFile.ts'
import { sampleObjects } from './sampleObjects.ts'
import {
  findRefusal,
  without,
  preamble,
  inject,
  raw,
  front,
  item,
  sequenceEnd,
  nested,
  jpeg,
  compressed,
  pixels,
  implicit,
  colours,
  several,
  unknownSequence,
  report,
  itRefuses,
  type Lie,
} from './instanceInTests.ts'

const lies: readonly Lie[] = [
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
        dataset: Buffer.concat([unknownSequence, datasetBytes(slice(), { isExplicit: false, isBigEndian: false })]),
      }),
  ],
]

describe('objects that lie are refused with a reason [P12]', () => {
  itRefuses(lies)

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
    const acceptedCuts: number[] = []
    for (let cut = 0; cut < whole.length; cut++)
      if (!(await findRefusal(whole.subarray(0, cut)))) acceptedCuts.push(cut)
    // Between two elements above the description of the picture, what is left is a whole header without a picture.
    const heads = Object.entries(slice()).filter(([tag]) => tag <= '00280100' && tag >= '0020000E')
    expect(acceptedCuts.length).toBe(heads.length - 1)
    for (const cut of acceptedCuts)
      expect((await readInstanceBytes(whole.subarray(0, cut))).part10.pixelData).toBeUndefined()
  })
})

describe('real objects', () => {
  it('reads every sample there is [3.12, 3.13]', async () => {
    const paths = sampleObjects()
    expect(paths.length).toBeGreaterThanOrEqual(53)
    for (const path of paths)
      expect([basename(path), await findRefusal(readFileSync(path))]).toEqual([basename(path), undefined])
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
      await findRefusal(random(5) === 0 ? bytes.subarray(0, random(bytes.length)) : bytes)
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
      expect(await findRefusal(bytes)).toBeUndefined()
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
    expect((await findRefusal(make()))?.message).toBeUndefined()
  })
})
