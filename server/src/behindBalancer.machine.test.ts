import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { activate } from '@dmp/release/activate'
import { openStore, toBucketAccess } from '@dmp/release/store/openStore'
import { publishAs } from '@dmp/release/testing/signing'
import { sql } from 'kysely'
import { openDatabase } from './db/client.ts'
import { settingsTable } from './settings/settingsTable.ts'
import { balancerFile, findBalancerFault, startBalancer, type Balancer } from './testing/balancer.ts'
import { callsAt, objectOf, type Answered, type OutsideCalls } from './testing/callsFromOutside.ts'
import { startChild, type Child } from './testing/childServer.ts'
import { startPooler, type Pooler } from './testing/pooler.ts'
import { findPort, startPostgresCluster, type PostgresCluster } from './testing/postgresCluster.ts'
import { byTests } from './testing/releases.ts'

jest.setTimeout(580_000)

const folder = mkdtempSync(join(tmpdir(), 'dmp-balanced-'))
const releases = 's3://dmp-objects/releases'
const dataDirs = ['a', 'b'].map((name) => join(folder, name))
let ports: readonly [number, number]
let cluster: PostgresCluster
let pooler: Pooler
let bucket: S3Server
let balancer: Balancer
const children: Child[] = []

async function start(at: 0 | 1): Promise<void> {
  const child = startChild({
    ...bucket.variables,
    DMP_DEMO: '1',
    DMP_DATA_DIR: dataDirs[at] ?? '',
    DATABASE_URL: pooler.url,
    DATABASE_DIRECT_URL: cluster.url,
    DMP_DISK_NOTICE_MB: '0',
    DMP_DRAIN_SECONDS: '4',
    DMP_LIMIT_FACTOR: '100',
    DMP_RELEASES: releases,
    DMP_TRUST_PROXY: '1',
    PORT: String(ports[at]),
  })
  children[at] = child
  await child.ready
}

beforeAll(async () => {
  ;[cluster, bucket] = await Promise.all([startPostgresCluster(), startS3Server()])
  pooler = await startPooler(cluster.url, 10)
  // Without a host nobody is ready.
  const store = openStore(releases, toBucketAccess(bucket.variables))
  await activate(store, { parts: [await publishAs(store, 'host', 'one')] }, byTests)
  ports = [await findPort(), await findPort()]
  balancer = await startBalancer(ports)
  await start(0)
  mkdirSync(dataDirs[1] ?? '', { recursive: true, mode: 0o700 })
  copyFileSync(join(dataDirs[0] ?? '', 'demo-keys.json'), join(dataDirs[1] ?? '', 'demo-keys.json'))
  await start(1)
})
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  await balancer.close()
  await pooler.close()
  await bucket.close()
  cluster.close()
  rmSync(folder, { recursive: true, force: true })
})

const nap = (ms: number): Promise<void> => new Promise((over) => setTimeout(over, ms))
/** What a proxy or a server says that has nothing: worth another try. */
const passing = [0, 502, 503, 504]

/** The proof: what was acknowledged and lost, and whom it cost what. */
const table = { calls: 0, failedWithoutRetry: 0, retried: 0, signedOut: 0, uploads: 0, lost: 0 }

/** As clients do: again after a moment, where that is worth it. */
async function patiently(ask: () => Promise<Answered>): Promise<Answered> {
  for (let tries = 0; ; tries += 1) {
    table.calls += 1
    const reply = await ask().catch(() => ({ status: 0, headers: new Headers(), text: '' }))
    if (reply.status === 401) table.signedOut += 1
    if (!passing.includes(reply.status)) return reply
    if (tries === 60) table.failedWithoutRetry += 1
    if (tries === 60) return reply
    table.retried += 1
    await nap(500)
  }
}

