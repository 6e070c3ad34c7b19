import { readFrameTable, readWholeFrame } from './frames.ts'
import { readInstance } from './instance.ts'
import { createBufferSource } from './byteSource.ts'
import { readPictureFrame } from './pictureFrame.ts'
import { datasetBytes, dicomFile, encapsulated, slice, text, u16, type Elements } from './testing/dicomFile.ts'

const rows = 2100
const columns = 2200
const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at += 1) bytes[at] = (at * 2_654_435_761) >>> 24
  return bytes
}
const shape = (isBigEndian = false): Elements => ({
  '00280010': u16(rows, isBigEndian),
  '00280011': u16(columns, isBigEndian),
})
const colours = (planar: number): Elements => ({
  ...shape(),
  '00280002': u16(3),
  '00280004': text('CS', 'RGB'),
  '00280006': u16(planar),
  '00280100': u16(8),
  '00280101': u16(8),
  '00280102': u16(7),
  '7FE00010': { vr: 'OB', value: noise(rows * columns * 3) },
})
const grey = (isBigEndian: boolean): Elements => ({
  ...slice({}, isBigEndian),
  ...shape(isBigEndian),
  '7FE00010': { vr: 'OW', value: noise(rows * columns * 2) },
})

/** The pixels of each second row and column of a whole frame. */
function pick(whole: Buffer, pixelBytes: number, planes: number): Buffer {
  const pixels: Buffer[] = []
  for (let plane = 0; plane < planes; plane += 1)
    for (let row = 0; row < rows; row += 2)
      for (let column = 0; column < columns; column += 2) {
        const at = ((plane * rows + row) * columns + column) * pixelBytes
        pixels.push(whole.subarray(at, at + pixelBytes))
      }
  return Buffer.concat(pixels)
}

it.each([
  ['colours pixel by pixel', dicomFile({ elements: slice(colours(0)) }), 3, 1],
  ['colours plane by plane', dicomFile({ elements: slice(colours(1)) }), 1, 3],
  ['grey of two bytes', dicomFile({ elements: grey(false) }), 2, 1],
  [
    'grey of two bytes, the larger first',
    dicomFile({ elements: grey(true), transferSyntaxUID: '1.2.840.10008.1.2.2' }),
    2,
    1,
  ],
])('a large frame of %s is thinned to each second row and column [P18]', async (_, bytes, pixelBytes, planes) => {
  const { part10, header } = await readInstance(createBufferSource(bytes))
  const table = await readFrameTable(part10, header)
  const whole = await readWholeFrame(part10.source, table, 1, Infinity)
  const size = { width: 160, height: 160 }
  const thinned = await readPictureFrame(part10.source, table, header, size)
  expect([thinned.rows, thinned.columns]).toEqual([rows / 2, columns / 2])
  expect(thinned.bytes.equals(pick(whole ?? Buffer.alloc(0), pixelBytes, planes))).toBe(true)
  // Never below the size that is asked for.
  expect((await readPictureFrame(part10.source, table, header, { width: 2048, height: 2048 })).rows).toBe(rows)
})

describe('run lengths', () => {
  const side = 64
  /** Whole runs of one byte, `count` samples in all. */
  const runs = (count: number): number[] => Array.from({ length: count / 128 }, () => [129, 7]).flat()
  const frame = (segments: readonly number[][]): Buffer => {
    const header = Buffer.alloc(64)
    header.writeUInt32LE(segments.length, 0)
    let at = header.length
    segments.forEach((segment, index) => {
      header.writeUInt32LE(at, 4 + 4 * index)
      at += segment.length
    })
    return Buffer.concat([header, Buffer.from(segments.flat())])
  }
  const draw = async (bytes: Buffer) => {
    const { '7FE00010': _pixels, ...elements } = slice({ '00280010': u16(side), '00280011': u16(side) })
    const dataset = Buffer.concat([datasetBytes(elements), encapsulated([bytes])])
    const file = dicomFile({ dataset, transferSyntaxUID: '1.2.840.10008.1.2.5' })
    const { part10, header } = await readInstance(createBufferSource(file))
    const table = await readFrameTable(part10, header)
    return readPictureFrame(part10.source, table, header, { width: 160, height: 160 })
  }
  const whole = runs(side * side)

  it('are drawn where each byte of a pixel has a segment that reaches over all pixels', async () => {
    expect((await draw(frame([whole, whole]))).rows).toBe(side)
  })

  it.each([
    ['fewer segments than a pixel has bytes', frame([whole])],
    ['a segment too short for the pixels', frame([whole, runs(128)])],
    ['a segment beyond the end', frame([whole, whole]).fill(0xff, 8, 12)],
    ['no header', Buffer.of(1, 2)],
  ])('are refused with %s [P12, P18]', async (_what, bytes) => {
    await expect(draw(bytes)).rejects.toThrow('another size than the header')
  })
})
