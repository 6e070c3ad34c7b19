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
import { callsAt } from './testing/callsFromOutside.ts'
import { startChild, type Child } from './testing/childServer.ts'
import { startPeople } from './testing/people.ts'
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
    const people = await startPeople(balancer.url, { looking: 4, uploading: 3, storing: 1, root: 93 })
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
      await people.end()
    }
    const database = await openDatabase({ kind: 'postgres', url: cluster.url, poolSize: 1 })
    const { rows } = await sql<{ study_uid: string; sha256: string }>`select study_uid, sha256 from instances
      where study_uid like '1.93.%'`.execute(database.db)
    await database.close()
    const hashes = new Map(rows.map((row) => [row.study_uid, row.sha256]))
    const { toll, sent, complaints } = people
    process.stdout.write(`${JSON.stringify(toll)}\n`)
    expect([...complaints]).toEqual([])
    expect(toll).toMatchObject({ failed: 0, signedOut: 0, lost: 0 })
    expect([...sent].filter(([study, hash]) => hashes.get(study) !== hash)).toEqual([])
    expect(sent.size).toBeGreaterThan(5)
  })
})
