import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { tag } from '@dmp/dicom'
import { explicitLittleEndianUID } from '@dmp/dicom/transferSyntaxes'
import { readInstanceBytes, type Instance } from '../../dicom/instance.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { sampleObjects } from '../../dicom/sampleObjects.ts'
import { elementBytes, itemBytes } from '@dmp/dimse/elementWriter'
import {
  datasetBytes,
  dicomFile,
  encapsulated,
  explicitLittle,
  slice,
  text,
  u16,
  type Elements,
} from '../../dicom/testing/dicomFile.ts'
import { toLittleEndian } from '../../dicom/headerTasks.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
/** One of each way in which pixels are written. */
const names = [
  'rle.dcm',
  'jpeg_ls.dcm',
  'jpeg_2000.dcm',
  'jpeg_baseline_8bit.dcm',
  'jpeg_lossless_sel1.dcm',
  'explicit_big.dcm',
  'implicit_little.dcm',
  'deflated.dcm',
  'US-PAL-8-10x-echo.dcm',
]
const files = new Map(
  sampleObjects()
    .filter((path) => names.includes(basename(path)))
    .map((path) => [basename(path), readFileSync(path)]),
)

beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  expect((await stow(server, staff, [...files.values()])).statusCode).toBe(200)
})
afterAll(() => server.close())

const addressOf = ({ studyUID, seriesUID, sopInstanceUID }: Instance): string =>
  `/dicom-web/studies/${studyUID}/series/${seriesUID}/instances/${sopInstanceUID}`
const get = (url: string, accept: string) => server.app.inject({ url, headers: { ...staff.headers, accept } })
const explicit = `application/dicom; transfer-syntax=${explicitLittleEndianUID}`

/** What decoding changes, and what only some ways of writing state. */
function comparable(header: JsonDataset): JsonDataset {
  const { [tag.PhotometricInterpretation]: _colours, [tag.PlanarConfiguration]: _planes, ...rest } = header
  return Object.fromEntries(Object.entries(rest).filter(([, { vr }]) => vr !== 'UN'))
}

describe.each([...files])('%s in explicit little endian', (_name, bytes) => {
  it('says what it said, and its pixels are those of its frames', async () => {
    const original = await readInstanceBytes(bytes)
    const address = addressOf(original)
    const reply = await get(address, explicit)
    expect([reply.statusCode, reply.headers['content-type']]).toEqual([200, explicit])
    const made = await readInstanceBytes(reply.rawPayload)
    expect(made.part10.transferSyntax.uid).toBe(explicitLittleEndianUID)
    const { isBigEndian } = original.part10.transferSyntax
    const header = isBigEndian ? toLittleEndian(original.header) : original.header
    expect(comparable(made.header)).toEqual(comparable(header))
    const frames: Buffer[] = []
    const count = Number(original.header[tag.NumberOfFrames]?.Value?.[0] ?? 1)
    for (let frame = 1; frame <= count; frame += 1)
      frames.push((await get(`${address}/frames/${frame}`, 'application/octet-stream')).rawPayload)
    const { valueOffset = 0, length = 0 } = made.part10.pixelData ?? {}
    const pixels = reply.rawPayload.subarray(valueOffset, valueOffset + length)
    expect(pixels.equals(Buffer.concat(frames))).toBe(true)
    const bulk = await get(`${address}/bulkdata/7FE00010`, 'application/octet-stream')
    expect([bulk.statusCode, bulk.rawPayload.equals(pixels)]).toEqual([200, true])
  })
})

it('is made of each object of a study, whatever they are stored in', async () => {
  const original = await readInstanceBytes(files.get('rle.dcm') ?? Buffer.alloc(0))
  const reply = await get(
    `/dicom-web/studies/${original.studyUID}`,
    `multipart/related; type="application/dicom"; transfer-syntax=${explicitLittleEndianUID}`,
  )
  expect([reply.statusCode, reply.body.match(/Content-Type: [^\r\n]*/g)]).toEqual([
    200,
    expect.arrayContaining([`Content-Type: ${explicit}`]),
  ])
})

it('is refused of a video, which the server does not decode, and not answered with nothing', async () => {
  const { '7FE00010': _pixels, ...header } = slice({
    '00080018': text('UI', '1.84.1.1'),
    '0020000D': text('UI', '1.84'),
  })
  const video = dicomFile({
    transferSyntaxUID: '1.2.840.10008.1.2.4.102',
    sopInstanceUID: '1.84.1.1',
    dataset: Buffer.concat([
      datasetBytes({ ...header, '0020000E': text('UI', '1.84.1') }),
      encapsulated([Buffer.alloc(64, 'mp4')]),
    ]),
  })
  expect((await stow(server, staff, [video])).statusCode).toBe(200)
  const address = '/dicom-web/studies/1.84/series/1.84.1/instances/1.84.1.1'
  expect((await get(address, explicit)).statusCode).toBe(406)
  expect(
    (
      await get(
        '/dicom-web/studies/1.84',
        `multipart/related; type="application/dicom"; transfer-syntax=${explicitLittleEndianUID}`,
      )
    ).statusCode,
  ).toBe(406)
  expect((await get(`${address}/frames/1`, 'application/octet-stream')).statusCode).toBe(406)
  expect((await get(`${address}/bulkdata/7FE00010`, '*/*')).headers['content-type']).toContain('video/mp4')
})

