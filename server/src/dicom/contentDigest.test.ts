import { tag } from '@dmp/dicom'
import { createBufferSource } from './byteSource.ts'
import { digestContent } from './contentDigest.ts'
import { dicomFile, encapsulated, datasetBytes, slice, text, u16, type Elements } from './testing/dicomFile.ts'

const implicit = '1.2.840.10008.1.2'
const bigEndian = '1.2.840.10008.1.2.2'
const pixels = Buffer.from(Array.from({ length: 32 }, (_, index) => index))
const sequence = '00081140'

const content = (changes: Elements = {}, isBigEndian = false): Elements =>
  slice(
    {
      [tag.PixelData]: { vr: 'OW', value: isBigEndian ? Buffer.from(pixels).swap16() : pixels },
      [sequence]: [
        { '00081155': text('UI', '1.2.3'), '00081150': text('UI', '1.2.4') },
        { '00081155': text('UI', '1.2.5'), '00081160': text('IS', '7') },
      ],
      ...changes,
    },
    isBigEndian,
  )

const digests = async (file: Buffer) => [
  await digestContent(createBufferSource(file), 'header'),
  await digestContent(createBufferSource(file), 'pixels'),
]

/** The same with the sequence in undefined length, as many programs write it. */
function withUndefinedLength(file: Buffer): Buffer {
  const header = Buffer.from([0x08, 0x00, 0x40, 0x11, 0x53, 0x51, 0, 0])
  const at = file.indexOf(header)
  const length = file.readUInt32LE(at + 8)
  const start = Buffer.from(file.subarray(0, at + 12))
  start.writeUInt32LE(0xffffffff, at + 8)
  const end = Buffer.from([0xfe, 0xff, 0xdd, 0xe0, 0, 0, 0, 0])
  return Buffer.concat([start, file.subarray(at + 12, at + 12 + length), end, file.subarray(at + 12 + length)])
}

const original = () => dicomFile({ elements: content() })

describe('the digest of what an object says', () => {
  it.each([
    ['VRs are not stated', () => dicomFile({ elements: content(), transferSyntaxUID: implicit })],
    ['bytes have the other order', () => dicomFile({ elements: content({}, true), transferSyntaxUID: bigEndian })],
    [
      'groups say their length',
      () => dicomFile({ elements: content({ '00080000': { vr: 'UL', value: Buffer.alloc(4, 9) } }) }),
    ],
    ['padding trails', () => dicomFile({ elements: content({ FFFCFFFC: { vr: 'OB', value: Buffer.alloc(512) } }) })],
    ['a sequence has no length', () => withUndefinedLength(original())],
    ['the preamble is another', () => Buffer.from(original()).fill(7, 0, 128)],
  ])('stays where %s', async (_what, file) => {
    expect(await digests(file())).toEqual(await digests(original()))
  })

  it.each([
    ['a value is another', content({ [tag.PatientID]: text('LO', 'T-2') }), [false, true]],
    ['a value is missing', content({ [tag.PatientID]: { vr: 'LO', value: Buffer.alloc(0) } }), [false, true]],
    ['a value stands elsewhere', content({ [tag.Rows]: u16(2), [tag.Columns]: u16(8) }), [false, true]],
    [
      'an item lost an element',
      content({ [sequence]: [{ '00081155': text('UI', '1.2.3') }, { '00081155': text('UI', '1.2.5') }] }),
      [false, true],
    ],
    [
      'items stand the other way round',
      content({ [sequence]: (content()[sequence] as Elements[]).toReversed() }),
      [false, true],
    ],
    [
      'a pixel is another',
      content({ [tag.PixelData]: { vr: 'OW', value: Buffer.from(pixels).fill(9, 31) } }),
      [true, false],
    ],
    ['something real follows the pixels', content({ FFFAFFFA: { vr: 'OB', value: Buffer.alloc(8) } }), [true, false]],
  ])('is another where %s', async (_what, elements, [header, body]) => {
    const [one, other] = [await digests(dicomFile({ elements })), await digests(original())]
    expect([one[0] === other[0], one[1] === other[1]]).toEqual([header, body])
  })

  it('of compressed pixels goes by their bytes, however they are cut, and by how they are compressed', async () => {
    const { [tag.PixelData]: _pixels, ...rest } = content()
    const compressed = (fragments: Buffer[], transferSyntaxUID: string) =>
      digests(
        dicomFile({
          elements: rest,
          dataset: Buffer.concat([datasetBytes(rest), encapsulated(fragments)]),
          transferSyntaxUID,
        }),
      )
    const whole = await compressed([Buffer.alloc(64, 5)], '1.2.840.10008.1.2.4.90')
    expect(await compressed([Buffer.alloc(32, 5), Buffer.alloc(32, 5)], '1.2.840.10008.1.2.4.90')).toEqual(whole)
    expect((await compressed([Buffer.alloc(64, 6)], '1.2.840.10008.1.2.4.90'))[1]).not.toBe(whole[1])
    expect((await compressed([Buffer.alloc(64, 5)], '1.2.840.10008.1.2.4.80'))[1]).not.toBe(whole[1])
  })

  it('is none of deflated objects', async () => {
    const file = dicomFile({ elements: content(), transferSyntaxUID: '1.2.840.10008.1.2.1.99' })
    expect(await digests(file)).toEqual([undefined, undefined])
  })
})
