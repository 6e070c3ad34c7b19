import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { listParts } from '../../shared/build/src/workspace.ts'
import type { ReleaseRef, Snapshot } from '../../shared/contract/src/release.ts'
import { startS3Server, type S3Server } from '../../shared/bucket/src/testing/s3Server.ts'
import {
  activate,
  openStore,
  publishParts,
  readRelease,
  readSnapshot,
  toBucketAccess,
  type ReleaseStore,
} from '../../shared/release/src/index.ts'
import { startBalancer, type Balancer } from '../../server/src/testing/balancer.ts'
import { startChild, type Child } from '../../server/src/testing/childServer.ts'
import { findPort } from '../../server/src/testing/postgresCluster.ts'
import { publishAlteredRelease } from '../drills/publishAlteredRelease.ts'
import { startFailOver, type FailOver } from './failOver.ts'

/** An installation of several machines, on one. */
export interface World {
  readonly url: string
  readonly servers: readonly Server[]
  readonly balancer: Balancer
  readonly databases: FailOver
  readonly bucket: S3Server
  /** Variables of a command beside the servers. */
  readonly variables: Readonly<Record<string, string>>
  /** Another release of a part goes live. */
  release(): Promise<void>
  close(): Promise<void>
}

export interface Server {
  start(): Promise<void>
  signal(name: NodeJS.Signals): void
  /** Its exit code, and what it said of it. */
  readonly ended: () => Promise<{ readonly code: number | null; readonly errors: string }>
  /** Lines of its log that name a fault of its own, also of those that ended. */
  faults(): string[]
}

const serverCount = 3
const releases = 's3://dmp-objects/releases'
const altered = 'remote-complaint'

/** Three servers behind HAProxy; PgBouncer, PostgreSQL with a fail-over, and an S3 server behind them. */
export async function startWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-chaos-'))
  const databases = await startFailOver()
  const bucket = await startS3Server()
  const store = openStore(releases, toBucketAccess(bucket.variables))
  const { remotes } = await fill(store)
  const ports: number[] = []
  for (let count = 0; count < serverCount; count += 1) ports.push(await findPort())
  const balancer = await startBalancer(ports)
  const variables = {
    ...bucket.variables,
    DMP_DEMO: '1',
    DATABASE_URL: databases.pooledUrl,
    DATABASE_DIRECT_URL: databases.directUrl,
  }
  const servers = ports.map((port, nth) => createServer(folder, nth, { ...variables, PORT: String(port) }))
  for (const server of servers) await server.start()
  let edition = 0
  return {
    url: balancer.url,
    servers,
    balancer,
    databases,
    bucket,
    variables: { ...variables, DMP_DATA_DIR: join(folder, '0') },
    release: async () => {
      const ref = remotes.find(({ name }) => name === altered)
      if (!ref) throw new Error(`${altered} is not live.`)
      edition += 1
      const { name, releaseId } = await publishAlteredRelease(
        store,
        await readRelease(store, ref.name, ref.releaseId),
        `edition ${edition}`,
        (script) => `${script}\n/* edition ${edition} */`,
      )
      await activate(store, { parts: [{ name, releaseId }] }, { by: 'chaos' })
    },
    close: async () => {
      for (const server of servers) server.signal('SIGKILL')
      await Promise.all(servers.map(({ ended }) => ended()))
      await balancer.close()
      await bucket.close()
      await databases.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** One part after the other: this store answers one request at a time, and whoever waits for long gives up. */
async function fill(store: ReleaseStore): Promise<Snapshot> {
  const parts: ReleaseRef[] = []
  for (const { name } of listParts()) parts.push(...(await publishParts(store, { only: [name] })))
  return readSnapshot(store, (await activate(store, { parts }, { by: 'chaos' })).live)
}

function createServer(folder: string, nth: number, variables: Readonly<Record<string, string>>): Server {
  const dataDir = join(folder, String(nth))
  // The secrets of the demo, which all servers share.
  const keys = (of: number): string => join(folder, String(of), 'demo-keys.json')
  const children: Child[] = []
  let child: Child | undefined
  return {
    start: async () => {
      mkdirSync(dataDir, { recursive: true, mode: 0o700 })
      if (nth > 0) copyFileSync(keys(0), keys(nth))
      child = startChild({
        ...variables,
        DMP_DATA_DIR: dataDir,
        DMP_DISK_NOTICE_MB: '0',
        DMP_DRAIN_SECONDS: '4',
        DMP_LIMIT_FACTOR: '100',
        DMP_LOG_LEVEL: 'warn',
        DMP_RELEASES: releases,
        DMP_TRUST_PROXY: '1',
      })
      children.push(child)
      await child.ready
    },
    signal: (name) => void child?.process.kill(name),
    ended: async () => (await child?.ended) ?? { code: null, errors: '' },
    faults: () =>
      children.flatMap(({ said }) =>
        said.out.split('\n').filter((line) => /unexpected error|an upload failed/.test(line)),
      ),
  }
}
