import { randomUUID } from 'node:crypto'
import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { scan } from '@dmp/contract'
import { sql } from 'kysely'
import { objectOf } from '../../../testing/callsFromOutside.ts'
import { startServer, type TestServer } from '../../../testing/server.ts'
import { stowBody } from '../../../testing/stow.ts'
import { asOwner } from '../../audit/chainInTests.ts'
import { checkOrphans, checkRows, listStoredRows, type StoreProblem } from './storedBytes.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer({ DMP_SCRUB_DAYS: '1' })
  await store([1, 2, 3])
  const left = { role: 'super_admin', status: 'Deactivated' } as const
  await server.deps.db.updateTable('users').set(left).where('email', '=', 'sys@dmp.example').execute()
})
afterAll(() => server.close())

async function store(numbers: readonly number[]): Promise<void> {
  const { headers } = await server.signIn('admin')
  const { payload, headers: type } = stowBody(numbers.map((number) => objectOf('1.94', number, 8192)))
  const reply = await server.app.inject({
    method: 'POST',
    url: '/dicom-web/studies',
    headers: { ...headers, ...type },
    payload,
  })
  expect(reply.statusCode).toBe(200)
}

/** The work of another day. */
async function nextDay(): Promise<void> {
  const { db, jobs } = server.deps
  const id = randomUUID()
  await db.transaction().execute((trx) => jobs.add(trx, 'scrub', [{ id }]))
  jobs.wake('scrub')
  const isDone = async (): Promise<boolean> => {
    const { rows } = await sql<{ state: string }>`select state from jobs.job where id = ${id}`.execute(db)
    return rows[0]?.state === 'completed'
  }
  while (!(await isDone())) await new Promise((again) => setTimeout(again, 20))
}

async function readAll<T>(rows: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const row of rows) all.push(row)
  return all
}

/** Also of one who may not sign in any more. */
const listMails = () =>
  server.deps.db
    .selectFrom('mails')
    .selectAll()
    .where('recipient', 'in', ['super@dmp.example', 'sys@dmp.example'])
    .orderBy('created_date')
    .execute()
const keyOf = async (number: number): Promise<string> => {
  const { object_key } = await server.deps.db
    .selectFrom('instances')
    .select('object_key')
    .where('sop_instance_uid', '=', `1.94.1.${number}`)
    .executeTakeFirstOrThrow()
  return object_key
}

describe('stored bytes', () => {
  it('are read again, and nobody is told while all are what was uploaded [P88]', async () => {
    await nextDay()
    expect(await listMails()).toEqual([])
  })

  it('that were altered or are gone are told by mail to super administrators, by key and without a name [P23, P88]', async () => {
    const at = (key: string): string => join(server.deps.settings.dataDir, 'objects', key)
    const [altered, gone, whole] = [await keyOf(1), await keyOf(2), await keyOf(3)]
    const bytes = await readFile(at(altered))
    const kept = await readFile(at(gone))
    const flipped = Buffer.from(bytes)
    flipped[flipped.length - 20] = (flipped.at(-20) ?? 0) ^ 1
    await writeFile(at(altered), flipped)
    await rm(at(gone))
    await nextDay()
    const [mail, ...others] = await listMails()
    expect(others).toEqual([])
    expect(mail?.subject).toMatch(/^What .+ has stored was altered$/)
    expect(mail?.text).toContain('not what was uploaded: 2.')
    expect(mail?.text).toContain(`damaged: ${altered}`)
    expect(mail?.text).toContain(`missing: ${gone}`)
    expect(mail?.text).not.toContain(whole)
    expect(mail?.text).not.toContain('Sample')
    expect(server.logs.join('')).toContain('a stored object is not what was uploaded')
    await writeFile(at(altered), bytes)
    await writeFile(at(gone), kept)
    await nextDay()
    expect(await listMails()).toHaveLength(1)
  })

  it('are left alone from the moment on at which the server stops', async () => {
    const { db, objects } = server.deps
    const read = jest.spyOn(objects, 'read')
    const check = { db, objects, bytesPerSecond: Infinity, onProgress: () => undefined, report: () => undefined }
    await expect(checkRows({ ...check, signal: AbortSignal.abort() })).rejects.toThrow(/aborted/)
    expect(read).not.toHaveBeenCalled()
    read.mockRestore()
  })

  it('are each in one part of so many, the same in each round', async () => {
    // Keys are random: of a few, all can lie in one part.
    await store(Array.from({ length: 30 }, (_, at) => at + 4))
    const keysOf = async (part?: { nth: number; of: number }): Promise<string[]> =>
      (await readAll(listStoredRows(server.deps.db, part))).map(({ object_key }) => object_key).toSorted()
    const parts = await Promise.all([0, 1, 2].map((nth) => keysOf({ nth, of: 3 })))
    expect(parts.flat().toSorted()).toEqual(await keysOf())
    expect(parts.filter((part) => part.length > 0).length).toBeGreaterThan(1)
    expect(await keysOf({ nth: 1, of: 3 })).toEqual(parts[1])
  })

  it('are each looked at once, however many there are, also in the bin [P88]', async () => {
    const { db } = server.deps
    const admin = await server.signIn('admin')
    /** More than two pages, of which nothing is read. */
    const listCopies = async (table: 'instances' | 'bin_instances'): Promise<string[]> => {
      await sql`insert into ${sql.table(table)} select (jsonb_populate_record(i, jsonb_build_object(
          'sop_instance_uid', '1.95.' || n, 'object_key', 'many/' || n))).*
        from generate_series(1, 450) n, ${sql.table(table)} i where i.sop_instance_uid = '1.94.1.3'`.execute(db)
      const rows = await readAll(listStoredRows(db))
      await db.deleteFrom(table).where('sop_instance_uid', 'like', '1.95.%').execute()
      return rows.map(({ object_key }) => object_key).filter((key) => key.startsWith('many/'))
    }
    const expected = Array.from({ length: 450 }, (_, at) => `many/${at + 1}`).toSorted()
    expect((await listCopies('instances')).toSorted()).toEqual(expected)
    const organizationId = await server.organizationOf(admin)
    expect((await admin.call(scan.remove, { organizationId, seriesIdList: ['1.94.1'] })).status).toBe(200)
    expect((await listCopies('bin_instances')).toSorted()).toEqual(expected)
  })
})

