import { findRanges, readFrameTable, readWholeFrame } from './frames.ts'
import { readInstanceBytes } from './instance.ts'
import { datasetBytes, dicomFile, encapsulated, slice, text, u16, type Elements } from './testing/dicomFile.ts'

const jpeg = '1.2.840.10008.1.2.4.50'
const without = (tag: string): Elements => Object.fromEntries(Object.entries(slice()).filter(([key]) => key !== tag))

describe('frames', () => {
  const readTable = async (bytes: Buffer) => {
    const { part10, header } = await readInstanceBytes(bytes)
    return { source: part10.source, table: await readFrameTable(part10, header) }
  }

  it.each([
    ['JPEG', jpeg, [0xff, 0xd8]],
    ['JPEG 2000', '1.2.840.10008.1.2.4.90', [0xff, 0x4f]],
  ])('of %s in several fragments are told apart by where a picture begins', async (_what, transferSyntaxUID, begin) => {
    // What only looks half like a beginning is none.
    const rests = [
      [0xff, 0x00],
      [0x00, 0xd8],
      [0x00, 0x4f],
      [0xff, 0xd9],
    ]
    const fragments = [begin, rests[0]!, rests[1]!, begin, rests[2]!, rests[3]!, begin].map((first) =>
      Buffer.from([...first, 0, 0]),
    )
    const dataset = Buffer.concat([
      datasetBytes({ ...without('7FE00010'), '00280008': text('IS', '3') }),
      encapsulated(fragments),
    ])
    const { table } = await readTable(dicomFile({ transferSyntaxUID, dataset }))
    expect([0, 1, 2, 3, 4].map((frame) => findRanges(table, frame)?.length)).toEqual([undefined, 3, 3, 1, undefined])
    // A single picture has them all, whatever they look like.
    const single = Buffer.concat([datasetBytes(without('7FE00010')), encapsulated(fragments)])
    expect(findRanges((await readTable(dicomFile({ transferSyntaxUID, dataset: single }))).table, 1)).toHaveLength(7)
    // Two are told apart as well as three.
    const two = Buffer.concat([
      datasetBytes({ ...without('7FE00010'), '00280008': text('IS', '2') }),
      encapsulated(fragments.slice(0, 6)),
    ])
    expect(findRanges((await readTable(dicomFile({ transferSyntaxUID, dataset: two }))).table, 2)).toHaveLength(3)
  })

  it.each([
    [16, 'OW', 32, [1, 0, 3, 2, 5, 4, 7, 6]],
    [32, 'OW', 64, [3, 2, 1, 0, 7, 6, 5, 4]],
    [8, 'OB', 16, [0, 1, 2, 3, 4, 5, 6, 7]],
  ])('of %d bits from a big-endian object in %s are given out little-endian', async (bits, vr, size, first) => {
    const value = Buffer.from(Array.from({ length: size }, (_, index) => index))
    const elements = slice(
      {
        '00280100': u16(bits, true),
        '00280101': u16(bits, true),
        '00280102': u16(bits - 1, true),
        '7FE00010': { vr, value },
      },
      true,
    )
    const { source, table } = await readTable(dicomFile({ transferSyntaxUID: '1.2.840.10008.1.2.2', elements }))
    expect([...((await readWholeFrame(source, table, 1, size)) ?? [])].slice(0, 8)).toEqual(first)
    expect(await readWholeFrame(source, table, 2, size)).toBeUndefined()
    expect(await readWholeFrame(source, table, 1, 16 * (bits / 8) - 1)).toBeUndefined()
  })
})
