import { dicomFile, encapsulated, datasetBytes, slice, text, u16 } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

type Json = Record<string, { vr: string; Value?: unknown[]; BulkDataURI?: string; InlineBinary?: string }>
interface Part {
  readonly type: string
  readonly location?: string
  readonly bytes: Buffer
}

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const boundary = `two-uuids-and-a-hyphen-${'0123456789'.repeat(15)}`
function send(parts: readonly Part[], type = 'application/dicom+json') {
  const payload = Buffer.concat([
    ...parts.flatMap((part) => [
      Buffer.from(`--${boundary}\r\nContent-Type: ${part.type}\r\n`),
      Buffer.from(part.location === undefined ? '\r\n' : `Content-Location: ${part.location}\r\n\r\n`),
      part.bytes,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
  const headers = { ...staff.headers, 'content-type': `multipart/related; type="${type}"; boundary=${boundary}` }
  return server.app.inject({ method: 'POST', url: '/dicom-web/studies', payload, headers })
}
const metadata = (list: unknown): Part => ({ type: 'application/dicom+json', bytes: Buffer.from(JSON.stringify(list)) })
const get = (url: string, accept: string) => server.app.inject({ url, headers: { ...staff.headers, accept } })

const uids = (uid: string) => ({
  '00080018': text('UI', `${uid}.1.1`),
  '0020000D': text('UI', uid),
  '0020000E': text('UI', `${uid}.1`),
})
const address = (uid: string) => `/dicom-web/studies/${uid}/series/${uid}.1/instances/${uid}.1.1`

/** The metadata that the server answers of a stored object, under other UIDs. */
async function describeStored(uid: string, under: string): Promise<Json> {
  const [dataset] = (await get(`${address(uid)}/metadata`, 'application/dicom+json')).json<Json[]>()
  return {
    ...dataset,
    '00080018': { vr: 'UI', Value: [`${under}.1.1`] },
    '0020000D': { vr: 'UI', Value: [under] },
    '0020000E': { vr: 'UI', Value: [`${under}.1`] },
  }
}

describe('objects sent as metadata and bulk data', () => {
  const pixels = Buffer.alloc(32, 'pixels')

  it('come back as they were described, names and nested values too [7.38]', async () => {
    const original = dicomFile({
      elements: slice({
        ...uids('1.86'),
        '00080005': text('CS', 'ISO_IR 192'),
        '00100010': text('PN', 'Yamada^Tarou=山田^太郎'),
        '00081140': [
          { '00081150': text('UI', '1.2.3') },
          { '00283010': [{ '00283006': { vr: 'OW', value: Buffer.alloc(6, 7) } }] },
        ],
        '00181314': { vr: 'DS', value: Buffer.from('12.5\\-3 ') },
        '00280106': u16(17),
        '7FE00010': { vr: 'OW', value: pixels },
      }),
    })
    expect((await stow(server, staff, [original])).statusCode).toBe(200)
    const described = await describeStored('1.86', '1.87')
    const uri = described['7FE00010']?.BulkDataURI ?? ''
    const reply = await send([
      metadata([described]),
      { type: 'application/octet-stream', location: uri, bytes: pixels },
    ])
    expect([reply.statusCode, reply.json<Json>()['00081199']?.Value]).toEqual([200, [expect.anything()]])
    const stored = await describeStored('1.87', '1.86')
    const { '7FE00010': _then, ...then } = await describeStored('1.86', '1.86')
    const { '7FE00010': _now, ...now } = stored
    expect(now).toEqual(then)
    expect((await get(`${address('1.87')}/frames/1`, 'application/octet-stream')).rawPayload).toEqual(pixels)
  })

  it('keep compressed pixels as they came, when the transfer syntax is said', async () => {
    const { '7FE00010': _pixels, ...header } = slice(uids('1.88'))
    const frame = Buffer.from('a frame that nobody looks into')
    const object = dicomFile({
      transferSyntaxUID: '1.2.840.10008.1.2.4.80',
      sopInstanceUID: '1.88.1.1',
      dataset: Buffer.concat([datasetBytes(header), encapsulated([frame])]),
    })
    expect((await stow(server, staff, [object])).statusCode).toBe(200)
    const described = await describeStored('1.88', '1.89')
    const part = { location: described['7FE00010']?.BulkDataURI ?? '', bytes: frame }
    const unsaid = await send([metadata([described]), { ...part, type: 'image/jls' }])
    expect(unsaid.statusCode).toBe(400)
    const reply = await send([
      metadata([described]),
      { ...part, type: 'image/jls; transfer-syntax=1.2.840.10008.1.2.4.80' },
    ])
    expect(reply.statusCode).toBe(200)
    const frames = await get(`${address('1.89')}/frames/1`, 'image/jls')
    expect([frames.statusCode, frames.rawPayload]).toEqual([200, frame])
  })

  it('are refused one by one, and nothing of them stays behind [P12]', async () => {
    const good = {
      ...(await describeStored('1.86', '1.92')),
      '7FE00010': { vr: 'OW', InlineBinary: pixels.toString('base64') },
    }
    const reply = await send([
      metadata([
        good,
        { ...good, '00080018': { vr: 'UI', Value: ['1.92.1.2'] }, '7FE00010': { vr: 'OW', BulkDataURI: 'missing' } },
        { ...good, '00280010': { vr: 'US', Value: ['many'] } },
        { ...good, '00100010': { vr: 'XX' } },
        { ...good, '00081140': { vr: 'SQ', Value: { length: 5 } } },
        { ...good, '00283006': { vr: 'OW', InlineBinary: { length: 2 ** 31 } } },
        'no object',
      ]),
      { type: 'application/octet-stream', location: 'unused', bytes: Buffer.alloc(100) },
    ])
    const answer = reply.json<Json>()
    expect([reply.statusCode, answer['00081199']?.Value?.length, answer['0008119A']?.Value?.length]).toEqual([
      202, 1, 6,
    ])
    expect(await server.heldObjects()).toContain('1.92.1.1')
  })

  it('without metadata, or with something else, are refused as a whole', async () => {
    const unnamed = { type: 'application/octet-stream', bytes: Buffer.alloc(2) }
    const bulk = { ...unnamed, location: 'x' }
    const broken = { type: 'application/dicom+json', bytes: Buffer.from('[{"0008') }
    for (const parts of [[], [bulk], [broken], [metadata({})], [metadata([]), unnamed]])
      expect((await send(parts)).statusCode).toBe(400)
    for (const type of ['application/dicom+xml', 'text/plain', 'application/dicom+jsonx']) {
      const { statusCode, body } = await send([{ type, bytes: Buffer.from('<NativeDicomModel/>') }], type)
      expect([type, statusCode, body]).toEqual([type, 415, expect.stringContaining('application/dicom+json')])
    }
  })
})

describe('a body', () => {
  it('may have the boundary that it likes, up to 200 characters', async () => {
    expect(boundary.length).toBeGreaterThan(150)
    const object = dicomFile({ elements: slice(uids('1.93')) })
    const store = (length: number) => {
      const name = 'b'.repeat(length)
      return server.app.inject({
        method: 'POST',
        url: '/dicom-web/studies',
        headers: { ...staff.headers, 'content-type': `multipart/related; type="application/dicom"; boundary=${name}` },
        payload: Buffer.concat([
          Buffer.from(`--${name}\r\nContent-Type: application/dicom\r\n\r\n`),
          object,
          Buffer.from(`\r\n--${name}--\r\n`),
        ]),
      })
    }
    const statuses: [number, number, string | undefined][] = []
    for (const length of [70, 71, 73, 200, 201]) {
      const reply = await store(length)
      statuses.push([length, reply.statusCode, reply.json<{ code?: string }>().code])
    }
    expect(statuses).toEqual([
      [70, 200, undefined],
      [71, 200, undefined],
      [73, 200, undefined],
      [200, 200, undefined],
      [201, 400, 'BOUNDARY_TOO_LONG'],
    ])
  })

  it('that is compressed on the way is refused with what to do', async () => {
    const reply = await server.app.inject({
      method: 'POST',
      url: '/dicom-web/studies',
      headers: { ...staff.headers, 'content-type': 'application/dicom', 'content-encoding': 'gzip' },
      payload: Buffer.alloc(10),
    })
    expect([reply.statusCode, reply.json<{ code: string }>().code]).toEqual([415, 'WRONG_ENCODING'])
    const plain = await server.app.inject({
      method: 'POST',
      url: '/dicom-web/studies',
      headers: { ...staff.headers, 'content-type': 'text/plain' },
      payload: 'x',
    })
    expect([plain.statusCode, plain.json<{ message: string }>().message]).toEqual([
      415,
      expect.stringContaining('dicom+json'),
    ])
  })
})
