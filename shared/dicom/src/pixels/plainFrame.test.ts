import { transferSyntax } from '../uids.ts'
import * as tag from '../tags.ts'
import { readPixelShape, toPlainFrame, toPlainHeader, type PixelShape } from './index.ts'
import { writePixelShape } from './shape.ts'

const grey: PixelShape = {
  rows: 1,
  columns: 2,
  samples: 1,
  bitsAllocated: 16,
  bitsStored: 16,
  highBit: 15,
  isSigned: false,
  isPlanar: false,
  photometric: 'MONOCHROME2',
}
const bytes = { bitsAllocated: 8, bitsStored: 8, highBit: 7 }
const colours: PixelShape = { ...grey, ...bytes, samples: 3, photometric: 'RGB' }
const { explicitLittleEndian: native, jpegBaseline, rleLossless } = transferSyntax

const plain = (frame: readonly number[], shape: PixelShape, uid: string = native): number[] => [
  ...toPlainFrame(Uint8Array.from(frame), shape, uid).bytes,
]
/** Run lengths of segments that hold their bytes as they are. */
function runLengths(...segments: readonly number[][]): number[] {
  const parts = segments.map((segment) => [segment.length - 1, ...segment])
  const starts = parts.map((_, index) => 64 + parts.slice(0, index).flat().length)
  const header = new Uint8Array(
    new Uint32Array([segments.length, ...starts, ...Array(15 - starts.length).fill(0)]).buffer,
  )
  return [...header, ...parts.flat()]
}

describe('run lengths', () => {
  it('of colours are one plane after the other, whatever the header says of planes', () => {
    for (const isPlanar of [false, true])
      expect(plain(runLengths([1, 4], [2, 5], [3, 6]), { ...colours, isPlanar }, rleLossless)).toEqual([
        1, 2, 3, 4, 5, 6,
      ])
  })

  it('of words have the larger byte first; of colours the larger byte is the shade', () => {
    expect(plain(runLengths([1, 3], [2, 4]), grey, rleLossless)).toEqual([2, 1, 4, 3])
    const words = { ...colours, bitsAllocated: 16, bitsStored: 16, highBit: 15 }
    const frame = runLengths([1, 4], [9, 9], [2, 5], [9, 9], [3, 6], [9, 9])
    expect(plain(frame, words, rleLossless)).toEqual([1, 2, 3, 4, 5, 6])
  })

  it('of single bits are black and white pixels', () => {
    const bits = { ...grey, columns: 10, bitsAllocated: 1, bitsStored: 1, highBit: 0 }
    expect(plain(runLengths([0b101, 0b10]), bits, rleLossless)).toEqual([255, 0, 255, 0, 0, 0, 0, 0, 0, 255])
  })

  it('repeat a byte, pass a filler over, and never write beyond the frame', () => {
    const long = { ...grey, ...bytes, columns: 4 }
    const frame = [...runLengths([]).slice(0, 64), 128, 254, 7, 3, 1, 2, 3, 4]
    frame.splice(0, 8, 1, 0, 0, 0, 64, 0, 0, 0)
    expect(plain(frame, long, rleLossless)).toEqual([7, 7, 7, 1])
  })

  it('that lie about their segments are refused', () => {
    expect(() => plain(runLengths([1], [2]), colours, rleLossless)).toThrow('segments')
    expect(() => plain([1, 2, 3], colours, rleLossless)).toThrow('header')
    expect(() => plain(Array<number>(64).fill(0), colours, rleLossless)).toThrow('another number of segments')
    const many = (count: number) => [count, ...Array<number>(63).fill(0)]
    expect(() => plain(many(16), colours, rleLossless)).toThrow('too many segments')
    expect(() => plain(many(15), colours, rleLossless)).toThrow('another number of segments')
  })
})

