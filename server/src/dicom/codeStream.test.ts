import { readStreamShape } from './codeStream.ts'

const u16 = (...numbers: readonly number[]): number[] => numbers.flatMap((value) => [value >> 8, value & 0xff])
const u32 = (...numbers: readonly number[]): number[] => numbers.flatMap((value) => u16(value >>> 16, value & 0xffff))
/** A frame header of JPEG or JPEG-LS: precision, rows, columns, samples. */
const frameHeader = (code: number, rows: number, columns: number): number[] => [
  ...u16(code, 11),
  8,
  ...u16(rows, columns),
  1,
  1,
  0x11,
  0,
]
const comment = [...u16(0xfffe, 4), 0x20, 0x20]
const jpeg = (...segments: readonly number[][]): Buffer => Buffer.from([...u16(0xffd8), ...segments.flat()])
const codeStream = (columns: number, rows: number, tile = columns): number[] => [
  ...u16(0xff4f, 0xff51, 41, 0),
  ...u32(columns, rows, 0, 0, tile, tile, 0, 0),
  ...u16(1),
  0x8b,
  1,
  1,
]
const box = (type: string, content: readonly number[]): number[] => [
  ...u32(content.length + 8),
  ...Buffer.from(type, 'latin1'),
  ...content,
]

describe('the size that a compressed frame states', () => {
  it.each([
    ['baseline', 0xffc0],
    ['extended', 0xffc1],
    ['lossless', 0xffc3],
  ])('is that of the first frame header, %s, behind whatever else stands before it', (_process, code) => {
    const bytes = jpeg(comment, [0xff, 0xff], frameHeader(code, 24_000, 16_000), [...u16(0xffda)])
    expect(readStreamShape(bytes, 'image/jpeg')).toEqual({ rows: 24_000, columns: 16_000, samples: 1, bits: 8 })
  })

  it('is that of the header of JPEG-LS, and a JPEG in its place states none', () => {
    const stated = { rows: 3, columns: 5, samples: 1, bits: 8 }
    expect(readStreamShape(jpeg(comment, frameHeader(0xfff7, 3, 5)), 'image/jls')).toEqual(stated)
    expect(readStreamShape(jpeg(frameHeader(0xffc0, 3, 5), [0, 0]), 'image/jls')).toBeUndefined()
    expect(readStreamShape(jpeg(frameHeader(0xfff7, 3, 5), [0, 0]), 'image/jpeg')).toBeUndefined()
  })

  it('is that of the code stream of JPEG 2000, also inside of a file of boxes', () => {
    const stated = { rows: 300, columns: 500, samples: 1, bits: 12 }
    expect(readStreamShape(Buffer.from(codeStream(500, 300)), 'image/jp2')).toEqual(stated)
    const signature = box('jP  ', u32(0x0d0a_870a))
    const file = Buffer.from([...signature, ...box('jp2h', [0, 0]), ...box('jp2c', codeStream(500, 300))])
    expect(readStreamShape(file, 'image/jp2')).toEqual(stated)
    const palette = Buffer.from([
      ...signature,
      ...box('jp2h', [...Buffer.from('pclr')]),
      ...box('jp2c', codeStream(500, 300)),
    ])
    expect(readStreamShape(palette, 'image/jp2')).toBeUndefined()
  })

  it.each([
    ['nothing', Buffer.alloc(0), 'image/jpeg'],
    ['a start and nothing more', jpeg(), 'image/jpeg'],
    ['tables that are not closed', jpeg([...u16(0xffc4, 60_000)]), 'image/jpeg'],
    ['pixels before a frame header', jpeg([...u16(0xffda, 8)], frameHeader(0xffc0, 9, 9)), 'image/jpeg'],
    ['a thousand comments', jpeg(...Array.from({ length: 1000 }, () => comment)), 'image/jpeg'],
    ['more tiles than a decoder should keep', Buffer.from(codeStream(60_000, 60_000, 16)), 'image/jp2'],
    ['tiles of no size', Buffer.from(codeStream(60, 60, 0)), 'image/jp2'],
    ['half a code stream', Buffer.from(codeStream(60, 60)).subarray(0, 30), 'image/jp2'],
    ['a format that has no reader', jpeg(frameHeader(0xffc0, 9, 9)), 'image/webp'],
  ])('is not found in %s', (_what, bytes, mediaType) => {
    expect(readStreamShape(bytes, mediaType)).toBeUndefined()
  })
})
