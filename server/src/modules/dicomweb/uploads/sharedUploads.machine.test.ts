import { createHash, randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { request, type ClientRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openBucket } from '@dmp/bucket'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { sql } from 'kysely'
import { openDatabase, type Database } from '../../../db/client.ts'
import { callsAt, objectOf, type Answered, type OutsideCalls } from '../../../testing/callsFromOutside.ts'
import { startChild, type Child } from '../../../testing/childServer.ts'
import { startPostgresCluster, type PostgresCluster } from '../../../testing/postgresCluster.ts'

const root = '/api/Scan/uploads'
const perPerson = 6
const megabyte = 2 ** 20
const folder = mkdtempSync(join(tmpdir(), 'dmp-shared-uploads-'))
const dataDirs = ['here', 'there'].map((name) => join(folder, name))
let cluster: PostgresCluster
let bucket: S3Server
let database: Database
let headers: Record<string, string>
const children: Child[] = []
let here: OutsideCalls & { readonly url: string }
let there: OutsideCalls & { readonly url: string }

/** Its data folder is its own. */
async function start(at: 0 | 1): Promise<OutsideCalls & { readonly url: string }> {
  const child = startChild({
    ...bucket.variables,
    DMP_DEMO: '1',
    DMP_DATA_DIR: dataDirs[at] ?? '',
    DATABASE_URL: cluster.url,
    DMP_UPLOADS_PER_PERSON: String(perPerson),
    DMP_DISK_NOTICE_MB: '0',
    DMP_ENCRYPTION_KEY: masterKey,
  })
  children[at] = child
  const url = (await child.ready).replace('localhost', '127.0.0.1')
  return { ...callsAt(url), url }
}
const masterKey = randomBytes(32).toString('base64')

beforeAll(async () => {
  ;[cluster, bucket] = await Promise.all([startPostgresCluster(), startS3Server('dmp/')])
  here = await start(0)
  // Both sign with the same keys, as servers in production do.
  mkdirSync(dataDirs[1] ?? '', { recursive: true, mode: 0o700 })
  copyFileSync(join(dataDirs[0] ?? '', 'demo-keys.json'), join(dataDirs[1] ?? '', 'demo-keys.json'))
  there = await start(1)
  database = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 1 })
  headers = { ...(await here.signIn('staff@north.example')), 'tus-resumable': '1.0.0' }
})
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  await database.close()
  await bucket.close()
  cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

async function until<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read()
    if (holds(value)) return value
    await new Promise((again) => setTimeout(again, 50))
  }
}
async function begin(server: OutsideCalls, bytes: number): Promise<string> {
  const reply = await server.ask('POST', root, { ...headers, 'upload-length': String(bytes) })
  expect(reply.status).toBe(201)
  return reply.headers.get('location') ?? ''
}
const patchOf = (offset: number) => ({
  ...headers,
  'upload-offset': String(offset),
  'content-type': 'application/offset+octet-stream',
})
const send = (server: OutsideCalls, path: string, offset: number, bytes: Buffer): Promise<Answered> =>
  server.ask('PATCH', path, patchOf(offset), bytes)
/** As clients do: asks, waits where it is told to, and asks again. */
async function offsetAt(server: OutsideCalls, path: string): Promise<number> {
  const { headers: told } = await until(
    () => server.ask('HEAD', path, headers),
    ({ status }) => status === 200,
  )
  return Number(told.get('upload-offset'))
}
/** Bytes at a standstill in the middle. */
function sendPart(url: string, path: string, bytes: Buffer, length: number): ClientRequest {
  const sending = request(url + path, { method: 'PATCH', headers: { ...patchOf(0), 'content-length': length } })
  sending.on('error', () => undefined)
  sending.write(bytes)
  return sending
}
const arrivedOf = async (path: string): Promise<number> => {
  const { rows } = await sql<{
    arrived: string
  }>`select arrived from uploads where id = ${path.split('/').at(-1)}`.execute(database.db)
  return Number(rows[0]?.arrived)
}
/** Hashes of what is stored of the study. */
async function storedOf(study: string): Promise<string[]> {
  const { rows } = await sql<{ sha256: string }>`select sha256 from instances where study_uid = ${study}`.execute(
    database.db,
  )
  return rows.map(({ sha256 }) => sha256)
}
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')
async function piecesInBucket(): Promise<string[]> {
  const keys: string[] = []
  for await (const { key } of openBucket(bucket.location).list('objects/uploads/')) keys.push(key)
  return keys
}

