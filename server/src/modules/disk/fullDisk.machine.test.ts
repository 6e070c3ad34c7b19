import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { activate } from '@dmp/release/activate'
import { publish } from '@dmp/release/publish'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { aBuild } from '@dmp/release/testing/aBuild'
import { complaintTypes } from '@dmp/contract/examples'
import { toPolicy } from '@dmp/contract/policy'
import sharp from 'sharp'
import { callsAt, objectOf, type Answered, type OutsideCalls } from '../../testing/callsFromOutside.ts'
import { startChild, type Child } from '../../testing/childServer.ts'
import { mountSmallDisk, type SmallDisk } from '../../testing/smallDisk.ts'

/** Real full disks under a real server; how these tests get their mounts: `testing/smallDisk.ts`. */
jest.setTimeout(300_000)

const tus = { 'tus-resumable': '1.0.0' }
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const noRoom = 'The server is out of disk space, so nothing was saved. Please try again later, or tell the operator.'

let folder: string
let disks: SmallDisk[]
let child: Child
let calls: OutsideCalls

async function start(variables: Record<string, string> = {}): Promise<void> {
  child = startChild({
    DMP_DEMO: '1',
    DMP_DATA_DIR: folder,
    DMP_LIMIT_FACTOR: '1000',
    DMP_DISK_RESERVE_MB: '64',
    DMP_DISK_NOTICE_MB: '1000',
    ...variables,
  })
  calls = callsAt((await child.ready).replace('localhost', '127.0.0.1'))
}
async function stop(): Promise<number | null> {
  child.process.kill('SIGTERM')
  return (await child.ended).code
}
/** A data folder on a disk of its own, and the database in it on another. */
async function open(variables: Record<string, string> = {}): Promise<void> {
  folder = mkdtempSync(join(tmpdir(), 'dmp-full-'))
  disks = [mountSmallDisk(folder, 300)]
  mkdirSync(join(folder, 'database'))
  disks.push(mountSmallDisk(join(folder, 'database'), 300))
  const releases = openFolderStore(join(folder, 'releases'))
  const { name, releaseId } = await publish(releases, aBuild('host', 'one'), { commit: 'abc' })
  await activate(releases, { parts: [{ name, releaseId }] }, { by: 'a test' })
  await start(variables)
}
async function close(): Promise<void> {
  child.process.kill('SIGKILL')
  await child.ended
  for (const disk of disks.toReversed()) disk.close()
  rmSync(folder, { recursive: true, force: true })
}

const complain = (headers: Record<string, string>, image = png): Promise<Answered> =>
  calls.ask('POST', '/api/Complaint/add', headers, {
    typeId: complaintTypes[0]?.id,
    moduleId: toPolicy('admin')[0]?.moduleId,
    description: 'full',
    imageData: JSON.stringify({
      filename: 'x.png',
      filesize: image.length,
      fileDataURL: `data:image/png;base64,${image.toString('base64')}`,
    }),
  })
const begin = (headers: Record<string, string>, bytes: number): Promise<Answered> =>
  calls.ask('POST', '/api/Scan/uploads', { ...headers, ...tus, 'upload-length': String(bytes) })
