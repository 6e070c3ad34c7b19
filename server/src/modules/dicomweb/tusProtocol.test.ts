import { randomBytes } from 'node:crypto'
import { readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let url: string
let staff: SignedIn
let admin: SignedIn

beforeAll(async () => {
  server = await startServer({ DMP_ENCRYPTION_KEY: randomBytes(32).toString('base64') })
  url = await server.listen()
  ;[staff, admin] = await Promise.all([server.signIn('staff'), server.signIn('admin')])
})
afterAll(() => server.close())

const root = '/api/Scan/uploads'
const offsetType = 'application/offset+octet-stream'
const object = (number: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `1.31.1.${number}`),
      '0020000D': text('UI', '1.31'),
      '0020000E': text('UI', '1.31.1'),
    }),
  })
const ask = (method: string, path: string, headers: Record<string, string> = {}, body?: Buffer) =>
  fetch(url + path, {
    method,
    headers: { 'tus-resumable': '1.0.0', ...staff.headers, ...headers },
    ...(body && { body: new Uint8Array(body) }),
  })
async function begin(bytes: number): Promise<string> {
  const reply = await ask('POST', root, { 'upload-length': String(bytes) })
  expect(reply.status).toBe(201)
  return reply.headers.get('location') ?? ''
}
const send = (path: string, offset: number, bytes: Buffer, headers: Record<string, string> = {}) =>
  ask('PATCH', path, { 'upload-offset': String(offset), 'content-type': offsetType, ...headers }, bytes)
const offsetAt = async (path: string): Promise<[number, string | null]> => {
  const { status, headers } = await ask('HEAD', path)
  return [status, headers.get('upload-offset')]
}
const countStored = async (number: number): Promise<number> =>
  (
    await server.deps.db
      .selectFrom('instances')
      .select('sop_instance_uid')
      .where('sop_instance_uid', '=', `1.31.1.${number}`)
      .execute()
  ).length
const folder = () => join(server.deps.settings.dataDir, 'uploads')

describe('tus 1.0.0', () => {
  it('OPTIONS says versions, extensions and the largest size, to everybody', async () => {
    const reply = await fetch(url + root, { method: 'OPTIONS' })
    expect([reply.status, reply.headers.get('tus-version'), reply.headers.get('tus-resumable')]).toEqual([
      204,
      '1.0.0',
      '1.0.0',
    ])
    expect(reply.headers.get('tus-extension')?.split(',')).toEqual(
      expect.arrayContaining([
        'creation',
        'creation-with-upload',
        'creation-defer-length',
        'termination',
        'expiration',
      ]),
    )
    expect(Number(reply.headers.get('tus-max-size'))).toBeGreaterThan(2 ** 30)
  })

  it.each([
    ['another version', 'POST', { 'tus-resumable': '0.2.2', 'upload-length': '9' }, 412, 'WRONG_VERSION'],
    [
      'bytes of another type',
      'PATCH',
      { 'upload-offset': '0', 'content-type': 'application/dicom' },
      415,
      'WRONG_TYPE',
    ],
    ['bytes without an offset', 'PATCH', { 'content-type': offsetType }, 400, 'INVALID'],
    ['bytes at another offset', 'PATCH', { 'content-type': offsetType, 'upload-offset': '50' }, 409, 'WRONG_OFFSET'],
    ['an upload without a length', 'POST', {}, 400, 'INVALID'],
    ['a length that is none', 'POST', { 'upload-length': 'much' }, 400, 'INVALID'],
    ['a file that is too large', 'POST', { 'upload-length': String(2 ** 50) }, 413, 'TOO_LARGE'],
    ['parts beside each other', 'POST', { 'upload-length': '9', 'upload-concat': 'partial' }, 501, 'NOT_OFFERED'],
    ['a negative offset', 'PATCH', { 'content-type': offsetType, 'upload-offset': '-1' }, 400, 'INVALID'],
    ['a method that is none of the protocol', 'POST', { 'x-http-method-override': 'GET' }, 400, 'INVALID'],
    [
      'a method in place of one that is no POST',
      'PATCH',
      { 'content-type': offsetType, 'x-http-method-override': 'DELETE' },
      400,
      'INVALID',
    ],
  ])('refuses %s with what to send instead', async (_what, method, headers, status, code) => {
    const path = method === 'POST' && !('x-http-method-override' in headers) ? root : await begin(100)
    const reply = await ask(method, path, headers, method === 'PATCH' ? Buffer.from('x') : undefined)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const answer = (await reply.json()) as { code: string; message: string; requestId: string }
    expect(answer).toMatchObject({ message: expect.stringMatching(/\S/), requestId: expect.stringMatching(/\S/) })
    expect([reply.status, answer.code]).toEqual([status, code])
    expect(answer.message).not.toContain('JSON')
    expect(reply.headers.get('tus-version')).toBe(status === 412 ? '1.0.0' : null)
    if (path !== root) expect(await offsetAt(path)).toEqual([200, '0'])
  })

  it('says in its refusals what is missing, what the limit is, and both in the language of the sender', async () => {
    const sentences = async (headers: Record<string, string>) => {
      const reply = await ask('POST', root, headers)
      return ((await reply.json()) as { message: string }).message
    }
    expect(await sentences({})).toBe('Upload-Length: This is needed.')
    expect(await sentences({ 'accept-language': 'de' })).toBe('Upload-Length: Das wird gebraucht.')
    expect(await sentences({ 'upload-length': String(2 ** 50) })).toMatch(/^An upload has at most \d+(?:\.\d)? GB\.$/)
    const path = await begin(10)
    const noOffset = await ask('PATCH', path, { 'content-type': offsetType }, Buffer.from('x'))
    expect(await noOffset.json()).toMatchObject({ message: 'Upload-Offset: This is needed.' })
    const long = await send(path, 0, Buffer.alloc(11))
    expect([long.status, await long.json()]).toEqual([413, expect.objectContaining({ code: 'TOO_LARGE' })])
  })

  it('answers the last byte with 204, and a refused file with 422 and why: 409 would be tried again', async () => {
    const bytes = object(1)
    const path = await begin(bytes.length)
    const last = await send(path, 0, bytes)
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, String(bytes.length)])
    expect(await countStored(1)).toBe(1)
    const junk = Buffer.from('no object')
    const refusedPath = await begin(junk.length)
    const refused = await send(refusedPath, 0, junk)
    expect([refused.status, await refused.json()]).toEqual([
      422,
      expect.objectContaining({ code: 'NOT_DICOM', message: expect.stringContaining('DICOM') }),
    ])
    expect(await offsetAt(refusedPath)).toEqual([404, null])
  })

  it('takes no notice of what is said about the file, an empty word of it too', async () => {
    for (const metadata of ['', 'filename RG9l', '!!'])
      expect((await ask('POST', root, { 'upload-length': '9', 'upload-metadata': metadata })).status).toBe(201)
  })

  it('takes the whole file while it is created, stored or refused', async () => {
    const bytes = object(2)
    const create = (content: Buffer) =>
      ask('POST', root, { 'upload-length': String(content.length), 'content-type': offsetType }, content)
    const reply = await create(bytes)
    expect([reply.status, reply.headers.get('upload-offset'), await countStored(2)]).toEqual([
      201,
      String(bytes.length),
      1,
    ])
    expect(await offsetAt(reply.headers.get('location') ?? '')).toEqual([200, String(bytes.length)])
    expect((await create(Buffer.from('no object'))).status).toBe(422)
    const begun = await ask(
      'POST',
      root,
      { 'upload-length': String(bytes.length), 'content-type': offsetType },
      object(3).subarray(0, 200),
    )
    const rest = await send(begun.headers.get('location') ?? '', 200, object(3).subarray(200))
    expect([begun.headers.get('upload-offset'), rest.status, await countStored(3)]).toEqual(['200', 204, 1])
  })

  it('POST stands for PATCH, HEAD and DELETE where a proxy lets nothing else through', async () => {
    const bytes = object(4)
    const path = await begin(bytes.length)
    const over = (method: string, headers: Record<string, string> = {}, body?: Buffer) =>
      ask('POST', path, { 'x-http-method-override': method, ...headers }, body)
    const half = { 'upload-offset': '0', 'content-type': offsetType }
    expect((await over('PATCH', half, bytes.subarray(0, 300))).status).toBe(204)
    expect((await over('HEAD')).headers.get('upload-offset')).toBe('300')
    expect((await over('DELETE')).status).toBe(204)
    expect(await offsetAt(path)).toEqual([404, null])
    expect((await ask('POST', await begin(10))).status).toBe(404)
  })
})