/** Four pixels of one byte in run lengths: a header of one segment, and a run (PS3.5 annex G). */
const runLengths = Buffer.concat([Buffer.from([1, 0, 0, 0, 64, 0, 0, 0]), Buffer.alloc(56), Buffer.from([253, 7])])
const bytePixels: Elements = {
  '00280002': u16(1),
  '00280004': text('CS', 'MONOCHROME2'),
  '00280010': u16(2),
  '00280011': u16(2),
  '00280100': u16(8),
  '00280101': u16(8),
  '00280102': u16(7),
  '00280103': u16(0),
}

describe('an icon in an image of run lengths', () => {
  const { '7FE00010': _pixels, ...header } = slice(bytePixels)
  const sequence = '00880200'
  const store = async (uid: string, icon: Buffer): Promise<string> => {
    const named = {
      '00080018': text('UI', `${uid}.1.1`),
      '0020000D': text('UI', uid),
      '0020000E': text('UI', `${uid}.1`),
    }
    const image = dicomFile({
      transferSyntaxUID: '1.2.840.10008.1.2.5',
      sopInstanceUID: `${uid}.1.1`,
      dataset: Buffer.concat([
        datasetBytes({ ...header, ...named }),
        elementBytes(sequence, { vr: 'SQ', value: itemBytes(icon, false) }, explicitLittle),
        encapsulated([runLengths]),
      ]),
    })
    expect((await stow(server, staff, [image])).statusCode).toBe(200)
    return `/dicom-web/studies/${uid}/series/${uid}.1/instances/${uid}.1.1`
  }

  it('is left out of the image in explicit little endian where it is compressed itself, and nothing else is', async () => {
    const address = await store('1.86', Buffer.concat([datasetBytes(bytePixels), encapsulated([runLengths])]))
    const reply = await get(address, explicit)
    expect(reply.statusCode).toBe(200)
    const { part10, header: made } = await readInstanceBytes(reply.rawPayload)
    expect(made).not.toHaveProperty(sequence)
    expect(made[tag.Rows]?.Value).toEqual([2])
    const { valueOffset = 0, length = 0 } = part10.pixelData ?? {}
    expect([...reply.rawPayload.subarray(valueOffset, valueOffset + length)]).toEqual([7, 7, 7, 7])
  })

  it('stays where it is not compressed', async () => {
    const icon = datasetBytes({ ...bytePixels, '7FE00010': { vr: 'OB', value: Buffer.from([1, 2, 3, 4]) } })
    const reply = await get(await store('1.87', icon), explicit)
    expect(reply.statusCode).toBe(200)
    const { Value: items = [] } = (await readInstanceBytes(reply.rawPayload)).header[sequence] ?? {}
    expect((items[0] as JsonDataset | undefined)?.['7FE00010']).toMatchObject({ vr: 'OB' })
    expect(reply.rawPayload.includes(Buffer.from([1, 2, 3, 4]))).toBe(true)
  })

  it('refuses the other form where it is no icon that is compressed: the image would lose what it says', async () => {
    const { '7FE00010': _none, ...rest } = slice(bytePixels)
    const named = {
      '00080018': text('UI', '1.88.1.1'),
      '0020000D': text('UI', '1.88'),
      '0020000E': text('UI', '1.88.1'),
    }
    const item = itemBytes(Buffer.concat([datasetBytes(bytePixels), encapsulated([runLengths])]), false)
    const image = dicomFile({
      transferSyntaxUID: '1.2.840.10008.1.2.5',
      sopInstanceUID: '1.88.1.1',
      dataset: Buffer.concat([
        datasetBytes({ ...rest, ...named }),
        elementBytes('00880904', { vr: 'SQ', value: item }, explicitLittle),
        encapsulated([runLengths]),
      ]),
    })
    expect((await stow(server, staff, [image])).statusCode).toBe(200)
    expect((await get('/dicom-web/studies/1.88/series/1.88.1/instances/1.88.1.1', explicit)).statusCode).toBe(406)
  })
})

describe('metadata are the object’s', () => {
  it('with a window of no width, and bytes of numbers in the order of the model', async () => {
    const table = Buffer.from([0, 1, 0, 2, 0, 3])
    const object = dicomFile({
      transferSyntaxUID: '1.2.840.10008.1.2.2',
      sopInstanceUID: '1.85.1.1',
      elements: slice(
        {
          '00080018': text('UI', '1.85.1.1'),
          '0020000D': text('UI', '1.85'),
          '0020000E': text('UI', '1.85.1'),
          '00280100': u16(16, true),
          '00281050': text('DS', '40'),
          '00281051': text('DS', '0'),
          '00281201': { vr: 'OW', value: table },
          '00283010': [{ '00283006': { vr: 'OW', value: table } }],
        },
        true,
      ),
    })
    expect((await stow(server, staff, [object])).statusCode).toBe(200)
    const [metadata] = (await get('/dicom-web/studies/1.85/metadata', 'application/dicom+json')).json<
      Record<string, { Value?: Record<string, { InlineBinary?: string }>[]; InlineBinary?: string }>[]
    >()
    const swapped = Buffer.from([1, 0, 2, 0, 3, 0]).toString('base64')
    expect([metadata?.['00281050'], metadata?.['00281051']]).toEqual([
      { vr: 'DS', Value: [40] },
      { vr: 'DS', Value: [0] },
    ])
    expect([
      metadata?.['00281201']?.InlineBinary,
      metadata?.['00283010']?.Value?.[0]?.['00283006']?.InlineBinary,
    ]).toEqual([swapped, swapped])
  })
})
