import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let url: string
let staff: SignedIn
let northId: string

beforeAll(async () => {
  server = await startServer()
  url = await server.listen()
  staff = await server.signIn('staff')
  northId = await server.organizationOf(staff)
})
afterAll(() => server.close())

const tus = { 'tus-resumable': '1.0.0' }
const object = (uid: string): Buffer =>
  dicomFile({
    elements: slice({ '00080018': text('UI', uid), '0020000D': text('UI', '1.30'), '0020000E': text('UI', '1.30.1') }),
  })

const ask = (method: string, path: string, who: SignedIn, headers: Record<string, string> = {}, body?: Buffer) =>
  fetch(url + path, {
    method,
    headers: { ...tus, ...who.headers, ...headers },
    ...(body && { body: new Uint8Array(body) }),
  })
async function begin(bytes: number, who = staff): Promise<string> {
  const reply = await ask('POST', '/api/Scan/uploads', who, {
    'upload-length': String(bytes),
    'upload-metadata': `filename ${Buffer.from('Doe_John.dcm').toString('base64')},userId ${Buffer.from('somebody-else').toString('base64')}`,
  })
  expect(reply.status).toBe(201)
  return reply.headers.get('location') ?? ''
}
const send = (path: string, offset: number, bytes: Buffer, who = staff) =>
  ask(
    'PATCH',
    path,
    who,
    {
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      accept: 'application/dicom+json',
    },
    bytes,
  )
/** Those whose bytes are still here; of stored ones the outcome stays for a day. */
const listUploads = (): string[] =>
  readdirSync(join(server.deps.settings.dataDir, 'uploads')).filter((name) => !name.endsWith('.json'))

