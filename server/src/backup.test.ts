import { randomBytes } from 'node:crypto'
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import pg from 'pg'
import { callsAt, objectOf, type OutsideCalls } from './testing/callsFromOutside.ts'
import { startChild, type Child, type Ended } from './testing/childServer.ts'

jest.setTimeout(240_000)

const work = mkdtempSync(join(tmpdir(), 'dmp-backup-'))
const objects = [1, 2, 3, 4, 5].map((number) => objectOf('1.92', number, 8192))
const postgres = process.env.TEST_DATABASE_URL
const places = ['folder', 'segments', 'encrypted bucket', ...(postgres ? ['PostgreSQL'] : [])] as const

let s3: S3Server
const databases: string[] = []
const children: Child[] = []
beforeAll(async () => {
  s3 = await startS3Server('backup/')
})
afterAll(async () => {
  for (const child of children) child.process.kill('SIGKILL')
  await Promise.all(children.map(({ ended }) => ended))
  for (const name of databases) await ask(`drop database if exists ${name} with (force)`)
  await s3.close()
  rmSync(work, { recursive: true, force: true })
})

async function ask<T extends object>(statement: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: postgres })
  await client.connect()
  try {
    return (await client.query<T>(statement)).rows
  } finally {
    await client.end()
  }
}

async function makeDatabase(): Promise<string> {
  const name = `dmp_backup_${randomBytes(6).toString('hex')}`
  databases.push(name)
  await ask(`create database ${name}`)
  const url = new URL(postgres ?? '')
  url.pathname = `/${name}`
  return url.href
}

type Variables = Record<string, string>

/** An empty place for an installation; keys are what an operator holds elsewhere. */
async function makePlace(kind: string, name: string, keys: Variables): Promise<Variables> {
  return {
    DMP_DEMO: '1',
    DMP_DATA_DIR: join(work, kind, name),
    DMP_DISK_NOTICE_MB: '0',
    ...keys,
    ...(kind === 'segments' && { DMP_APPEND_OBJECTS: '1' }),
    ...(kind === 'encrypted bucket' && { ...s3.variables, DMP_S3_PREFIX: `${name}/` }),
    ...(kind === 'PostgreSQL' && { DATABASE_URL: await makeDatabase() }),
  }
}

const run = (variables: Variables, name: 'backup' | 'restore' | 'fsck', ...args: string[]): Promise<Ended> =>
  startChild(variables, `${name}.ts`, args).ended

async function whileItRuns(variables: Variables, act: (calls: OutsideCalls) => Promise<void>): Promise<void> {
  const child = startChild(variables)
  children.push(child)
  await act(callsAt((await child.ready).replace('localhost', '127.0.0.1')))
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
}

/** The numbers of the objects that somebody of the clinic gets back, byte for byte. */
async function readBack({ ask: call, signIn }: OutsideCalls): Promise<number[]> {
  const headers = { ...(await signIn()), accept: 'application/dicom+json' }
  const { status, text } = await call('GET', '/dicom-web/studies/1.92/metadata', headers)
  if (status !== 200) return []
  return (JSON.parse(text) as Record<string, { Value: string[] }>[])
    .map((one) => Number(one['00080018']?.Value[0]?.split('.').at(-1)))
    .toSorted((one, other) => one - other)
}

const countNew = ({ out }: Ended): number => Number(/(\d+) objects are new/.exec(out)?.[1])

const setsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => /^\d{4}-/.test(name))
    .toSorted()
const bytesIn = (folder: string): string[] =>
  globSync('objects/**/*', { cwd: folder })
    .filter((path) => statSync(join(folder, path)).isFile())
    .toSorted()

