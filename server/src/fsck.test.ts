import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { openBucket } from '@dmp/bucket'
import { startS3Server, type S3Server } from '@dmp/bucket/testing'
import { openDatabase } from './db/client.ts'
import { callsAt, objectOf } from './testing/callsFromOutside.ts'
import { startChild, type Ended } from './testing/childServer.ts'
import { prepareFolder } from './testing/prepared.ts'

const folder = mkdtempSync(join(tmpdir(), 'dmp-fsck-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Place {
  /** Keys of the stored objects. */
  list(): Promise<string[]>
  read(key: string): Promise<Buffer>
  put(key: string, bytes: Buffer): Promise<void>
  remove(key: string): Promise<void>
}

const inFolder = (dataDir: string): Place => {
  const at = (key: string): string => join(dataDir, 'objects', key)
  return {
    list: async () =>
      readdirSync(join(dataDir, 'objects'), { recursive: true, encoding: 'utf8' }).filter((name) =>
        statSync(at(name)).isFile(),
      ),
    read: async (key) => readFileSync(at(key)),
    put: async (key, bytes) => {
      mkdirSync(dirname(at(key)), { recursive: true })
      writeFileSync(at(key), bytes)
    },
    remove: async (key) => rmSync(at(key)),
  }
}
const inBucket = ({ location }: S3Server): Place => {
  const bucket = openBucket(location)
  return {
    list: async () => {
      const keys: string[] = []
      for await (const { key } of bucket.list('objects/')) keys.push(key.slice('objects/'.length))
      return keys
    },
    read: async (key) => {
      const pieces: Buffer[] = []
      for await (const piece of (await bucket.get(`objects/${key}`))?.stream ?? []) pieces.push(piece as Buffer)
      return Buffer.concat(pieces)
    },
    put: async (key, bytes) => void (await bucket.put(`objects/${key}`, new Uint8Array(bytes))),
    remove: (key) => bucket.remove(`objects/${key}`),
  }
}

/** An installation with four objects of one series, stopped. */
async function install(name: string, more: Record<string, string>): Promise<Record<string, string>> {
  const variables = { DMP_DEMO: '1', DMP_DATA_DIR: join(folder, name), DMP_DISK_NOTICE_MB: '0', ...more }
  if (name === 'folder') await prepareFolder(variables.DMP_DATA_DIR)
  const child = startChild(variables)
  const calls = callsAt((await child.ready).replace('localhost', '127.0.0.1'))
  const headers = await calls.signIn()
  const objects = [1, 2, 3, 4].map((number) => objectOf('1.99', number))
  expect((await calls.stow(headers, objects)).status).toBe(200)
  // The embedded database has one user.
  const beside = await startChild(variables, 'fsck.ts').ended
  expect([beside.code, beside.errors]).toEqual([1, expect.stringContaining('is using the data folder')])
  child.process.kill('SIGTERM')
  expect((await child.ended).code).toBe(0)
  return variables
}

async function damage(variables: Record<string, string>, place: Place): Promise<() => Promise<void>> {
  const [lost = '', changed = ''] = (await place.list()).toSorted()
  const [lostBytes, bytes] = [await place.read(lost), await place.read(changed)]
  await place.remove(lost)
  const flipped = Buffer.from(bytes)
  flipped[flipped.length - 20] = (flipped.at(-20) ?? 0) ^ 1
  await place.put(changed, flipped)
  await place.put(`${dirname(changed)}/1.2.3~${'0'.repeat(64)}~abcdef`, Buffer.from('nobody knows'))
  const dataDir = variables.DMP_DATA_DIR ?? ''
  const left = join(dataDir, 'incoming', 'left.part')
  writeFileSync(left, 'half')
  utimesSync(left, 0, 0)
  const database = await openDatabase({ kind: 'folder', folder: dataDir })
  const series = database.db.updateTable('series').set({ instances: 7 }).where('series_uid', '=', '1.99.1')
  const { organization_id } = await series.returning('organization_id').executeTakeFirstOrThrow()
  await database.db
    .updateTable('scan_totals')
    .set({ series: 99 })
    .where('organization_id', '=', organization_id)
    .execute()
  await database.close()
  return async () => {
    await place.put(lost, lostBytes)
    await place.put(changed, bytes)
  }
}

const counts = ({ out }: Ended): Record<string, number> => {
  const { problems } = JSON.parse(out) as { problems: { kind: string; isRepaired: boolean }[] }
  const all: Record<string, number> = {}
  for (const { kind, isRepaired } of problems) {
    const key = isRepaired ? `${kind} (repaired)` : kind
    all[key] = (all[key] ?? 0) + 1
  }
  return all
}

describe('npm run fsck', () => {
  let s3: S3Server
  beforeAll(async () => {
    s3 = await startS3Server('fsck/')
  })
  afterAll(() => s3.close())

  it.each(['folder', 'encrypted folder', 'bucket'])(
    'finds in a %s what is lost, changed, left over and miscounted, and repairs what is safe [P20, P23]',
    async (kind) => {
      const variables = await install(kind, {
        ...(kind === 'bucket' && s3.variables),
        ...(kind === 'encrypted folder' && { DMP_ENCRYPTION_KEY: randomBytes(32).toString('base64') }),
      })
      const place = kind === 'bucket' ? inBucket(s3) : inFolder(variables.DMP_DATA_DIR ?? '')
      const fsck = (...args: string[]): Promise<Ended> => startChild(variables, 'fsck.ts', args).ended
      expect(await fsck()).toMatchObject({ code: 0, out: 'Everything is in order.\n', errors: '' })
      const restore = await damage(variables, place)

      const found = await fsck('--json', '--pace', '500')
      expect([found.code, counts(found)]).toEqual([
        2,
        { missing: 1, damaged: 1, 'without row': 1, 'wrong count': 2, 'left over': 1 },
      ])
      const told = await fsck()
      expect(told.out).toContain('damaged: 1, 0 of them repaired. Objects whose bytes were changed or cut.')
      expect(told.out + found.out).not.toMatch(/Tester|Tilda|T-1/)

      const repaired = await fsck('--repair', '--json')
      expect([repaired.code, counts(repaired)]).toEqual([
        2,
        {
          missing: 1,
          damaged: 1,
          'without row (repaired)': 1,
          'wrong count (repaired)': 2,
          'left over (repaired)': 1,
        },
      ])
      expect(counts(await fsck('--json'))).toEqual({ missing: 1, damaged: 1 })
      await restore()
      expect(await fsck()).toMatchObject({ code: 0, out: 'Everything is in order.\n' })
    },
  )

  it('says what it cannot judge, and how it is called [P21]', async () => {
    const nowhere = { DMP_DEMO: '1', DMP_DATA_DIR: join(folder, 'nowhere') }
    const lost = await startChild(nowhere, 'fsck.ts').ended
    expect([lost.code, lost.errors]).toEqual([1, expect.stringContaining('There is no database in')])
    const wrong = await startChild(nowhere, 'fsck.ts', ['--pace', 'fast']).ended
    expect([wrong.code, wrong.errors]).toEqual([1, expect.stringContaining('--pace is a number')])
    const unknown = await startChild(nowhere, 'fsck.ts', ['--mend']).ended
    expect([unknown.code, unknown.errors]).toEqual([1, expect.stringContaining('npm run fsck -- [--repair]')])
  })
})