describe('native pixels', () => {
  it('of planes, pairs and luminance become RGB', () => {
    expect(plain([1, 4, 2, 5, 3, 6], { ...colours, isPlanar: true })).toEqual([1, 2, 3, 4, 5, 6])
    const red = [254, 0, 0]
    expect(plain([76, 85, 255, 76, 85, 255], { ...colours, photometric: 'YBR_FULL' })).toEqual([...red, ...red])
    expect(plain([76, 76, 85, 255], { ...colours, photometric: 'YBR_FULL_422' })).toEqual([...red, ...red])
    expect(plain([16, 235, 128, 128], { ...colours, photometric: 'YBR_PARTIAL_422' })).toEqual([0, 0, 0, 255, 255, 255])
  })

  it('lose what lies beside their stored bits, and keep their sign', () => {
    const stored = { ...grey, bitsStored: 12, highBit: 11 }
    expect(plain([0xff, 0xf7, 0x01, 0x10], stored)).toEqual([0xff, 0x07, 0x01, 0x00])
    expect(plain([0xff, 0x0f, 0xff, 0x07], { ...stored, isSigned: true })).toEqual([0xff, 0xff, 0xff, 0x07])
    expect(plain([0xff, 0x01], { ...grey, ...bytes, isSigned: true })).toEqual([0xff, 0xff, 1, 0])
  })

  it('of other depths become bytes of colour: the highest of more bits, all of the range of fewer', () => {
    const words = { ...colours, bitsAllocated: 16, bitsStored: 12, highBit: 11 }
    expect(plain([0xff, 0x0f, 0x00, 0x08, 0x0f, 0x00], { ...words, columns: 1 })).toEqual([255, 128, 0])
    const shades = { ...colours, bitsStored: 5, highBit: 4, columns: 1 }
    expect(plain([31, 0, 16], shades)).toEqual([255, 0, 132])
    expect(plain([31, 0], shades)).toEqual([255, 0, 0])
    const long = { ...colours, bitsAllocated: 32, bitsStored: 8, highBit: 7, columns: 1 }
    expect(plain([7, 0, 0, 0, 8, 0, 0, 0, 9, 0, 0, 0], long)).toEqual([7, 8, 9])
  })

  it('of pairs are in pairs whatever the header says of planes, an odd last one too', () => {
    const shape = { ...colours, columns: 3, photometric: 'YBR_FULL_422', isPlanar: true }
    expect(plain([10, 20, 128, 128, 30, 40, 128, 128], shape)).toEqual([10, 10, 10, 20, 20, 20, 30, 30, 30])
  })

  it('move down to the lowest bit where they lie higher, in bytes, words and double words', () => {
    expect(plain([0x50, 0xaf], { ...grey, ...bytes, bitsStored: 4, highBit: 7 })).toEqual([5, 10])
    expect(plain([0x10, 0x00, 0xf0, 0xff], { ...grey, bitsStored: 12, highBit: 15 })).toEqual([1, 0, 0xff, 0x0f])
    const long = { ...grey, columns: 1, bitsAllocated: 32, bitsStored: 24, highBit: 23 }
    expect(plain([1, 2, 3, 0xff], long)).toEqual([1, 2, 3, 0])
    expect(plain([1, 2, 0x83, 0], { ...long, isSigned: true })).toEqual([1, 2, 0x83, 0xff])
  })

  it('of depths that nobody knows stay as they are', () => {
    expect(plain([1, 2, 3, 4], { ...grey, bitsAllocated: 24, bitsStored: 20, highBit: 19 })).toEqual([1, 2, 3, 4])
  })
})

describe('a JPEG of three components', () => {
  const frameHeader = [0xff, 0xc0, 0, 17, 8, 0, 1, 0, 2, 3]
  const startOfScan = [0xff, 0xda, 0, 2]
  const jpeg = (
    ids: readonly number[],
    sampling: number | readonly number[] = 0x11,
    marker: readonly number[] = [],
  ) => [
    0xff,
    0xd8,
    ...marker,
    ...frameHeader,
    ...ids.flatMap((id, index) => [id, [sampling].flat()[index] ?? 0x11, 0]),
    ...startOfScan,
  ]
  const said = [0xff, 0xee, 0, 14, 0x41, 0x64, 0x6f, 0x62, 0x65]
  const isChanged = (frame: number[], photometric = 'RGB') =>
    plain(frame, { ...colours, photometric }, jpegBaseline).length > frame.length

  it('that leaves its colours to the header says them itself', () => {
    const frame = jpeg([0, 1, 2])
    const stated = plain(frame, colours, jpegBaseline)
    expect(stated.slice(0, 2 + said.length)).toEqual([0xff, 0xd8, ...said])
    expect(stated.slice(18)).toEqual(frame.slice(2))
  })

  it('stays as it is where it says itself what it holds, or the header says no colours', () => {
    expect(isChanged(jpeg([0, 1, 2]), 'YBR_FULL_422')).toBe(false)
    expect(isChanged(jpeg([1, 2, 3]))).toBe(false)
    expect(isChanged(jpeg([0, 1, 2], 0x22))).toBe(false)
    expect(isChanged(jpeg([0, 1, 2], 0x11, [0xff, 0xee, 0, 4, 0, 0]))).toBe(false)
    expect(isChanged(jpeg([0, 1, 2], 0x11, [0xff, 0xe0, 0, 4, 0, 0]))).toBe(false)
  })

  it.each<[string, number[], boolean]>([
    ['with tables before its header', jpeg([0, 1, 2], 0x11, [0xff, 0xdb, 0, 4, 0, 0, 0xff, 0xc4, 0, 3, 0]), true],
    ['with a segment of a low number', jpeg([0, 1, 2], 0x11, [0xff, 0x02, 0, 4, 0, 0]), true],
    ['with the numbers of JFIF but for the second', jpeg([1, 0, 3]), true],
    ['with the numbers of JFIF but for the third', jpeg([1, 2, 0]), true],
    ['whose third component is coarser', jpeg([0, 1, 2], [0x11, 0x11, 0x22]), false],
    ['whose first component is finer', jpeg([0, 1, 2], [0x22, 0x11, 0x11]), false],
    ['of one component', [0xff, 0xd8, 0xff, 0xc0, 0, 11, 8, 0, 1, 0, 2, 1, 0, 0x11, 0], false],
    ['of four components', [...jpeg([0, 1, 2]).slice(0, 5), 20, 8, 0, 1, 0, 2, 4, ...Array<number>(12).fill(0)], false],
    ['whose header was cut off', jpeg([0, 1, 2]).slice(0, 20), false],
    ['that begins to draw before its header', [0xff, 0xd8, 0xff, 0xda, 0, 2, ...jpeg([0, 1, 2]).slice(2)], false],
    ['with a segment that has no length', jpeg([0, 1, 2], 0x11, [0xff, 0xdb, 0, 1]), false],
    ['with bytes between its segments', jpeg([0, 1, 2], 0x11, [0, 0xdb, 0, 4, 0, 0]), false],
    ['that ends at once', [0xff, 0xd8], false],
  ])('%s is left as it is, or says its colours: %p', (_what, frame, says) => {
    expect(isChanged(frame)).toBe(says)
  })
})

