import { Readable } from 'node:stream'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let staff: SignedIn
const mostBytes = 2 ** 20
beforeAll(async () => {
  server = await startServer({ DMP_UPLOAD_MAX_MB: '1' })
  staff = await server.signIn('staff')
})
afterEach(() => jest.restoreAllMocks())
afterAll(() => server.close())

const boundary = 'parts'
const partOf = (bytes: Buffer, ...headers: string[]): Buffer =>
  Buffer.concat([Buffer.from([`--${boundary}`, ...headers, '', ''].join('\r\n')), bytes, Buffer.from('\r\n')])
const json = 'Content-Type: application/dicom+json'
const plain = 'Content-Type: application/octet-stream'
async function send(...parts: Buffer[]) {
  const reply = await server.app.inject({
    method: 'POST',
    url: '/dicom-web/studies',
    payload: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: {
      ...staff.headers,
      'content-type': `multipart/related; type="application/dicom+json"; boundary=${boundary}`,
    },
  })
  const { code, message } = reply.json<{ code?: string; message?: string }>()
  return [reply.statusCode, code, message]
}
/** Metadata of nothing that can be stored: each object of them is refused by itself. */
const nothing = (objects: number, bytes = 0): Buffer =>
  partOf(Buffer.from(JSON.stringify(Array.from({ length: objects }, () => 0)).padEnd(bytes)), json)
const value = (at: number, bytes: number): Buffer => partOf(Buffer.alloc(bytes), plain, `Content-Location: v${at}`)

describe('metadata with bulk data [P12, P18]', () => {
  it('describe a thousand objects at most', async () => {
    expect(await send(nothing(1000))).toEqual([409, undefined, undefined])
    expect(await send(nothing(1001))).toEqual([
      413,
      'TOO_LARGE',
      'Send the metadata of at most 1000 objects in one request.',
    ])
  })

  it('have 4 MB at most', async () => {
    const most = 4 * 2 ** 20
    expect(await send(nothing(1, most))).toEqual([409, undefined, undefined])
    expect(await send(nothing(1, most + 1))).toEqual([
      413,
      'TOO_LARGE',
      'The metadata are longer than 4 MB. Send large values as bulk data.',
    ])
  })

  it('have ten thousand parts at most', async () => {
    const { objects } = server.deps
    const staged = await objects.stage(Readable.from([Buffer.from('ab')]), { maxBytes: 9, dataKey: undefined })
    jest.spyOn(objects, 'discard').mockResolvedValue(undefined)
    jest.spyOn(objects, 'stage').mockImplementation(async (content) => {
      for await (const _piece of content);
      return staged
    })
    const values = Array.from({ length: 9999 }, (_, at) => value(at, 2))
    expect(await send(nothing(1), ...values)).toEqual([409, undefined, undefined])
    expect(await send(nothing(1), ...values, value(9999, 2))).toEqual([413, 'TOO_LARGE', 'Send at most 10000 values.'])
  })

  it('have values of as many bytes together as an object may have, and nothing of more stays behind', async () => {
    expect(await send(nothing(1), value(1, mostBytes - 9), value(2, 9))).toEqual([409, undefined, undefined])
    const discarded = jest.spyOn(server.deps.objects, 'discard')
    expect(await send(nothing(1), value(1, mostBytes - 9), value(2, 10))).toEqual([
      413,
      'TOO_LARGE',
      'The values of this request have more than 1 MB together. Send fewer objects.',
    ])
    expect(discarded.mock.calls.flat(2).map(({ size }) => size)).toContain(mostBytes - 9)
  })

  it.each([
    ['a value that nothing can name', partOf(Buffer.alloc(2), plain), 'A part of bulk data has no Content-Location.'],
    [
      'a value of which nobody knows how it is written',
      partOf(Buffer.alloc(2), 'Content-Type: image/jpeg', 'Content-Location: v1'),
      'Bulk data that are not application/octet-stream must state their transfer-syntax.',
    ],
  ])('are refused beside %s', async (_what, part, sentence) => {
    expect(await send(nothing(1), part)).toEqual([400, 'INVALID', sentence])
  })

  it.each([
    ['no list', partOf(Buffer.from('{}'), json), 'The metadata are no list of objects.'],
    ['no JSON', partOf(Buffer.from('[{'), json), expect.stringMatching(/\S/)],
  ])('are refused that are %s', async (_what, part, sentence) => {
    expect(await send(part)).toEqual([400, 'INVALID', sentence])
  })
})

describe('one object by itself [P12]', () => {
  const ofBytes = (bytes: number): Buffer => {
    const comment = (length: number) => dicomFile({ elements: slice({ '00324000': text('UT', 'x'.repeat(length)) }) })
    return comment(bytes - comment(0).length)
  }
  const sendOne = (bytes: number) =>
    server.app.inject({
      method: 'POST',
      url: '/dicom-web/studies',
      payload: ofBytes(bytes),
      headers: { ...staff.headers, 'content-type': 'application/dicom' },
    })

  it('may be as long as an object may be, and no longer', async () => {
    expect((await sendOne(mostBytes)).statusCode).toBe(200)
    expect((await sendOne(mostBytes + 2)).json()).toMatchObject({ code: 'TOO_LARGE' })
  })

  it('may be promised as long as that to an upload that goes on, and no longer', async () => {
    const url = `${await server.listen()}/api/Scan/uploads`
    const begin = async (bytes: number) => {
      const headers = { ...staff.headers, 'tus-resumable': '1.0.0', 'upload-length': String(bytes) }
      return (await fetch(url, { method: 'POST', headers })).status
    }
    expect([await begin(mostBytes), await begin(mostBytes + 1)]).toEqual([201, 413])
  })
})
