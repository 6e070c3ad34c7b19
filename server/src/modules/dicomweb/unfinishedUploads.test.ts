import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { dicomFile } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let url: string
let staff: SignedIn
let admin: SignedIn
let service: SignedIn
let south: SignedIn

beforeAll(async () => {
  server = await startServer({
    DMP_UPLOADS_PER_PERSON: '3',
    DMP_UPLOADS_PER_ORGANIZATION: '5',
    DMP_UPLOADS_GB_PER_PERSON: '1',
    DMP_UPLOADS_GB_PER_ORGANIZATION: '2',
  })
  url = await server.listen()
  ;[staff, admin, service, south] = await Promise.all([
    server.signIn('staff'),
    server.signIn('admin'),
    server.signIn('service_user'),
    server.signIn('admin@south.example'),
  ])
})
afterAll(() => server.close())

const ask = (method: string, path: string, who: SignedIn, headers: Record<string, string>, body?: Buffer) =>
  fetch(url + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...who.headers, ...headers },
    ...(body && { body: new Uint8Array(body) }),
  })
const begin = (who: SignedIn, bytes: number) =>
  ask('POST', '/api/Scan/uploads', who, { 'upload-length': String(bytes) })
const pathOf = (reply: Response) => reply.headers.get('location') ?? ''
const drop = (who: SignedIn, path: string) => ask('DELETE', path, who, {})
const files = (): string[] =>
  readdirSync(join(server.deps.settings.dataDir, 'uploads')).filter((name) => !name.endsWith('.json'))

describe('uploads that begin and are not finished', () => {
  it('are a few for each person and each organization; one that ends makes room [P18, P19]', async () => {
    const bytes = dicomFile()
    // All at once: nobody slips through between the count and the creation.
    const begun = await Promise.all(Array.from({ length: 6 }, () => begin(staff, bytes.length)))
    const [created, refused] = [201, 429].map((status) => begun.filter((reply) => reply.status === status))
    expect([created?.length, refused?.length]).toEqual([3, 3])
    const [refusal] = refused ?? []
    expect([refusal?.headers.get('retry-after'), await refusal?.json()]).toEqual([
      '60',
      expect.objectContaining({
        code: 'SLOW_DOWN',
        message: 'Too many of your uploads have begun and are not finished. Please try again in 60 seconds.',
      }),
    ])
    const others = [await begin(admin, 10), await begin(admin, 10)]
    expect(others.map((reply) => reply.status)).toEqual([201, 201])
    const full = await begin(service, 10)
    expect([full.status, ((await full.json()) as { message: string }).message]).toEqual([
      429,
      'Too many uploads of your organization have begun and are not finished. Please try again in 60 seconds.',
    ])
    const elsewhere = await begin(south, 10)
    expect(elsewhere.status).toBe(201)

    const [finished, dropped] = (created ?? []).map(pathOf)
    const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' }
    expect((await ask('PATCH', finished ?? '', staff, headers, bytes)).status).toBe(204)
    expect((await drop(staff, dropped ?? '')).status).toBe(204)
    const again = [await begin(staff, 10), await begin(staff, 10), await begin(staff, 10)]
    expect(again.map((reply) => reply.status)).toEqual([201, 201, 429])

    for (const reply of [...again, created?.[2]]) if (reply?.status === 201) await drop(staff, pathOf(reply))
    for (const reply of others) await drop(admin, pathOf(reply))
    await drop(south, pathOf(elsewhere))
    expect(files()).toEqual([])
  })

  it('may promise so many bytes; one alone may always begin [P18, P19]', async () => {
    const large = 800 * 2 ** 20
    const first = await begin(staff, 2 * large)
    expect([first.status, (await begin(staff, 1)).status]).toEqual([201, 429])
    const second = await begin(admin, 300 * 2 ** 20)
    expect([second.status, (await begin(service, large)).status]).toEqual([201, 429])
    await drop(staff, pathOf(first))
    const third = await begin(service, large)
    expect(third.status).toBe(201)
    await drop(admin, pathOf(second))
    await drop(service, pathOf(third))
  })

  it('may promise exactly as many bytes as there may be [P18, P19]', async () => {
    const half = await begin(staff, 2 ** 29)
    const other = await begin(staff, 2 ** 29)
    expect([half.status, other.status, (await begin(staff, 1)).status]).toEqual([201, 201, 429])
    await drop(staff, pathOf(half))
    expect((await begin(staff, 2 ** 29 + 1)).status).toBe(429)
    await drop(staff, pathOf(other))
  })

  it('count as the largest upload when no length is promised [P19]', async () => {
    const deferred = await ask('POST', '/api/Scan/uploads', staff, { 'upload-defer-length': '1' })
    expect([deferred.status, (await begin(staff, 1)).status]).toEqual([201, 429])
    await drop(staff, pathOf(deferred))
  })
})