const send = (headers: Record<string, string>, path: string, offset: number, bytes: Buffer): Promise<Answered> =>
  calls.ask(
    'PATCH',
    path,
    { ...headers, ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream' },
    bytes,
  )
async function organizationOf(headers: Record<string, string>): Promise<string> {
  const { data } = JSON.parse((await calls.ask('GET', '/api/account/profile', headers)).text) as {
    data: { organizationId: string }
  }
  return data.organizationId
}
const transfer = async (headers: Record<string, string>, study: string): Promise<Answered> =>
  calls.ask('POST', `/api/Scan/transfer/${await organizationOf(headers)}`, headers, {
    scans: [{ studyUID: study, seriesUID: `${study}.1` }],
    dstOrganizationName: 'South-Clinic',
    anonymize: true,
  })
const remove = async (headers: Record<string, string>, study: string): Promise<Answered> =>
  calls.ask('DELETE', `/api/Scan/delete/${await organizationOf(headers)}`, headers, { seriesIdList: [`${study}.1`] })
const read = (headers: Record<string, string>, study: string): Promise<Answered> =>
  calls.ask('GET', `/dicom-web/studies/${study}/series/${study}.1/instances/${study}.1.1`, {
    ...headers,
    accept: 'application/dicom',
  })
const readiness = async (): Promise<{ status: string; warnings?: string[] }> =>
  JSON.parse((await calls.ask('GET', '/readyz')).text) as { status: string; warnings?: string[] }
const fill = (which: 'objects' | 'database', freeMegabytes?: number): void =>
  disks[which === 'objects' ? 0 : 1]?.leave(freeMegabytes)

/** Every kind of write, by its name. */
async function writeAll(headers: Record<string, string>, study: string): Promise<Record<string, number>> {
  return {
    stow: (await calls.stow(headers, [objectOf(study, 9)])).status,
    tus: (await begin(headers, 1000)).status,
    complaint: (await complain(headers)).status,
    transfer: (await transfer(headers, study)).status,
    'sign-in': (await calls.login()).status,
    read: (await read(headers, study)).status,
  }
}

describe('a full disk of the database', () => {
  beforeAll(() => open())
  afterAll(close)

  it('refuses every write with 507, keeps a reserve for deleting and signing in, and goes on with room [P20, P21]', async () => {
    const headers = await calls.signIn()
    for (const study of ['1.81', '1.82', '1.83'])
      expect((await calls.stow(headers, [objectOf(study, 1)])).status).toBe(200)
    expect(await readiness()).toMatchObject({
      status: 'ready',
      warnings: [expect.stringMatching(/^The disk of the database has \d+ MB left/), expect.anything()],
    })

    fill('database', 50)
    const refused = await complain(headers)
    expect([refused.status, JSON.parse(refused.text)]).toMatchObject([507, { code: 'NO_ROOM', message: noRoom }])
    expect(refused.headers.get('retry-after')).toBe('60')
    expect(await writeAll(headers, '1.81')).toEqual({
      stow: 507,
      tus: 507,
      complaint: 507,
      transfer: 507,
      'sign-in': 200,
      read: 200,
    })
    expect((await remove(headers, '1.82')).status).toBe(200)
    expect(await readiness()).toMatchObject({
      status: 'limited',
      warnings: [expect.stringContaining('uploads and changes are refused'), expect.anything()],
    })

    // The reserve is used up as well: nothing is written any more, and still everything answers.
    fill('database', 10)
    expect((await remove(headers, '1.83')).status).toBe(507)
    expect((await calls.login()).status).toBe(507)
    expect((await calls.ask('GET', '/healthz')).status).toBe(200)
    expect((await calls.ask('GET', '/api/Scan/listTransfers', headers)).status).toBe(200)

    fill('database')
    expect((await remove(headers, '1.83')).status).toBe(200)
    expect(await writeAll(headers, '1.81')).toEqual({
      stow: 200,
      tus: 201,
      complaint: 200,
      transfer: 200,
      'sign-in': 200,
      read: 200,
    })
    // The administrators heard of it before anything was refused.
    const mails = JSON.parse((await calls.ask('GET', '/dev/mail.json?to=super@dmp.example')).text) as {
      data: { subject: string; text: string }[]
    }
    expect(mails.data.filter(({ subject }) => subject.endsWith('is nearly full'))).toHaveLength(2)
  })

  it('stops in order and starts again while it is full [P20]', async () => {
    fill('database', 50)
    expect(await stop()).toBe(0)
    await start()
    const headers = await calls.signIn()
    expect((await read(headers, '1.81')).status).toBe(200)
    expect((await read(headers, '1.82')).status).toBe(404)
  })
})

describe('a full disk of the objects', () => {
  beforeAll(() => open())
  afterAll(close)

  it('refuses what puts objects there, and nothing else [P20, P21]', async () => {
    const headers = await calls.signIn()
    for (const study of ['1.84', '1.85']) expect((await calls.stow(headers, [objectOf(study, 1)])).status).toBe(200)
    fill('objects', 40)
    expect(await writeAll(headers, '1.84')).toEqual({
      stow: 507,
      tus: 507,
      complaint: 200,
      transfer: 507,
      'sign-in': 200,
      read: 200,
    })
    expect((await remove(headers, '1.85')).status).toBe(200)
    fill('objects')
    expect((await calls.stow(headers, [objectOf('1.85', 1)])).status).toBe(200)
  })

  it('stops an upload before the reserve is gone; it goes on behind the bytes that arrived [P20, P21]', async () => {
    const headers = await calls.signIn()
    const bytes = objectOf('1.86', 1, 60 * 2 ** 20)
    const path = (await begin(headers, bytes.length)).headers.get('location') ?? ''
    fill('objects', 90)
    const full = await send(headers, path, 0, bytes)
    expect([full.status, JSON.parse(full.text)]).toMatchObject([507, { code: 'NO_ROOM', message: noRoom }])
    // The same in one request: nothing of it stays.
    expect((await calls.stow(headers, [objectOf('1.87', 1, 60 * 2 ** 20)])).status).toBe(507)
    fill('objects')
    const head = await calls.ask('HEAD', path, { ...headers, ...tus })
    const offset = Number(head.headers.get('upload-offset'))
    expect(offset).toBeGreaterThan(2 ** 20)
    expect(offset).toBeLessThan(bytes.length)
    expect((await send(headers, path, offset, bytes.subarray(offset))).status).toBe(204)
    expect((await read(headers, '1.86')).status).toBe(200)
    expect((await read(headers, '1.87')).status).toBe(404)
  })
})

describe('a database that found no room after all', () => {
  // Without a reserve nothing is refused before.
  beforeAll(() => open({ DMP_DISK_RESERVE_MB: '0' }))
  afterAll(close)

  it('is answered for with 503 in 10 s, ends the process with a sentence, and opens again [P20, P21]', async () => {
    const headers = await calls.signIn()
    const noise = await sharp(randomBytes(600 * 600 * 3), { raw: { width: 600, height: 600, channels: 3 } })
      .png()
      .toBuffer()
    // Each fills a megabyte of the log. The tables always have room; the log's next segment of 16 MB finds none, once
    // what is left of this one, and of those that it kept, is used up.
    let reply = await complain(headers, noise)
    for (let tries = 0; reply.status !== 503 && tries < 200; tries += 1) {
      fill('database', 12)
      const began = performance.now()
      reply = await complain(headers, noise)
      expect(performance.now() - began).toBeLessThan(20_000)
      expect([200, 503, 507]).toContain(reply.status)
    }
    expect(reply.status).toBe(503)
    const { code, errors } = await child.ended
    expect([code, errors]).toEqual([70, expect.stringContaining('The embedded database has not answered for a minute')])
    fill('database')
    await start()
    const again = await calls.signIn()
    expect((await complain(again)).status).toBe(200)
  })
})

it('a server whose database finds no space at its first start says so, and what to do [P21]', async () => {
  const place = mkdtempSync(join(tmpdir(), 'dmp-full-'))
  const disk = mountSmallDisk(place, 8)
  try {
    const { code, errors } = await startChild({ DMP_DEMO: '1', DMP_DATA_DIR: join(place, 'data') }).ended
    expect(code).toBe(1)
    expect(errors).toContain(
      `The embedded database in ${join(place, 'data')} cannot be opened (ENOSPC: no space left on the disk).`,
    )
    expect(errors).toContain('check that its disk has space')
  } finally {
    disk.close()
    rmSync(place, { recursive: true, force: true })
  }
})
