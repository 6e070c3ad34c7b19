import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { deflateRawSync } from 'node:zlib'
import { scan } from '@dmp/contract'
import { dicomFile, slice, text, u16 } from '../../dicom/testing/dicomFile.ts'
import { keyIdOf } from '../../outside/encryption/dataKey.ts'
import { createTestMasterKey } from '../../testing/objects.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

/** Encryption at rest by the user's doors, with objects in the data folder. */
let server: TestServer
let url: string
let admin: SignedIn
let south: SignedIn
let northId: string
let southId: string

const hiddenName = 'Canarybird'
const side = 256
const pixels = randomBytes(side * side * 2)
const object = (number: number, series = '1.61.1'): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${series}.${number}`),
      '0020000D': text('UI', '1.61'),
      '0020000E': text('UI', series),
      '00200013': text('IS', String(number)),
      '00100010': text('PN', `${hiddenName}^Tilda`),
      '00104000': text('LT', 'Allergic to feathers'),
      '00280010': u16(side),
      '00280011': u16(side),
      '7FE00010': { vr: 'OW', value: pixels },
    }),
  })

beforeAll(async () => {
  server = await startServer({ DMP_ENCRYPTION_KEY: createTestMasterKey() })
  url = await server.listen()
  ;[admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
  const ids = await server.deps.db.selectFrom('organizations').select(['id', 'name']).execute()
  northId = ids.find((organization) => organization.name === 'North-Clinic')?.id ?? ''
  southId = ids.find((organization) => organization.name === 'South-Clinic')?.id ?? ''
  expect((await stow(server, admin, [object(1), object(2), object(3)])).statusCode).toBe(200)
})
afterAll(() => server.close())

const get = (path: string, who = admin, accept = 'application/octet-stream') =>
  server.app.inject({ url: path, headers: { ...who.headers, accept } })
const instancePath = (number: number): string => `/dicom-web/studies/1.61/series/1.61.1/instances/1.61.1.${number}`
const files = (): string[] =>
  readdirSync(server.deps.settings.dataDir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(server.deps.settings.dataDir, name))
    .filter((path) => existsSync(path) && statSync(path).isFile())
/** Files of the data folder that hold something of the patient: a name, a remark or pixels. */
const revealing = (): string[] =>
  files().filter((path) => {
    const bytes = readFileSync(path)
    return [hiddenName, 'feathers', pixels.subarray(500, 532)].some((secret) => bytes.includes(secret))
  })
const instanceRows = (organizationId: string) =>
  server.deps.db.selectFrom('instances').selectAll().where('organization_id', '=', organizationId).execute()
const fileOf = async (number: number): Promise<string> => {
  const rows = await instanceRows(northId)
  const key = rows.find((row) => row.sop_instance_uid === `1.61.1.${number}`)?.object_key ?? ''
  return join(server.deps.settings.dataDir, 'objects', key)
}

it('what is uploaded reads as it was sent, whole, by frame, as header, picture and zip', async () => {
  expect((await get(instancePath(2), admin, 'application/dicom')).rawPayload.equals(object(2))).toBe(true)
  expect((await get(`${instancePath(2)}/frames/1`)).rawPayload.equals(pixels)).toBe(true)
  expect((await get(`${instancePath(2)}/bulkdata/7FE00010`)).rawPayload.equals(pixels)).toBe(true)
  const json = 'application/dicom+json'
  expect((await get('/dicom-web/studies/1.61/metadata', admin, json)).body.match(/feathers/g)).toHaveLength(3)
  for (const level of ['studies', 'series', 'instances'])
    expect((await get(`/dicom-web/${level}?StudyInstanceUID=1.61&includefield=00104000`, admin, json)).body).toContain(
      'feathers',
    )
  const detail = await admin.call(scan.get, { organizationId: northId, seriesUID: '1.61.1' })
  expect(detail.data.patient.name).toContain(hiddenName)
  const first = await get('/dicom-web/studies/1.61/series/1.61.1/thumbnail', admin, 'image/jpeg')
  const again = await get('/dicom-web/studies/1.61/series/1.61.1/thumbnail', admin, 'image/jpeg')
  expect([first.statusCode, again.rawPayload.equals(first.rawPayload)]).toEqual([200, true])
  const { downloadUrl } = (await admin.call(scan.download, { organizationId: northId, seriesUID: '1.61.1' })).data
  expect((await server.app.inject({ url: new URL(downloadUrl).pathname })).rawPayload.includes(object(3))).toBe(true)
})

it('leaves nothing of the patient in the clear: in no file, header or thumbnail', async () => {
  expect([files().filter((path) => path.endsWith('.enc')).length, revealing()]).toEqual([3, []])
  const keys = await server.deps.db.selectFrom('organization_keys').selectAll().execute()
  expect(keys).toMatchObject([{ organization_id: northId, retired_date: null }])
  for (const row of await instanceRows(northId)) expect([row.header[0], row.key_id]).toEqual([7, keys[0]?.id])
  const thumbnails = await server.deps.db.selectFrom('thumbnails').select('image').execute()
  expect(thumbnails.map(({ image }) => image[0])).toEqual([7])
})

it('an unfinished upload is hidden as well, and goes on where it stopped', async () => {
  const bytes = object(4)
  const ask = (method: string, path: string, headers: Record<string, string>, body?: Buffer) =>
    fetch(url + path, {
      method,
      headers: { 'tus-resumable': '1.0.0', ...admin.headers, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    })
  const path = (await ask('POST', '/api/Scan/uploads', { 'upload-length': String(bytes.length) })).headers.get(
    'location',
  )
  const send = (from: number, to: number) =>
    ask(
      'PATCH',
      path ?? '',
      { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
      bytes.subarray(from, to),
    )
  for (const [from, to] of [
    [0, 1001],
    [1001, 50_003],
  ] as const)
    expect((await send(from, to)).status).toBe(204)
  expect(files().filter((file) => file.includes('/uploads/')).length).toBe(2)
  expect(revealing()).toEqual([])
  expect((await send(50_003, bytes.length)).status).toBe(204)
  expect((await get(instancePath(4), admin, 'application/dicom')).rawPayload.equals(bytes)).toBe(true)
})

it('a transferred scan lies under the key of its receiver', async () => {
  const { id } = (
    await admin.call(scan.transfer, {
      organizationId: northId,
      scans: [{ studyUID: '1.61', seriesUID: '1.61.1' }],
      dstOrganizationName: 'South-Clinic',
      anonymize: false,
    })
  ).data
  for (let tries = 0; tries < 600; tries++) {
    const found = (await admin.call(scan.listTransfers, {})).data.find((transfer) => transfer.id === id)
    if (found?.finishedDate) break
    await new Promise((again) => setTimeout(again, 20))
  }
  const keys = await server.deps.db.selectFrom('organization_keys').selectAll().execute()
  const southKey = keys.find((key) => key.organization_id === southId)
  const rows = await instanceRows(southId)
  expect(rows.map((row) => row.key_id)).toEqual(Array.from({ length: 4 }, () => southKey?.id))
  const [row] = rows
  const path = `/dicom-web/studies/${row?.study_uid}/series/${row?.series_uid}/instances/${row?.sop_instance_uid}`
  expect((await get(`${path}/frames/1`, south)).rawPayload.equals(pixels)).toBe(true)
})

it('an object or header that somebody changed on the disk is refused, and said so', async () => {
  const [path, other] = [await fileOf(1), await fileOf(2)]
  const intact = readFileSync(path)
  const flipped = Buffer.from(intact)
  flipped[1000] = (flipped[1000] ?? 0) ^ 1
  for (const changed of [flipped, readFileSync(other), object(1)]) {
    writeFileSync(path, changed)
    for (const url of [instancePath(1), `${instancePath(1)}/frames/1`, `${instancePath(1)}/rendered`]) {
      const reply = await get(url, admin, url === instancePath(1) ? 'application/dicom' : '*/*')
      expect([url, reply.statusCode, reply.json()]).toEqual([
        url,
        500,
        expect.objectContaining({ code: 'STORE_DAMAGED' }),
      ])
    }
  }
  // What is damaged behind its first chunk is found on the way: the answer breaks off.
  writeFileSync(path, intact.subarray(0, -1))
  await expect(get(instancePath(1), admin, 'application/dicom')).rejects.toThrow('destroyed')
  expect((await get(`${instancePath(1)}/frames/1`)).statusCode).toBe(500)
  expect(server.logs.some((line) => line.includes('was damaged or changed'))).toBe(true)
  writeFileSync(path, intact)
  expect((await get(`${instancePath(1)}/frames/1`)).rawPayload.equals(pixels)).toBe(true)

  const headers = new Map((await instanceRows(northId)).map((row) => [row.sop_instance_uid, row.header]))
  await server.deps.db
    .updateTable('instances')
    .set({ header: headers.get('1.61.1.2') ?? new Uint8Array() })
    .where('sop_instance_uid', '=', '1.61.1.3')
    .execute()
  expect((await get(`${instancePath(3)}/metadata`, admin, 'application/dicom+json')).json()).toMatchObject({
    code: 'STORE_DAMAGED',
  })
})

const json = 'application/dicom+json'
const thumbnailPath = '/dicom-web/studies/1.61/series/1.61.1/thumbnail'
async function setHeader(uid: string, header: Uint8Array): Promise<void> {
  await server.deps.db
    .updateTable('instances')
    .set({ header })
    .where('organization_id', '=', northId)
    .where('sop_instance_uid', '=', uid)
    .execute()
  // Rows are remembered for seconds; whoever changes the database by hand tells nobody.
  server.deps.bus.publish({ kind: 'missed' })
}

it('a header or thumbnail in the clear does not pass for a sealed one, nor one under another key', async () => {
  const rows = await instanceRows(northId)
  const header = rows.find((row) => row.sop_instance_uid === '1.61.1.2')?.header ?? new Uint8Array()
  const otherKey = Buffer.from(header)
  otherKey[5] = (otherKey[5] ?? 0) ^ 1
  const forged = deflateRawSync(JSON.stringify({ '00100010': { vr: 'PN', Value: [{ Alphabetic: 'Forged' }] } }))
  const paths = [
    `${instancePath(2)}/metadata`,
    '/dicom-web/instances?SOPInstanceUID=1.61.1.2&includefield=00104000',
    `${instancePath(2)}/frames/1`,
  ]
  for (const changed of [forged, otherKey]) {
    await setHeader('1.61.1.2', changed)
    for (const path of paths) {
      const reply = await get(path, admin, path.includes('frames') ? '*/*' : json)
      expect([path, reply.statusCode, reply.json().code]).toEqual([path, 500, 'STORE_DAMAGED'])
    }
  }
  expect(server.logs.some((line) => line.includes(`header ${northId} 1.61.1.2`))).toBe(true)
  await setHeader('1.61.1.2', header)
  expect((await get(paths[0] ?? '', admin, json)).statusCode).toBe(200)

  expect((await get(thumbnailPath, admin, 'image/jpeg')).statusCode).toBe(200)
  await server.deps.db
    .updateTable('thumbnails')
    .set({ image: Buffer.from([0xff, 0xd8, 0xff, 0xd9]) })
    .execute()
  const reply = await get(thumbnailPath, admin, 'image/jpeg')
  expect([reply.statusCode, reply.json().code]).toEqual([500, 'STORE_DAMAGED'])
  await server.deps.db.deleteFrom('thumbnails').execute()
})

it('a thumbnail under a newer key than its instance goes on being read', async () => {
  await server.deps.encryption.add(northId, 'next')
  for (let time = 0; time < 2; time++) expect((await get(thumbnailPath, admin, 'image/jpeg')).statusCode).toBe(200)
  const [thumbnail] = await server.deps.db.selectFrom('thumbnails').select('image').execute()
  const row = (await instanceRows(northId)).find(({ sop_instance_uid: uid }) => uid === '1.61.1.2')
  expect(keyIdOf(thumbnail?.image ?? new Uint8Array())).not.toBe(row?.key_id)
})

it('an object whose header names another key is damaged, and the log says which', async () => {
  const path = await fileOf(2)
  const intact = readFileSync(path)
  const flipped = Buffer.from(intact)
  flipped[12] = (flipped[12] ?? 0) ^ 1
  writeFileSync(path, flipped)
  for (const url of [instancePath(2), `${instancePath(2)}/bulkdata/7FE00010`]) {
    const reply = await get(url, admin, url === instancePath(2) ? 'application/dicom' : '*/*')
    expect([reply.statusCode, reply.json().code]).toEqual([500, 'STORE_DAMAGED'])
  }
  const id = /~([0-9a-f]{32})\.\d+\.enc$/.exec(path)?.[1] ?? 'none'
  expect(server.logs.some((line) => line.includes(`object ${id}`))).toBe(true)
  writeFileSync(path, intact)
  expect((await get(instancePath(2), admin, 'application/dicom')).statusCode).toBe(200)
})

it('names of files tell nobody which file is there, and those of an earlier version stay readable', async () => {
  const clearHash = createHash('sha256').update(object(1)).digest('hex')
  expect((await stow(server, south, [object(1)])).statusCode).toBe(200)
  const middles = files().flatMap((path) => /\/1\.61\.1\.1~([0-9a-f]{64})~/.exec(path)?.[1] ?? [])
  expect(new Set([...middles, clearHash]).size).toBe(3)
  const key = (await instanceRows(northId)).find((row) => row.sop_instance_uid === '1.61.1.1')?.object_key ?? ''
  const previousKey = key.replace(/~[0-9a-f]{64}~/, `~${clearHash}~`)
  const toPath = (name: string): string => join(server.deps.settings.dataDir, 'objects', name)
  renameSync(toPath(key), toPath(previousKey))
  await server.deps.db.updateTable('instances').set({ object_key: previousKey }).where('object_key', '=', key).execute()
  const reply = await get(instancePath(1), admin, 'application/dicom')
  expect([reply.statusCode, reply.rawPayload.equals(object(1))]).toEqual([200, true])
})
