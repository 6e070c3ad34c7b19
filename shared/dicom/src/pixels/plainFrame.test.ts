import { transferSyntax } from '../uids.ts'
import * as tag from '../tags.ts'
import { readPixelShape, toPlainFrame, toPlainHeader, type PixelShape } from './index.ts'

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
})

describe('a JPEG of three components', () => {
  const frameHeader = [0xff, 0xc0, 0, 17, 8, 0, 1, 0, 2, 3]
  const startOfScan = [0xff, 0xda, 0, 2]
  const jpeg = (ids: readonly number[], sampling = 0x11, marker: readonly number[] = []) => [
    0xff,
    0xd8,
    ...marker,
    ...frameHeader,
    ...ids.flatMap((id, index) => [id, index === 0 ? sampling : 0x11, 0]),
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
})

it('a header that leaves out the usual is filled in, and fits the plain frame', () => {
  const bare = { [tag.Rows]: { Value: [4] }, [tag.Columns]: { Value: [4] }, [tag.BitsAllocated]: { Value: [16] } }
  expect(readPixelShape(bare)).toEqual({ ...grey, rows: 4, columns: 4 })
  const colour = { ...bare, [tag.SamplesPerPixel]: { Value: [3] } }
  expect(readPixelShape(toPlainHeader(colour, rleLossless))).toEqual({ ...colours, rows: 4, columns: 4 })
})
