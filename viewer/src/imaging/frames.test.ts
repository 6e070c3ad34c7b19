import { transferSyntax } from '@dmp/dicom'
import type { PixelShape } from '@dmp/dicom/pixels'

type Answer = { promise: Promise<unknown> }
/** How Cornerstone asks for a picture, what the server answers, and what is decoded of it. */
const told = {
  ask: undefined as ((imageId: string, options: object) => Answer) | undefined,
  answer: { pixelData: new Uint8Array(), contentType: '' },
  asked: [] as unknown[][],
  decoded: [] as unknown[][],
}
jest.doMock('@cornerstonejs/core', () => ({
  imageLoader: { registerImageLoader: (_scheme: string, ask: NonNullable<typeof told.ask>) => void (told.ask = ask) },
}))
jest.doMock('@cornerstonejs/dicom-image-loader', () => ({
  getPixelData: async (...given: unknown[]) => {
    told.asked.push(given)
    return told.answer
  },
  createImage: async (...given: unknown[]) => void told.decoded.push(given),
}))

const shape = (more: Partial<PixelShape> = {}): PixelShape => ({
  rows: 1,
  columns: 2,
  samples: 1,
  bitsAllocated: 16,
  bitsStored: 12,
  highBit: 11,
  isSigned: false,
  isPlanar: false,
  photometric: 'MONOCHROME2',
  ...more,
})
/** What is decoded of the bytes that the server sends. */
async function decoded(of: PixelShape, contentType: string, bytes: number[]) {
  const { addFrames, registerFrameLoader } = await import('./frames.ts')
  registerFrameLoader()
  const imageId = 'wadors:/dicom-web/studies/1/frames/1'
  addFrames([{ imageId, header: {}, shape: of, frame: 1 }])
  told.answer = { pixelData: Uint8Array.from(bytes), contentType }
  await told.ask!(imageId, { priority: -5 }).promise
  const [, plain, syntax] = told.decoded.at(-1)!
  return { bytes: [...(plain as Uint8Array)], syntax, as: told.asked.at(-1) }
}

const asIs = 'multipart/related; type=application/octet-stream; transfer-syntax=*'
// A picture of two values of 12 bits, with something else in the other bits.
const stored = [0x34, 0xf2, 0xff, 0xff]
const plain = [0x34, 0x02, 0xff, 0x0f]

it.each([
  ['in quotation marks', 'image/jls; transfer-syntax="1.2.840.10008.1.2.4.80"', stored],
  ['as it is', `application/octet-stream; transfer-syntax=${transferSyntax.implicitLittleEndian}`, plain],
  ['not at all', 'application/octet-stream', plain],
  ['of a compression that the decoders know', 'image/jls; transfer-syntax=1.2.840.10008.1.2.4.80', stored],
])('a frame whose encoding is written %s is made plain as that says [7.42]', async (_how, contentType, bytes) => {
  const found = await decoded(shape(), contentType, stored)
  expect(found.bytes).toEqual(bytes)
  expect(found.syntax).toBe(bytes === stored ? '1.2.840.10008.1.2.4.80' : transferSyntax.explicitLittleEndian)
  expect(found.as?.slice(0, 3)).toEqual(['/dicom-web/studies/1/frames/1', 'wadors:/dicom-web/studies/1/frames/1', asIs])
})

it('signed bytes are asked for as samples, which the server decodes, and become words [7.42]', async () => {
  const signed = shape({ bitsAllocated: 8, bitsStored: 8, highBit: 7, isSigned: true })
  const { bytes, as } = await decoded(signed, 'application/octet-stream', [0xff, 0x01])
  expect(bytes).toEqual([0xff, 0xff, 0x01, 0x00])
  expect(as?.[2]).toBe('multipart/related; type=application/octet-stream')
})

it('a frame of no series that was opened is not asked for [7.42]', async () => {
  const { registerFrameLoader } = await import('./frames.ts')
  registerFrameLoader()
  const before = told.asked.length
  await expect(told.ask!('wadors:/dicom-web/elsewhere', {}).promise).rejects.toThrow('belongs to no open series')
  expect(told.asked).toHaveLength(before)
})
