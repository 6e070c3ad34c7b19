import { connect, type Socket } from 'node:net'
import { penaltyPoints } from '../../core/penalties.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let staff: SignedIn
let port: number
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  port = Number(new URL(await server.listen()).port)
})
afterAll(() => server.close())

const valueBytes = 40 * 1024
const pixels = Buffer.alloc(valueBytes, 7)

/** An image whose elements name these values. */
const describeImage = (uid: string, named: Readonly<Record<string, string>>) => ({
  '00080016': { vr: 'UI', Value: ['1.2.840.10008.5.1.4.1.1.7'] },
  '00080018': { vr: 'UI', Value: [uid] },
  '0020000D': { vr: 'UI', Value: ['1.2.77'] },
  '0020000E': { vr: 'UI', Value: ['1.2.77.1'] },
  '00080060': { vr: 'CS', Value: ['OT'] },
  '00100020': { vr: 'LO', Value: ['P-77'] },
  '00280002': { vr: 'US', Value: [1] },
  '00280004': { vr: 'CS', Value: ['MONOCHROME2'] },
  '00280010': { vr: 'US', Value: [valueBytes / 1024] },
  '00280011': { vr: 'US', Value: [1024] },
  '00280100': { vr: 'US', Value: [8] },
  '00280101': { vr: 'US', Value: [8] },
  '00280102': { vr: 'US', Value: [7] },
  '00280103': { vr: 'US', Value: [0] },
  ...Object.fromEntries(Object.entries(named).map(([key, uri]) => [key, { vr: 'OB', BulkDataURI: uri }])),
})

const boundary = 'parts'
const type = `multipart/related; type="application/dicom+json"; boundary=${boundary}`
const toBody = (images: readonly object[], locations: readonly string[]): Buffer =>
  Buffer.concat([
    Buffer.from(`--${boundary}\r\nContent-Type: application/dicom+json\r\n\r\n${JSON.stringify(images)}\r\n`),
    ...locations.flatMap((location) => [
      Buffer.from(`--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Location: ${location}\r\n\r\n`),
      pixels,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ])
const send = (images: readonly object[], locations: readonly string[]) =>
  server.app.inject({
    method: 'POST',
    url: '/dicom-web/studies',
    payload: toBody(images, locations),
    headers: { ...staff.headers, 'content-type': type },
  })

const uids = Array.from({ length: 5 }, (_, n) => `1.2.77.1.${n}`)
const held = async (): Promise<string[]> => (await server.heldObjects()).filter((uid) => uid.startsWith('1.2.77.'))

describe('objects that would be longer than what was sent', () => {
  const pixelData = '7FE00010'
  it('are taken once each of them comes with its own value [P12]', async () => {
    const images = uids.map((uid) => describeImage(uid, { [pixelData]: uid }))
    expect((await send(images, uids)).statusCode).toBe(200)
    expect(await held()).toEqual(uids)
  })

  it.each([
    ['of several objects that name one value', uids.map((uid) => describeImage(`${uid}.8`, { [pixelData]: 'a' }))],
    [
      'of one object that names one value several times',
      [describeImage('1.2.77.1.0.8', { '00281201': 'a', '00281202': 'a', [pixelData]: 'a' })],
    ],
  ])('are refused with what to do, and nothing of them is stored: %s [P12, P18]', async (_which, images) => {
    const staged = jest.spyOn(server.deps.objects, 'stage')
    const reply = await send(images, ['a'])
    expect([reply.statusCode, reply.json<{ message: string }>().message]).toEqual([
      413,
      expect.stringContaining('Send a value again for each object that has it.'),
    ])
    // The value alone was written.
    expect(staged).toHaveBeenCalledTimes(1)
    staged.mockRestore()
    expect(await held()).toEqual(uids)
  })
})

describe('many small values', () => {
  it('are written a few at a time, however quickly they arrive [P18]', async () => {
    const { objects } = server.deps
    const stage = objects.stage.bind(objects)
    let [open, most] = [0, 0]
    const staged = jest.spyOn(objects, 'stage').mockImplementation(async (...given) => {
      most = Math.max(most, (open += 1))
      return stage(...given).finally(() => (open -= 1))
    })
    const small = Array.from({ length: 300 }, (_, n) =>
      Buffer.from(`--${boundary}\r\nContent-Type: application/octet-stream\r\nContent-Location: ${n}\r\n\r\nab\r\n`),
    )
    const [metadata] = toBody([], []).toString().split(`--${boundary}--`)
    const payload = Buffer.concat([Buffer.from(metadata ?? ''), ...small, Buffer.from(`--${boundary}--\r\n`)])
    const reply = await server.app.inject({
      method: 'POST',
      url: '/dicom-web/studies',
      payload,
      headers: { ...staff.headers, 'content-type': type },
    })
    expect([reply.statusCode, staged.mock.calls.length]).toEqual([400, small.length])
    expect(most).toBeLessThanOrEqual(8)
    staged.mockRestore()
  })
})

describe('a sender who hangs up once the whole body is sent', () => {
  it('has nothing more stored, and pays as for an upload that broke off [P18]', async () => {
    const previous = await held()
    const charge = jest.spyOn(server.deps.penalties, 'charge')
    const staged = jest.spyOn(server.deps.objects, 'stage')
    const { reader } = server.deps
    const body = toBody(
      uids.map((uid) => describeImage(`${uid}.9`, { '7FE00010': uid })),
      uids,
    )
    const isClosed = new Promise<void>((closed) =>
      server.app.server.once('connection', (line: Socket) => line.once('close', () => closed())),
    )
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    const run = reader.run.bind(reader)
    // The whole body was read by then; the work begins when the server has noticed that nobody waits.
    const composing = jest.spyOn(reader, 'run').mockImplementation(async (...task) => {
      socket.destroy()
      await isClosed
      return run(...task)
    })
    const isCharged = new Promise<void>((charged) => charge.mockImplementation(() => charged()))
    socket.write(
      `POST /dicom-web/studies HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n` +
        `authorization: ${staff.headers.authorization}\r\ncontent-type: ${type}\r\ncontent-length: ${body.length}\r\n\r\n`,
    )
    socket.write(body)
    await isCharged
    expect(charge.mock.calls.map(([who, , points]) => [who.userId, points])).toEqual([
      [staff.userId, penaltyPoints.brokenOff],
    ])
    expect(staged).toHaveBeenCalledTimes(uids.length)
    for (const spy of [charge, staged, composing]) spy.mockRestore()
    expect(await held()).toEqual(previous)
    const lines = server.logs.map((line) => JSON.parse(line) as { route?: string; status?: number; user?: string })
    expect(lines.filter(({ status }) => status === 499)).toEqual([
      expect.objectContaining({ route: '/dicom-web/studies', user: staff.userId }),
    ])
  })
})