describe('with a bucket and a PostgreSQL a resumable upload', () => {
  it('goes on at another server, with a folder of its own, where the first one was killed in the middle [P92]', async () => {
    const bytes = objectOf('1.92.1', 1, 20 * megabyte)
    const path = await begin(here, bytes.length)
    const sending = sendPart(here.url, path, bytes.subarray(0, 12 * megabyte), bytes.length)
    await until(
      () => arrivedOf(path),
      (arrived) => arrived >= 8 * megabyte,
    )
    children[0]?.process.kill('SIGKILL')
    await children[0]?.ended
    sending.destroy()
    const offset = await offsetAt(there, path)
    expect(offset).toBeGreaterThanOrEqual(8 * megabyte)
    expect((await send(there, path, offset, bytes.subarray(offset))).status).toBe(204)
    expect(await storedOf('1.92.1')).toEqual([hashOf(bytes)])
    expect(await offsetAt(there, path)).toBe(bytes.length)
    here = await start(0)
    expect(await offsetAt(here, path)).toBe(bytes.length)
  })

  it('has one writer: the other server asks it to let go, and what was acknowledged stays [P92]', async () => {
    const bytes = objectOf('1.92.2', 1, megabyte)
    const path = await begin(here, bytes.length)
    const sending = sendPart(here.url, path, bytes.subarray(0, 400_000), bytes.length)
    const leaving = new Promise((left) => sending.on('response', left).on('close', left))
    // The bytes are on the disk of a server that would wait for the rest.
    const offset = await until(
      () => offsetAt(there, path),
      (arrived) => arrived === 400_000,
    )
    await leaving
    const both = await Promise.all([here, there].map((server) => send(server, path, offset, bytes.subarray(offset))))
    const statuses = both.map(({ status }) => status).toSorted()
    expect([
      [204, 409],
      [204, 503],
    ]).toContainEqual(statuses)
    const refused = JSON.parse(both.find(({ status }) => status !== 204)?.text ?? '{}') as { message?: string }
    expect([
      'Upload-Offset is not what has arrived. Ask with HEAD, and go on from there.',
      'Another request still sends to this upload. Please try again.',
    ]).toContain(refused.message)
    expect(await storedOf('1.92.2')).toEqual([hashOf(bytes)])
  })

  it('goes on elsewhere while a server hangs, whose bytes count for nothing when it wakes up [P92]', async () => {
    const bytes = objectOf('1.92.3', 1, megabyte)
    const path = await begin(here, bytes.length)
    const wrong = randomBytes(300_000)
    const sending = sendPart(here.url, path, wrong, bytes.length)
    const { rows } = await until(
      () => sql`select 1 from uploads where id = ${path.split('/').at(-1)} and holder is not null`.execute(database.db),
      (found) => found.rows.length === 1,
    )
    expect(rows).toHaveLength(1)
    children[0]?.process.kill('SIGSTOP')
    try {
      const offset = await offsetAt(there, path)
      // Those of the hanging one, or none.
      expect([0, wrong.length]).toContain(offset)
      if (offset === 0) {
        expect((await send(there, path, 0, bytes)).status).toBe(204)
        expect(await storedOf('1.92.3')).toEqual([hashOf(bytes)])
      }
    } finally {
      children[0]?.process.kill('SIGCONT')
    }
    sending.end(bytes.subarray(wrong.length))
    await until(
      () => here.ask('GET', '/healthz'),
      ({ status }) => status === 200,
    )
    expect(await offsetAt(here, path)).toBe(bytes.length)
    expect(await storedOf('1.92.3')).toEqual([hashOf(bytes)])
  })

  it('is stored once, whichever servers are asked at its end, and leaves nothing in bucket and folders [P12, P92]', async () => {
    const bytes = objectOf('1.92.4', 1, megabyte)
    const path = await begin(there, bytes.length)
    const asked = await Promise.all([send(there, path, 0, bytes), offsetAt(here, path), offsetAt(here, path)])
    expect(asked[0].status).toBe(204)
    expect(await offsetAt(here, path)).toBe(bytes.length)
    expect(await storedOf('1.92.4')).toEqual([hashOf(bytes)])
    expect((await send(here, path, bytes.length, Buffer.alloc(0))).status).toBe(204)
    expect(await until(piecesInBucket, (keys) => keys.length === 0)).toEqual([])
    expect(dataDirs.flatMap((dir) => readdirSync(join(dir, 'uploads')))).toEqual([])
  })

  it('of many short requests lies in few objects [P19, P92]', async () => {
    const bytes = objectOf('1.92.5', 1, 8192 * 4)
    const path = await begin(here, bytes.length)
    const step = Math.ceil(bytes.length / 6)
    for (let at = 0; at < 5 * step; at += step)
      expect((await send(at % 2 ? here : there, path, at, bytes.subarray(at, at + step))).status).toBe(204)
    expect(await piecesInBucket()).toHaveLength(1)
    expect((await send(here, path, 5 * step, bytes.subarray(5 * step))).status).toBe(204)
    expect(await storedOf('1.92.5')).toEqual([hashOf(bytes)])
  })

  it('is one of a few of its person, counted over all servers [P18, P92]', async () => {
    const begun = await Promise.all(
      Array.from({ length: perPerson + 4 }, (_, at) =>
        (at % 2 ? here : there).ask('POST', root, { ...headers, 'upload-length': '10' }),
      ),
    )
    const created = begun.filter(({ status }) => status === 201)
    expect(created).toHaveLength(perPerson)
    expect(begun.filter(({ status }) => status === 429)).toHaveLength(4)
    for (const reply of created) {
      const dropped = await there.ask('DELETE', reply.headers.get('location') ?? '', headers)
      expect(dropped.status).toBe(204)
    }
    expect((await here.ask('HEAD', created[0]?.headers.get('location') ?? '', headers)).status).toBe(404)
  })

  it('that nobody finishes is swept from bucket and rows after a day; of others’ nothing is seen [P02, P92]', async () => {
    const path = await begin(there, 1000)
    expect((await send(there, path, 0, randomBytes(500))).status).toBe(204)
    expect(await piecesInBucket()).toHaveLength(1)
    const south = { ...(await here.signIn('admin@south.example')), 'tus-resumable': '1.0.0' }
    for (const method of ['HEAD', 'DELETE']) expect((await here.ask(method, path, south)).status).toBe(404)
    await sql`update uploads set created_date = now() - interval '25 hours' where id = ${path.split('/').at(-1)}`.execute(
      database.db,
    )
    children[0]?.process.kill('SIGKILL')
    await children[0]?.ended
    here = await start(0)
    expect(await until(piecesInBucket, (keys) => keys.length === 0)).toEqual([])
    expect((await there.ask('HEAD', path, headers)).status).toBe(404)
  })

  it('whose bytes a restored bucket does not have is begun anew: 410, and nothing is called complete [P92]', async () => {
    const bytes = objectOf('1.92.7', 1, 2 * megabyte)
    // One that is read to be stored with what follows, and one that is read at the end.
    for (const length of [500, 1.5 * megabyte]) {
      const path = await begin(there, bytes.length)
      expect((await send(there, path, 0, bytes.subarray(0, length))).status).toBe(204)
      for (const key of await piecesInBucket()) await openBucket(bucket.location).remove(key)
      const last = await send(here, path, length, bytes.subarray(length))
      expect([last.status, JSON.parse(last.text)]).toEqual([410, expect.objectContaining({ code: 'NOT_FOUND' })])
      expect((await there.ask('HEAD', path, headers)).status).toBe(404)
    }
    expect(await storedOf('1.92.7')).toEqual([])
  })

  it('that began in a folder under an earlier version goes on there [P21, P92]', async () => {
    const bytes = objectOf('1.92.6', 1)
    const id = randomBytes(16).toString('hex')
    const { rows } = await sql<{
      id: string
      organization_id: string
    }>`select id, organization_id from users where email = 'staff@north.example'`.execute(database.db)
    const metadata = { userId: rows[0]?.id, organizationId: rows[0]?.organization_id }
    const file = join(dataDirs[0] ?? '', 'uploads', id)
    writeFileSync(file, bytes.subarray(0, 300))
    const record = { id, metadata, size: bytes.length, offset: 0, creation_date: new Date().toISOString() }
    writeFileSync(`${file}.json`, JSON.stringify(record))
    const path = `${root}/${id}`
    expect(await offsetAt(here, path)).toBe(300)
    expect((await send(here, path, 300, bytes.subarray(300))).status).toBe(204)
    expect(await storedOf('1.92.6')).toEqual([hashOf(bytes)])
    expect(existsSync(file)).toBe(false)
  })
})