describe.each(places)('npm run backup and npm run restore: %s', (kind) => {
  const keys = kind === 'encrypted bucket' ? { DMP_ENCRYPTION_KEY: randomBytes(32).toString('base64') } : {}
  const folder = join(work, `${kind} backups`)
  let original: Variables
  /** Of the demo. */
  let samples: number

  it('write while the server runs, then only what is new, and prove it in a place of its own [P87]', async () => {
    original = await makePlace(kind, 'original', keys)
    await whileItRuns(original, async (calls) => {
      const headers = await calls.signIn()
      expect((await calls.stow(headers, objects.slice(0, 3))).status).toBe(200)
      const first = await run(original, 'backup', folder)
      expect(first).toMatchObject({ code: 0, errors: '' })
      samples = countNew(first) - 3
      expect(samples).toBeGreaterThan(0)
      expect((await calls.stow(headers, objects.slice(3))).status).toBe(200)
      expect(countNew(await run(original, 'backup', folder))).toBe(2)
    })
    expect([setsIn(folder).length, bytesIn(folder).length]).toEqual([2, samples + 5])

    for (const set of setsIn(folder)) {
      const checked = await run(original, 'restore', folder, '--check', '--of', set)
      expect(checked).toMatchObject({ code: 0, errors: '' })
      expect(checked.out).toMatch(new RegExp(`^Backup ${set} is good.\nOf the \\d+ newest series, [1-9]\\d* were`))
    }
    expect(globSync(join(tmpdir(), 'dmp-restore-check-*'))).toEqual([])
    if (kind === 'PostgreSQL')
      expect(await ask(`select datname from pg_database where datname like 'dmp_restore_check%'`)).toEqual([])
    // Nobody but the server's account reads it.
    expect(statSync(folder).mode & 0o077).toBe(0)
  })

  it('give back what was there then: people, scans and the audit trail [P24, P87]', async () => {
    const [first = '', second = ''] = setsIn(folder)
    for (const [set, numbers] of [
      [first, [1, 2, 3]],
      [second, [1, 2, 3, 4, 5]],
    ] as const) {
      const place = await makePlace(kind, set, keys)
      const restored = await run(place, 'restore', folder, '--of', set)
      expect(restored).toMatchObject({ code: 0, errors: '' })
      expect(await run(place, 'fsck')).toMatchObject({ code: 0, out: 'Everything is in order.\n' })
      await whileItRuns(place, async (calls) => {
        expect(await readBack(calls)).toEqual(numbers)
        expect((await calls.stow(await calls.signIn(), [objectOf('1.93', 1)])).status).toBe(200)
      })
      const again = await run(place, 'restore', folder)
      expect([again.code, again.errors]).toEqual([1, expect.stringContaining('already. Nothing was changed.')])
    }
  })

  it('say what of a backup is lost or changed, and restore none that is not what was written [P87]', async () => {
    const [lost = '', changed = ''] = bytesIn(folder)
    const kept = [readFileSync(join(folder, lost)), readFileSync(join(folder, changed))] as const
    rmSync(join(folder, lost))
    const flipped = Buffer.from(kept[1])
    flipped[flipped.length - 20] = (flipped.at(-20) ?? 0) ^ 1
    writeFileSync(join(folder, changed), flipped)
    const checked = await run(original, 'restore', folder, '--check', '--json')
    const { problems } = JSON.parse(checked.out) as { problems: { kind: string; what: string }[] }
    expect(checked.code).toBe(2)
    expect(problems.map(({ kind: what }) => what).toSorted()).toEqual(['damaged', 'missing'])
    const place = await makePlace(kind, 'half', keys)
    const refused = await run(place, 'restore', folder)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('is not in the backup')])
    // The next backup fills the gap, and what is restored from it is whole.
    rmSync(join(folder, changed))
    expect(countNew(await run(original, 'backup', folder))).toBe(2)
    expect((await run(original, 'restore', folder, '--check')).code).toBe(0)

    const newest = setsIn(folder).at(-1) ?? ''
    const [file = ''] = globSync(['database.dump', 'database/base/*/*'], { cwd: join(folder, newest) })
    const whole = readFileSync(join(folder, newest, file))
    writeFileSync(join(folder, newest, file), Buffer.concat([whole, Buffer.from('x')]))
    const other = await run(await makePlace(kind, 'altered', keys), 'restore', folder)
    expect([other.code, other.errors]).toEqual([1, expect.stringContaining(`is not what was written: ${file}`)])
    writeFileSync(join(folder, newest, file), whole)
  })

  it('keep as many as they are told, and no bytes that only older ones named [P23, P87]', async () => {
    const [oldest = ''] = setsIn(folder)
    // A scan that was deleted for good between the two.
    mkdirSync(join(folder, 'objects/scans/gone'), { recursive: true })
    writeFileSync(join(folder, 'objects/scans/gone/1.2~3'), 'of a patient')
    const list = join(folder, oldest, 'objects.txt')
    writeFileSync(list, `${readFileSync(list, 'utf8')}scans/gone/1.2~3\n`)
    // One that was broken off is none.
    cpSync(join(folder, oldest), join(folder, `${oldest}.part`), { recursive: true })
    const before = bytesIn(folder)
    expect((await run(original, 'backup', folder, '--keep', '2')).code).toBe(0)
    expect(setsIn(folder).length).toBe(2)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    expect(bytesIn(folder)).toEqual(before.filter((path) => !path.includes('gone')))
    expect((await run(original, 'restore', folder, '--check')).code).toBe(0)
  })
})

describe('npm run backup', () => {
  const variables = { DMP_DEMO: '1', DMP_DATA_DIR: join(work, 'folder/original') }

  it.each([
    ['in the data folder', join(work, 'folder/original/backups'), 'would lie in the data folder'],
    ['around the data folder', join(work, 'folder'), 'would lie in the data folder'],
    ['with other things', join(work, 'mixed'), 'also holds other things, such as letter.txt'],
  ])('writes nothing to a folder %s', async (_, folder, sentence) => {
    mkdirSync(join(work, 'mixed'), { recursive: true })
    writeFileSync(join(work, 'mixed/letter.txt'), 'dear')
    const { code, errors } = await run(variables, 'backup', folder)
    expect([code, errors]).toEqual([1, expect.stringContaining(sentence)])
    expect(readdirSync(join(work, 'mixed'))).toEqual(['letter.txt'])
  })

  it('copies bytes alone where the database has backups of its own, and gives them back', async () => {
    const folder = join(work, 'bytes')
    const written = await run(variables, 'backup', folder, '--without-database')
    expect([written.code, countNew(written)]).toEqual([0, bytesIn(variables.DMP_DATA_DIR).length])
    const place = { DMP_DEMO: '1', DMP_DATA_DIR: join(work, 'bytes alone') }
    const refused = await run(place, 'restore', folder)
    expect([refused.code, refused.errors]).toEqual([1, expect.stringContaining('holds no database')])
    expect(await run(place, 'restore', folder, '--objects')).toMatchObject({ code: 0 })
    expect(bytesIn(place.DMP_DATA_DIR)).toEqual(bytesIn(folder))
  })

  it('says where there is none to restore', async () => {
    const { code, errors } = await run(variables, 'restore', join(work, 'nowhere'))
    expect([code, errors]).toEqual([1, expect.stringContaining('There is no folder')])
  })
})