/** By steps of 300,000 bytes; after a step that failed it asks, and goes on from what it is told. */
async function upload(calls: OutsideCalls, headers: Record<string, string>, study: string): Promise<Buffer> {
  const bytes = objectOf(study, 1, 2 ** 21)
  const tus = { ...headers, 'tus-resumable': '1.0.0' }
  const begun = await patiently(() =>
    calls.ask('POST', '/api/Scan/uploads', { ...tus, 'upload-length': String(bytes.length) }),
  )
  const path = begun.headers.get('location') ?? ''
  let acknowledged = 0
  while (acknowledged < bytes.length) {
    const step = { ...tus, 'content-type': 'application/offset+octet-stream', 'upload-offset': String(acknowledged) }
    const piece = bytes.subarray(acknowledged, acknowledged + 300_000)
    table.calls += 1
    const sent = await calls.ask('PATCH', path, step, piece).catch(() => undefined)
    const said = sent?.status === 204 ? sent : await patiently(() => calls.ask('HEAD', path, tus))
    const offset = Number(said.headers.get('upload-offset') ?? -1)
    if (offset < acknowledged) table.lost += 1
    if (offset < 0) break
    acknowledged = offset
  }
  table.uploads += 1
  return bytes
}

describe('servers behind the balancer of deploy/', () => {
  it('are reached by a configuration that HAProxy accepts, and files that name no setting that is none', () => {
    expect(findBalancerFault(balancerFile)).toBe('')
    const known = new Set<string>(Object.values(settingsTable).map(({ name }) => name))
    for (const file of ['compose.yaml', 'kubernetes/dmp.yaml', 'kubernetes/migrate.yaml', 'Containerfile']) {
      const text = readFileSync(fileURLToPath(new URL(`../../deploy/${file}`, import.meta.url)), 'utf8')
      const named = [...text.matchAll(/^ *((?:DMP|DATABASE|SMTP)_[A-Z0-9_]+)[:=]/gm)].map(([, name]) => name ?? '')
      expect(named.filter((name) => !known.has(name))).toEqual([])
    }
  })

  it('come, go and die while people call and upload: nothing that was acknowledged is lost, and nobody is signed out [P93]', async () => {
    const calls = callsAt(balancer.url)
    while ((await calls.ask('GET', '/readyz')).status !== 200) await nap(200)
    const headers = await calls.signIn('staff@north.example')
    let isOver = false
    const looking = Array.from({ length: 4 }, async () => {
      while (!isOver) {
        const { status } = await patiently(() => calls.ask('GET', '/api/account/profile', headers))
        expect(status).toBe(200)
        await nap(100)
      }
    })
    const sent = new Map<string, Buffer>()
    const sending = Array.from({ length: 3 }, async (_, line) => {
      for (let nth = 1; !isOver; nth += 1) {
        const study = `1.93.${line + 1}.${nth}`
        sent.set(study, await upload(calls, headers, study))
      }
    })
    try {
      await nap(2000)
      children[0]?.process.kill('SIGTERM')
      expect((await children[0]?.ended)?.code).toBe(0)
      await nap(1000)
      await start(0)
      await nap(3000)
      children[1]?.process.kill('SIGKILL')
      await nap(3000)
      await start(1)
      await nap(3000)
      children[0]?.process.kill('SIGSTOP')
      await nap(12_000)
      children[0]?.process.kill('SIGCONT')
      await pooler.restart()
      await nap(3000)
    } finally {
      isOver = true
      await Promise.all([...looking, ...sending])
    }
    const database = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 1 })
    const { rows } = await sql<{ study_uid: string; sha256: string }>`select study_uid, sha256 from instances
      where study_uid like '1.93.%'`.execute(database.db)
    await database.close()
    const hashes = new Map(rows.map((row) => [row.study_uid, row.sha256]))
    for (const [study, bytes] of sent)
      if (hashes.get(study) !== createHash('sha256').update(bytes).digest('hex')) table.lost += 1
    process.stdout.write(`${JSON.stringify(table)}\n`)
    expect(table).toMatchObject({ failedWithoutRetry: 0, signedOut: 0, lost: 0, uploads: sent.size })
    expect(sent.size).toBeGreaterThan(3)
  })
})