describe('resumable upload', () => {
  it('goes on where the line broke and stores the object like STOW-RS [1.07]', async () => {
    const bytes = object('1.30.1.1')
    const path = await begin(bytes.length)
    expect((await send(path, 0, bytes.subarray(0, 300))).status).toBe(204)
    const head = await ask('HEAD', path, staff)
    expect([head.status, head.headers.get('upload-offset')]).toEqual([200, '300'])
    const last = await send(path, 300, bytes.subarray(300))
    expect([last.status, ((await last.json()) as Record<string, unknown>)['00081199']]).toEqual([
      201,
      expect.anything(),
    ])
    expect((await staff.call(scan.get, { organizationId: northId, seriesUID: '1.30.1' })).status).toBe(200)
    expect(listUploads()).toEqual([])
  })

  it.each([
    ['1.30.1.7', '57P01', 'terminating connection due to administrator command'],
    ['1.30.1.8', undefined, 'Connection terminated unexpectedly'],
  ])(
    'says when to try again where the database dies under it, and goes on then: %s, %s, %s [P21, P92]',
    async (uid, code, why) => {
      const cause = Object.assign(new Error(why), { code })
      const bytes = object(uid)
      const beginning = jest.spyOn(server.deps.encryption, 'current').mockRejectedValueOnce(cause)
      const refused = await ask('POST', '/api/Scan/uploads', staff, { 'upload-length': String(bytes.length) })
      expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
        503,
        '2',
        expect.objectContaining({ code: 'NOT_READY' }),
      ])
      beginning.mockRestore()
      const path = await begin(bytes.length)
      const writing = jest.spyOn(server.deps, 'write').mockRejectedValueOnce(cause)
      const broken = await send(path, 0, bytes)
      expect([broken.status, broken.headers.get('retry-after')]).toEqual([503, '2'])
      writing.mockRestore()
      const head = await ask('HEAD', path, staff)
      expect([head.status, head.headers.get('upload-offset')]).toEqual([200, String(bytes.length)])
      expect((await staff.call(scan.get, { organizationId: northId, seriesUID: '1.30.1' })).status).toBe(200)
    },
  )

  it('does not begin for an organization without a datastore [4.04]', async () => {
    const reply = await ask('POST', '/api/Scan/uploads', await server.signIn('super_admin'), { 'upload-length': '10' })
    expect([reply.status, ((await reply.json()) as { code: string }).code]).toEqual([409, 'NO_DATASTORE'])
  })

  it('refuses what is no DICOM object with the reason, and leaves nothing [P12]', async () => {
    const bytes = Buffer.from('not an object at all')
    const reply = await send(await begin(bytes.length), 0, bytes)
    expect(reply.status).toBe(409)
    expect(await reply.text()).toContain('NOT_DICOM')
    expect(listUploads()).toEqual([])
  })

  it('belongs to who began it; for others it does not exist, nor can it be read by anybody [P02]', async () => {
    const bytes = object('1.30.1.2')
    const path = await begin(bytes.length)
    await send(path, 0, bytes.subarray(0, 100))
    const [admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
    for (const other of [admin, south]) {
      expect((await ask('HEAD', path, other)).status).toBe(404)
      expect((await send(path, 100, bytes.subarray(100), other)).status).toBe(404)
      expect((await ask('DELETE', path, other)).status).toBe(404)
    }
    expect((await ask('GET', path, staff)).status).toBe(405)
    expect((await ask('DELETE', path, staff)).status).toBe(204)
    expect(listUploads()).toEqual([])
  })

  it('is the one that was judged: a query that names another upload is refused and reaches nothing [P02]', async () => {
    const south = await server.signIn('admin@south.example')
    const bytes = object('1.30.1.4')
    const path = await begin(bytes.length)
    await send(path, 0, bytes.subarray(0, 300))
    const foreignId = path.split('/').at(-1) ?? ''
    const ownPath = await begin(bytes.length, south)
    for (const query of [`?/${foreignId}`, `?x=/${foreignId}`, `?organizationId=/${foreignId}`, '?x']) {
      const crooked = `${ownPath}${query}`
      const statuses = [
        (await ask('HEAD', crooked, south)).status,
        (await send(crooked, 300, bytes.subarray(300), south)).status,
        (await ask('DELETE', crooked, south)).status,
      ]
      expect(statuses).toEqual(query.startsWith('?organizationId') ? [404, 404, 404] : [400, 400, 400])
    }
    expect((await ask('HEAD', path, staff)).headers.get('upload-offset')).toBe('300')
    expect((await send(path, 300, bytes.subarray(300))).status).toBe(201)
    await ask('DELETE', ownPath, south)
    expect(listUploads()).toEqual([])
  })

  it('of the provider goes on into the organization that was named when it began, and of nobody else [1.07, P02]', async () => {
    const provider = await server.signIn('super_admin')
    const bytes = object('1.30.1.3')
    const begun = await ask('POST', `/api/Scan/uploads?organizationId=${northId}`, provider, {
      'upload-length': String(bytes.length),
    })
    expect(begun.status).toBe(201)
    const path = begun.headers.get('location') ?? ''
    expect([(await ask('HEAD', path, provider)).status, (await send(path, 0, bytes, provider)).status]).toEqual([
      200, 201,
    ])
    const rows = await server.deps.db
      .selectFrom('instances')
      .select('organization_id')
      .where('sop_instance_uid', '=', '1.30.1.3')
      .execute()
    expect(rows).toEqual([{ organization_id: northId }])
  })

  it('keeps no name of a file [P23]', async () => {
    const path = await begin(1000)
    const info = await ask('HEAD', path, staff)
    expect(
      Buffer.from(info.headers.get('upload-metadata')?.match(/filename (\S+)/)?.[1] ?? '', 'base64').toString(),
    ).toBe('')
    expect(existsSync(join(server.deps.settings.dataDir, 'uploads', 'Doe_John.dcm'))).toBe(false)
    await ask('DELETE', path, staff)
  })

  it('needs Scan/Upload, a size within limits, and gives other origins nothing [P01, P10, P12]', async () => {
    expect(
      (await fetch(`${url}/api/Scan/uploads`, { method: 'POST', headers: { ...tus, 'upload-length': '10' } })).status,
    ).toBe(401)
    const huge = await ask('POST', '/api/Scan/uploads', staff, { 'upload-length': String(10 * 2 ** 40) })
    expect(huge.status).toBe(413)
    const foreign = await ask('POST', '/api/Scan/uploads', staff, {
      'upload-length': '10',
      origin: 'https://evil.example',
    })
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null])
    for (const path of ['/api/Scan/uploads/..%2f..%2fdemo-keys.json', '/api/Scan/uploads/%00'])
      expect((await ask('HEAD', path, staff)).status).toBe(404)
  })
})