describe('bytes that no row names', () => {
  const nobodys = `scans/${randomUUID()}/0000`
  const folder = (): string => join(server.deps.settings.dataDir, 'objects', nobodys)
  const addOrphans = async (count: number): Promise<void> => {
    await mkdir(folder(), { recursive: true })
    for (let at = 0; at < count; at += 1) await writeFile(join(folder(), `1.2.${at}~0~0`), 'nobody knows')
  }
  async function check(olderThanMs: number, repairs: boolean): Promise<number> {
    const problems: StoreProblem[] = []
    const { db, objects } = server.deps
    await checkOrphans({ db, objects, olderThanMs, repairs, report: (problem) => void problems.push(problem) })
    expect(problems.every(({ kind, isRepaired }) => kind === 'without row' && isRepaired === repairs)).toBe(true)
    return problems.length
  }

  it('are found and removed, however many, and what a row names stays [P20]', async () => {
    const { db } = server.deps
    await addOrphans(401)
    const stored = (await readAll(listStoredRows(db))).length
    expect(await check(0, false)).toBe(401)
    expect((await readdir(folder())).length).toBe(401)
    expect(await check(0, true)).toBe(401)
    expect([await check(0, false), (await readdir(folder())).length]).toEqual([0, 0])
    let left = 0
    for await (const { key } of server.deps.objects.list()) left += Number(key.startsWith('scans/'))
    expect(left).toBe(stored)
  })

  it('are found as well where no organization can have put them [P20]', async () => {
    const stray = join(server.deps.settings.dataDir, 'objects', 'scans', 'notes', '0000')
    await mkdir(stray, { recursive: true })
    await writeFile(join(stray, '1.2.3~0~0'), 'somebody copied this here')
    expect([await check(0, true), await readdir(stray)]).toEqual([1, []])
  })

  it('are left alone while they may be of an upload of another server, or wait for their removal [P20]', async () => {
    const { db } = server.deps
    await addOrphans(3)
    const old = new Date(Date.now() - 7_200_000)
    await utimes(join(folder(), '1.2.1~0~0'), old, old)
    await utimes(join(folder(), '1.2.2~0~0'), old, old)
    const later = new Date(Date.now() + 3_600_000)
    const waiting = { object_key: `${nobodys}/1.2.2~0~0`, created_date: later }
    await db.insertInto('object_removals').values(waiting).execute()
    expect(await check(3_600_000, true)).toBe(1)
    expect((await readdir(folder())).toSorted()).toEqual(['1.2.0~0~0', '1.2.2~0~0'])
  })
})

it('a record of the audit trail that was altered is told as well [P24, P88]', async () => {
  const before = (await listMails()).length
  const { db } = server.deps
  await asOwner(db, () => sql`update audit set event = 'SignedOut' where position = 2`.execute(db))
  await nextDay()
  const mails = await listMails()
  expect(mails).toHaveLength(before + 1)
  expect(mails.at(-1)?.text).toMatch(/the audit trail is broken: [1-9]/)
})