describe('whoever did not get the last answer', () => {
  it('learns from HEAD that all is stored, and gets the outcome again; it is stored once', async () => {
    const bytes = object(5)
    const path = await begin(bytes.length)
    await send(path, 0, bytes)
    expect(await offsetAt(path)).toEqual([200, String(bytes.length)])
    const again = await send(path, bytes.length, Buffer.alloc(0), { accept: 'application/dicom+json' })
    expect([again.status, await again.text()]).toEqual([201, expect.stringContaining('1.31.1.5')])
    expect((await send(path, 0, bytes)).status).toBe(409)
    const foreign = await fetch(url + path, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0', ...admin.headers } })
    expect(foreign.status).toBe(404)
    expect(readdirSync(folder()).filter((name) => path.includes(name.split('.')[0] ?? ''))).toHaveLength(1)
  })

  it('is not told so while the store was away at the last byte; asking stores it', async () => {
    const bytes = object(6)
    const path = await begin(bytes.length)
    const away = jest.spyOn(server.deps.objects, 'stage').mockRejectedValue(new ObjectStoreError('UNAVAILABLE'))
    expect((await send(path, 0, bytes)).status).toBe(503)
    expect(await offsetAt(path)).toEqual([503, null])
    away.mockRestore()
    expect([await offsetAt(path), await countStored(6)]).toEqual([[200, String(bytes.length)], 1])
  })

  it('sends all again once the object was deleted', async () => {
    const bytes = object(7)
    const path = await begin(bytes.length)
    await send(path, 0, bytes)
    await admin.call(scan.remove, { organizationId: await server.organizationOf(staff), seriesIdList: ['1.31.1'] })
    expect(await offsetAt(path)).toEqual([404, null])
  })

  it('has a day to ask', async () => {
    const bytes = object(8)
    const path = await begin(bytes.length)
    await send(path, 0, bytes)
    const file = join(folder(), `${path.split('/').at(-1)}.json`)
    const [recent, old] = [20, 25].map((hours) => new Date(Date.now() - hours * 3_600_000)) as [Date, Date]
    const sweep = async () => {
      const { UploadFiles } = await import('./uploadFiles.ts')
      const files = new UploadFiles(server.deps, {
        directory: folder(),
        expirationPeriodInMilliseconds: 24 * 3_600_000,
      })
      await files.deleteExpired()
      return (await offsetAt(path))[0]
    }
    utimesSync(file, recent, recent)
    expect(await sweep()).toBe(200)
    utimesSync(file, old, old)
    expect(await sweep()).toBe(404)
  })
})