it('a header that leaves out the usual is filled in, and fits the plain frame', () => {
  const bare = { [tag.Rows]: { Value: [4] }, [tag.Columns]: { Value: [4] }, [tag.BitsAllocated]: { Value: [16] } }
  expect(readPixelShape(bare)).toEqual({ ...grey, rows: 4, columns: 4 })
  const colour = { ...bare, [tag.SamplesPerPixel]: { Value: [3] } }
  expect(readPixelShape(toPlainHeader(colour, rleLossless))).toEqual({ ...colours, rows: 4, columns: 4 })
})

const tagOf: ReadonlyMap<string, string> = new Map(Object.entries(tag))
it.each([
  [
    'numbers as text',
    { BitsAllocated: '16', BitsStored: ' 12 ', HighBit: '11' },
    { bitsAllocated: 16, bitsStored: 12, highBit: 11 },
  ],
  ['more stored bits than there are', { BitsAllocated: 8, BitsStored: 12, HighBit: 11 }, { bitsStored: 8, highBit: 7 }],
  ['no stored bits', { BitsAllocated: 16, BitsStored: 0 }, { bitsStored: 16, highBit: 15 }],
  ['one stored bit', { BitsAllocated: 8, BitsStored: 1, HighBit: 0 }, { bitsStored: 1, highBit: 0 }],
  ['a high bit below the stored ones', { BitsAllocated: 16, BitsStored: 12, HighBit: 10 }, { highBit: 11 }],
  ['a high bit above all', { BitsAllocated: 16, BitsStored: 12, HighBit: 16 }, { highBit: 11 }],
  ['a high bit at the top', { BitsAllocated: 16, BitsStored: 12, HighBit: 15 }, { highBit: 15 }],
  ['values with a sign', { BitsAllocated: 16, PixelRepresentation: 1 }, { isSigned: true }],
  ['colours in planes', { BitsAllocated: 8, SamplesPerPixel: 3, PlanarConfiguration: 1 }, { isPlanar: true }],
  ['colours in blanks', { SamplesPerPixel: 3, PhotometricInterpretation: ' ybr_full ' }, { photometric: 'YBR_FULL' }],
  [
    'numbers that are none',
    { BitsAllocated: 'x', SamplesPerPixel: '', Rows: Number.NaN },
    { bitsAllocated: 0, samples: 1, rows: 0 },
  ],
] as const)('a header that says %s is read so, and written the same', (_what, said, read) => {
  const header = Object.fromEntries(
    Object.entries(said).map(([name, value]) => [tagOf.get(name) ?? name, { Value: [value] }]),
  )
  const shape = readPixelShape(header)
  expect(shape).toMatchObject(read)
  expect(readPixelShape(writePixelShape(shape))).toEqual(shape)
})

it.each([
  ['native words', grey, native, {}],
  ['native signed bytes', { ...grey, ...bytes, isSigned: true }, native, { bitsAllocated: 16, isSigned: true }],
  [
    'signed bytes, which the server decodes',
    { ...grey, ...bytes, isSigned: true },
    jpegBaseline,
    { bitsAllocated: 16 },
  ],
  ['single bits', { ...grey, bitsAllocated: 1, bitsStored: 1, highBit: 0 }, native, bytes],
  ['bits that lie higher', { ...grey, bitsStored: 12 }, native, { highBit: 11 }],
  [
    'colours in planes',
    { ...colours, isPlanar: true, photometric: 'YBR_FULL' },
    native,
    { isPlanar: false, photometric: 'RGB' },
  ],
  [
    'compressed colours',
    { ...colours, isPlanar: true, photometric: 'YBR_FULL' },
    jpegBaseline,
    { isPlanar: true, photometric: 'YBR_FULL' },
  ],
  ['compressed colours with a sign', { ...colours, isSigned: true }, jpegBaseline, {}],
])('the header of %s fits what becomes of its frames', (_what, shape, uid, plainShape) => {
  expect(readPixelShape(toPlainHeader(writePixelShape(shape), uid))).toEqual({ ...shape, ...plainShape })
})
