import { tag } from '@dmp/dicom'
import sharp from 'sharp'
import {
  datasetBytes,
  dicomFile,
  encapsulated,
  slice,
  text,
  u16,
  type Elements,
} from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const runLengthSyntax = '1.2.840.10008.1.2.5'
let objects = 0

/** Stores an object of a series of its own and returns its address. */
async function store(elements: Elements, transferSyntaxUID?: string, fragment?: Buffer): Promise<string> {
  const uid = `1.2.90.${(objects += 1)}`
  const { [tag.PixelData]: pixels, ...header } = slice({
    [tag.StudyInstanceUID]: text('UI', '1.2.90'),
    [tag.SeriesInstanceUID]: text('UI', uid),
    [tag.SOPInstanceUID]: text('UI', `${uid}.1`),
    ...elements,
  })
  const dataset = fragment
    ? Buffer.concat([datasetBytes(header), encapsulated([fragment])])
    : datasetBytes(pixels === undefined ? header : { ...header, [tag.PixelData]: pixels })
  const file = dicomFile({ dataset, sopInstanceUID: `${uid}.1`, ...(transferSyntaxUID && { transferSyntaxUID }) })
  expect((await stow(server, staff, [file])).statusCode).toBe(200)
  return `/dicom-web/studies/1.2.90/series/${uid}`
}
const draw = (address: string) => server.app.inject({ url: address, headers: staff.headers })

/** The colours of the pixels at the corners of both pictures of a series. */
async function cornersOf(series: string): Promise<number[][]> {
  const uid = series.split('/').at(-1) ?? ''
  const corners: number[][] = []
  for (const address of [`${series}/instances/${uid}.1/rendered`, `${series}/thumbnail`]) {
    const reply = await draw(address)
    expect(reply.statusCode).toBe(200)
    const { data, info } = await sharp(reply.rawPayload)
      .toColourspace('srgb')
      .raw()
      .toBuffer({ resolveWithObject: true })
    for (const at of [0, data.length - info.channels]) corners.push([...data.subarray(at, at + 3)])
  }
  return corners
}
const near = (corners: number[][], ...colours: number[][]): void =>
  [...colours, ...colours].forEach((colour, at) =>
    colour.forEach((shade, sample) => expect(Math.abs(shade - (corners[at]?.[sample] ?? 999))).toBeLessThan(12)),
  )

/** Run lengths of segments of 16 bytes each: the first half of each has one value, the second another. */
function runLengths(...halves: (readonly [number, number])[]): Buffer {
  const header = Buffer.alloc(64)
  header.writeUInt32LE(halves.length)
  halves.forEach((_, index) => header.writeUInt32LE(64 + index * 4, 4 + index * 4))
  return Buffer.concat([header, ...halves.map(([first, second]) => Buffer.from([249, first, 249, second]))])
}
const bits = (allocated: number): Elements => ({
  [tag.BitsAllocated]: u16(allocated),
  [tag.BitsStored]: u16(allocated),
  [tag.HighBit]: u16(allocated - 1),
})
const colours: Elements = { [tag.SamplesPerPixel]: u16(3), [tag.PhotometricInterpretation]: text('CS', 'RGB') }
const [red, blue] = [[255, 0, 0] as const, [0, 0, 255] as const]
const planes = [
  [255, 0],
  [0, 0],
  [0, 255],
] as const

describe('rendered frame and thumbnail', () => {
  it.each([
    [8, 0],
    [8, 1],
    [16, 0],
    [16, 1],
    [32, 1],
  ])('show colours in run lengths: %i bits, planar configuration %i [7.42]', async (allocated, planar) => {
    const elements = { ...colours, ...bits(allocated), [tag.PlanarConfiguration]: u16(planar) }
    // All bytes of a sample are alike.
    const segments = planes.flatMap((plane) => Array.from({ length: allocated / 8 }, () => plane))
    near(await cornersOf(await store(elements, runLengthSyntax, runLengths(...segments))), [...red], [...blue])
  })

  it('show planes of colours that nothing compresses [7.42]', async () => {
    const value = Buffer.concat(planes.flatMap(([first, second]) => [Buffer.alloc(8, first), Buffer.alloc(8, second)]))
    const elements = { ...colours, ...bits(8), [tag.PlanarConfiguration]: u16(1), [tag.PixelData]: { vr: 'OB', value } }
    near(await cornersOf(await store(elements)), [...red], [...blue])
  })

  it('show single bits in run lengths as black and white [7.42]', async () => {
    const frame = Buffer.concat([runLengths([0, 0]).subarray(0, 64), Buffer.from([1, 0x00, 0xff])])
    near(await cornersOf(await store(bits(1), runLengthSyntax, frame)), [0, 0, 0], [255, 255, 255])
  })

  it('show signed bytes by their sign [7.42]', async () => {
    const value = Buffer.concat([Buffer.alloc(8, 0x80), Buffer.alloc(8, 0x7f)])
    const elements = { ...bits(8), [tag.PixelRepresentation]: u16(1), [tag.PixelData]: { vr: 'OB', value } }
    near(await cornersOf(await store(elements)), [0, 0, 0], [255, 255, 255])
  })
})

it('a rendered frame that cannot be drawn says why [7.42]', async () => {
  const video = await store(bits(8), '1.2.840.10008.1.2.4.102', Buffer.alloc(64, 1))
  const reply = await draw(`${video}/instances/${video.split('/').at(-1)}.1/rendered`)
  expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
    406,
    'Videos cannot be shown yet. Download the scan to play it elsewhere.',
  ])
})
