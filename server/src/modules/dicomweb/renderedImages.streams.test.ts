import sharp from 'sharp'
import { DrawingThread } from '../../dicom/drawingThread.ts'
import { datasetBytes, dicomFile, encapsulated, slice, text, u16 } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let staff: SignedIn

/** A header of 64 × 64 pixels, and a JPEG of `side` pixels each way. */
async function jpegObject(study: string, side: number): Promise<Buffer> {
  const create = { width: side, height: side, channels: 3 as const, background: '#888' }
  const jpeg = await sharp({ create }).toColourspace('b-w').jpeg().toBuffer()
  const { '7FE00010': _pixels, ...header } = slice({
    '00080018': text('UI', `${study}.1.1`),
    '0020000D': text('UI', study),
    '0020000E': text('UI', `${study}.1`),
    '00280002': u16(1),
    '00280004': text('CS', 'MONOCHROME2'),
    '00280010': u16(64),
    '00280011': u16(64),
    '00280100': u16(8),
    '00280101': u16(8),
    '00280102': u16(7),
    '00280103': u16(0),
  })
  return dicomFile({
    transferSyntaxUID: '1.2.840.10008.1.2.4.50',
    sopInstanceUID: `${study}.1.1`,
    dataset: Buffer.concat([datasetBytes(header), encapsulated([jpeg])]),
  })
}

beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  const own = [await jpegObject('1.81', 64), await jpegObject('1.82', 3000)]
  expect((await stow(server, staff, own)).statusCode).toBe(200)
})
afterAll(() => server.close())

describe('a compressed frame whose own size', () => {
  it.each([
    ['is that of the header is drawn', '1.81', [200, 200]],
    ['is another than that of the header is decoded nowhere', '1.82', [406, 404]],
  ])('%s [P12, P18]', async (_what, study, statuses) => {
    const draw = jest.spyOn(DrawingThread.prototype, 'draw')
    const address = `/dicom-web/studies/${study}/series/${study}.1`
    const urls = [`${address}/instances/${study}.1.1/rendered`, `${address}/thumbnail`]
    const answers = await Promise.all(urls.map((url) => server.app.inject({ url, headers: staff.headers })))
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(statuses)
    if (statuses[0] !== 200) expect(draw).not.toHaveBeenCalled()
    draw.mockRestore()
    // The object itself stays as it came.
    const whole = await server.app.inject({
      url: `${address}/instances/${study}.1.1/frames/1`,
      headers: { ...staff.headers, accept: '*/*' },
    })
    expect(whole.statusCode).toBe(200)
  })
})
