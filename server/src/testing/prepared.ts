import { createHash } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { DatabaseLocation } from '../db/client.ts'
import { testDatabaseUrl } from '../settings/settings.ts'
import { startChild } from './childServer.ts'

/** Makes a migrated and seeded database in the place. */
export type Prepare = (
  place: DatabaseLocation,
  take: (database: { dump(): Promise<Blob>; segment: string }) => Promise<void>,
) => Promise<void>

const sources = fileURLToPath(new URL('../..', import.meta.url))
/** Outlives a run, so that the next one need not prepare again. */
const cacheFolder = join(sources, '../.cache/tests')

let known: string | undefined

/** Changes whenever what a fresh database holds may have changed. */
function fingerprint(): string {
  known ??= computeFingerprint()
  return known
}

function computeFingerprint(): string {
  const hash = createHash('sha256')
  const files = [
    ...globSync('src/db/**/*.ts', { cwd: sources }),
    ...globSync('src/modules/**/{seed,demo}*.ts', { cwd: sources }),
    'src/testing/prepared.ts',
    '../shared/contract/src/examples/index.ts',
    '../pnpm-lock.yaml',
  ]
  for (const file of files.sort()) hash.update(file).update(readFileSync(join(sources, file)))
  return hash.digest('hex').slice(0, 16)
}

/** A fresh database for one test file, cloned from one that was migrated and seeded once. */
export async function freshDatabase(prepare: Prepare): Promise<{ place: DatabaseLocation; drop(): Promise<void> }> {
  const url = testDatabaseUrl()
  return url ? freshPostgres(url, prepare) : freshEmbedded(prepare)
}

let clonedFrom: Blob | undefined

async function freshEmbedded(prepare: Prepare): Promise<{ place: DatabaseLocation; drop(): Promise<void> }> {
  const folder = join(cacheFolder, fingerprint())
  const file = join(folder, 'database.tar')
  await once(
    folder,
    () => existsSync(file),
    async () => {
      await prepare({ kind: 'memory' }, async (database) => {
        const dump = await database.dump()
        writeFileSync(`${file}.part`, dropUnused(Buffer.from(await dump.arrayBuffer()), database.segment))
        renameSync(`${file}.part`, file)
      })
    },
  )
  clonedFrom ??= new Blob([readFileSync(file)], { type: 'application/x-tar' })
  return {
    place: { kind: 'memory', prepared: clonedFrom },
    drop: async () => undefined,
  }
}

/**
 * Makes the folder one on which a demo server was started and ended once, unless it is one already. The next start on
 * it takes a third of the work of a first one.
 */
export async function prepareFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, 'database'))) return
  const place = join(cacheFolder, `${fingerprint()}-folder`)
  const made = join(place, 'made')
  await once(
    place,
    () => existsSync(made),
    async () => {
      const part = join(place, 'part')
      rmSync(part, { recursive: true, force: true })
      const child = startChild({ DMP_DEMO: '1', DMP_DATA_DIR: part, DMP_DISK_NOTICE_MB: '0' })
      await child.ready
      child.process.kill('SIGTERM')
      await child.ended
      renameSync(part, made)
    },
  )
  cpSync(made, folder, { recursive: true })
}

const tarBlock = 512

/**
 * Without the databases that others are made from (`base/1` and `base/4`), which are two thirds of all files, and
 * without segments of the log but the one that is written: nothing opens them, and each clone would unpack them.
 */
function dropUnused(tar: Buffer, segment: string): Buffer {
  const kept: Buffer[] = []
  let at = 0
  while (at + tarBlock <= tar.length && tar[at] !== 0) {
    const field = (start: number, end: number): string =>
      tar.toString('latin1', at + start, at + end).replace(/\0.*$/s, '')
    const end = at + tarBlock + Math.ceil(Number.parseInt(field(124, 136), 8) / tarBlock) * tarBlock
    const name = field(0, 100)
    const isUsed = /\bpg_wal\/[\dA-F]{24}$/.test(name) ? name.endsWith(segment) : !/\bbase\/[14]\/\d/.test(name)
    if (isUsed) kept.push(tar.subarray(at, end))
    at = end
  }
  return Buffer.concat([...kept, Buffer.alloc(2 * tarBlock)])
}

async function freshPostgres(
  url: string,
  prepare: Prepare,
): Promise<{ place: DatabaseLocation; drop(): Promise<void> }> {
  const template = `dmp_tests_${fingerprint()}`
  const admin = new pg.Client({ connectionString: url })
  await admin.connect()
  const exists = async (name: string): Promise<boolean> =>
    (await admin.query('select 1 from pg_database where datname = $1', [name])).rowCount === 1
  await once(
    join(cacheFolder, template),
    () => exists(template),
    async () => {
      await admin.query(`create database ${template}_part`)
      await prepare({ kind: 'postgres', url: withName(url, `${template}_part`), poolSize: 2 }, async () => undefined)
      await admin.query(`alter database ${template}_part rename to ${template}`)
    },
  )
  const name = `dmp_test_${process.pid}_${Math.random().toString(36).slice(2, 10)}`
  await admin.query(`create database ${name} template ${template}${await copyStrategy(admin)}`)
  return {
    place: { kind: 'postgres', url: withName(url, name), poolSize: 5 },
    drop: async () => {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/** Copies files as files, which takes a third of the time; it is the only way before PostgreSQL 15. */
async function copyStrategy(admin: pg.Client): Promise<string> {
  const { rows } = await admin.query<{ version: number }>(
    "select current_setting('server_version_num')::int as version",
  )
  return (rows[0]?.version ?? 0) >= 150_000 ? ' strategy file_copy' : ''
}

const withName = (url: string, name: string): string => {
  const address = new URL(url)
  address.pathname = `/${name}`
  return address.href
}

/** Test files run in several processes: one prepares, the others wait for it, and none for one that was killed. */
async function once(
  folder: string,
  isDone: () => boolean | Promise<boolean>,
  work: () => Promise<void>,
): Promise<void> {
  mkdirSync(folder, { recursive: true })
  const lock = join(folder, 'prepared-by')
  while (!(await isDone())) {
    try {
      writeFileSync(lock, String(process.pid), { flag: 'wx' })
    } catch {
      if (!isRunning(lock)) rmSync(lock, { force: true })
      await pause(100)
      continue
    }
    try {
      if (!(await isDone())) await work()
    } finally {
      rmSync(lock, { force: true })
    }
  }
}

function isRunning(lock: string): boolean {
  try {
    // Empty in the moment in which it is written.
    const owner = readFileSync(lock, 'utf8')
    return owner === '' || process.kill(Number(owner), 0)
  } catch {
    return false
  }
}
