import { randomUUID } from 'node:crypto'
import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { sql } from 'kysely'
import pg from 'pg'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { keyIdOf } from '../../../outside/encryption/dataKey.ts'
import { createTestMasterKey } from '../../../testing/objects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { wholeHeaders } from '../../../wholeHeadersCommand.ts'
import { checkHeaders } from '../check/headers.ts'
import type { StoreProblem } from '../check/storedBytes.ts'
import { encryptScans } from '../encryption/encryptScans.ts'
import { shortenAll } from './shortHeaders.ts'

const hiddenName = 'Canarybird'
const protocol = 'A protocol of which the name is as long as such names mostly are, and longer than most of them by far'
const object = (series: string, number: number): Buffer =>
  dicomFile({
    elements: slice({
      [tag.SOPInstanceUID]: text('UI', `${series}.${number}`),
      [tag.StudyInstanceUID]: text('UI', `${series}.0`),
      [tag.SeriesInstanceUID]: text('UI', series),
      [tag.InstanceNumber]: text('IS', String(number)),
      [tag.PatientName]: text('PN', `${hiddenName}^Tilda`),
      '00181030': text('LO', protocol.slice(0, 64)),
      '00104000': text('LT', protocol.repeat(3)),
      '00201041': text('DS', String(number * 1.25)),
    }),
  })

describe.each(['in the clear', 'encrypted'])('headers of a series, %s', (kind) => {
  let server: TestServer
  let admin: SignedIn
  let organizationId: string

  beforeAll(async () => {
    server = await startServer({
      DMP_SHORT_HEADERS: '1',
      ...(kind === 'encrypted' && { DMP_ENCRYPTION_KEY: createTestMasterKey() }),
    })
    admin = await server.signIn('admin')
    organizationId = await server.organizationOf(admin)
  })
  afterAll(() => server.close())

  async function upload(series: string, from: number, to: number): Promise<void> {
    const objects = Array.from({ length: to - from + 1 }, (_, index) => object(series, from + index))
    expect((await stow(server, admin, objects)).statusCode).toBe(200)
  }

  /** As if nothing had come for an hour: the work of some hours later. */
  async function nextRound(): Promise<void> {
    const { db, jobs } = server.deps
    await sql`update instances set created_date = created_date - interval '1 hour'`.execute(db)
    const id = randomUUID()
    await db.transaction().execute((trx) => jobs.add(trx, 'short-headers', [{ id }]))
    jobs.wake('short-headers')
    const isDone = async (): Promise<boolean> => {
      const { rows } = await sql<{ state: string }>`select state from jobs.job where id = ${id}`.execute(db)
      return rows[0]?.state === 'completed'
    }
    while (!(await isDone())) await new Promise((again) => setTimeout(again, 20))
  }

  interface Kept {
    readonly whole: number
    readonly short: number
    readonly bytes: number
  }

  async function measure(series: string, table = 'instances'): Promise<Kept> {
    const { rows } = await sql<Kept>`
      select count(*) filter (where get_byte(header, 0) <> 15)::int as whole,
        count(*) filter (where get_byte(header, 0) = 15)::int as short, sum(octet_length(header))::int as bytes
      from ${sql.table(table)} where series_uid = ${series}`.execute(server.deps.db)
    return rows[0] as Kept
  }
  const listCommon = (series: string) =>
    server.deps.db
      .selectFrom('series_headers')
      .select(['common', 'key_id', 'images'])
      .where('series_uid', '=', series)
      .execute()

  const get = async (url: string): Promise<unknown> => {
    const headers = { ...admin.headers, accept: 'application/dicom+json' }
    const { statusCode, body } = await server.app.inject({ url: `/dicom-web/${url}`, headers })
    return statusCode === 200 ? JSON.parse(body) : statusCode
  }
  /** Everything that is made of headers. */
  const readAll = async (series: string): Promise<readonly unknown[]> => [
    await get(`studies/${series}.0/metadata`),
    await get(`studies/${series}.0/series/${series}/instances/${series}.2/metadata`),
    await get(`series?SeriesInstanceUID=${series}&includefield=00181030,00201041`),
    await get(`studies/${series}.0/instances?includefield=all`),
    (await admin.call(scan.get, { organizationId, seriesUID: series })).data,
    (
      await server.app.inject({
        url: `/dicom-web/studies/${series}.0/series/${series}/instances/${series}.3/rendered`,
        headers: { ...admin.headers, accept: 'image/png' },
      })
    ).rawPayload,
  ]
  const bin = async (series: string): Promise<string[]> =>
    (await admin.call(scan.listBin, { search: series })).data.map(({ id }) => id)
  const remove = async (series: string): Promise<void> => {
    expect((await admin.call(scan.remove, { organizationId, seriesIdList: [series] })).status).toBe(200)
  }
  async function findProblems(repairs = false): Promise<readonly StoreProblem[]> {
    const problems: StoreProblem[] = []
    await checkHeaders({ ...server.deps, repairs, report: (problem) => void problems.push(problem) })
    return problems
  }

  it('keep what they have in common once, and every answer is what it was [P100]', async () => {
    await upload('1.100.1', 1, 30)
    const before = await measure('1.100.1')
    const answers = await readAll('1.100.1')
    expect(JSON.stringify(answers[0])).toContain(hiddenName)
    expect(before).toMatchObject({ whole: 30, short: 0 })
    await nextRound()
    const after = await measure('1.100.1')
    expect(after).toMatchObject({ whole: 0, short: 30 })
    expect(after.bytes).toBeLessThan(before.bytes / 2)
    const [common, ...more] = await listCommon('1.100.1')
    expect([more, common?.images, common?.key_id !== null, keyIdOf(common?.common ?? Buffer.of())]).toEqual([
      [],
      30,
      kind === 'encrypted',
      common?.key_id ?? undefined,
    ])
    expect(await readAll('1.100.1')).toEqual(answers)
    await nextRound()
    expect(await measure('1.100.1')).toEqual(after)
    expect(await findProblems()).toEqual([])
  })

  it('wait until the series is quiet, and take along what comes later [P100]', async () => {
    const all = { signal: new AbortController().signal, quietMinutes: 10 }
    await upload('1.100.2', 1, 4)
    expect(await shortenAll(server.deps, { ...all, mayGoOn: async () => true })).toEqual({ headers: 0, left: 0 })
    // A server of the version before is there.
    expect(await shortenAll(server.deps, { ...all, quietMinutes: 0, mayGoOn: async () => false })).toEqual({
      headers: 0,
      left: 0,
    })
    await nextRound()
    const [first] = await listCommon('1.100.2')
    await upload('1.100.2', 5, 9)
    expect(await measure('1.100.2')).toMatchObject({ whole: 5, short: 4 })
    const mixed = await readAll('1.100.2')
    expect(mixed[0]).toHaveLength(9)
    await nextRound()
    expect(await measure('1.100.2')).toMatchObject({ whole: 0, short: 9 })
    expect((await listCommon('1.100.2')).map(({ common }) => common)).toEqual([first?.common])
    expect(await readAll('1.100.2')).toEqual(mixed)
  })

  it('stay whole while a server of the version before is there [P100, P21]', async () => {
    const { database, settings } = server.deps
    await upload('1.100.9', 1, 3)
    // An embedded database has one server.
    const before =
      database.pool && new pg.Client({ connectionString: settings.databaseUrl, application_name: 'dmp-news 0076' })
    await before?.connect()
    await nextRound()
    expect((await measure('1.100.9')).short).toBe(before ? 0 : 3)
    await before?.end()
    await nextRound()
    expect(await measure('1.100.9')).toMatchObject({ whole: 0, short: 3 })
  })

  it('are gone through again where one image took the place of another [P100]', async () => {
    await upload('1.100.8', 1, 4)
    await nextRound()
    const path = '/dicom-web/studies/1.100.8.0/series/1.100.8/instances/1.100.8.4'
    expect((await server.app.inject({ method: 'DELETE', url: path, headers: admin.headers })).statusCode).toBe(204)
    await upload('1.100.8', 5, 5)
    expect(await measure('1.100.8')).toMatchObject({ whole: 1, short: 3 })
    await nextRound()
    expect(await measure('1.100.8')).toMatchObject({ whole: 0, short: 4 })
  })

  it('come back from the bin as they were, and what they had in common goes with the last of them [P100, P54]', async () => {
    await upload('1.100.3', 1, 5)
    await nextRound()
    const answers = await readAll('1.100.3')
    await remove('1.100.3')
    expect([(await measure('1.100.3', 'bin_instances')).short, await listCommon('1.100.3')]).toEqual([
      5,
      [expect.anything()],
    ])
    expect((await admin.call(scan.restore, { organizationId, ids: await bin('1.100.3') })).status).toBe(200)
    expect(await readAll('1.100.3')).toEqual(answers)

    // The same series twice: in the bin, and among what is stored.
    await remove('1.100.3')
    await upload('1.100.3', 1, 5)
    await nextRound()
    expect((await measure('1.100.3')).short).toBe(5)
    const [entry] = await bin('1.100.3')
    expect((await admin.call(scan.purge, { organizationId, ids: [entry] })).status).toBe(200)
    expect((await readAll('1.100.3')).slice(0, 4)).toEqual(answers.slice(0, 4))
    await remove('1.100.3')
    expect(await listCommon('1.100.3')).toHaveLength(1)
    expect((await admin.call(scan.purge, { organizationId, ids: await bin('1.100.3') })).status).toBe(200)
    expect(await listCommon('1.100.3')).toEqual([])

    // Of two that emptied the bin at once, none saw the end of it.
    await sql`insert into series_headers (organization_id, series_uid, common, images)
      values (${organizationId}, '1.100.3', 'left', 5)`.execute(server.deps.db)
    await nextRound()
    expect(await listCommon('1.100.3')).toEqual([])
  })

  it('are read again from their objects where that was lost [P100, P20]', async () => {
    await upload('1.100.4', 1, 4)
    const answers = await readAll('1.100.4')
    await nextRound()
    await sql`delete from series_headers where series_uid = '1.100.4'`.execute(server.deps.db)
    expect(await get('studies/1.100.4.0/series/1.100.4/instances/1.100.4.1/metadata')).toBe(500)
    const found = await findProblems()
    expect(found.map(({ kind, isRepaired }) => [kind, isRepaired])).toEqual(
      [1, 2, 3, 4].map(() => ['without header', false]),
    )
    expect((await findProblems(true)).map(({ isRepaired }) => isRepaired)).toEqual([true, true, true, true])
    expect([await findProblems(), await measure('1.100.4')]).toEqual([
      [],
      expect.objectContaining({ whole: 4, short: 0 }),
    ])
    expect(await readAll('1.100.4')).toEqual(answers)
  })

  it('go under the next data key with what they have in common [P100, P60]', async () => {
    const { encryption, db } = server.deps
    if (kind !== 'encrypted') {
      await expect(encryption.add(organizationId, 'next')).rejects.toThrow('encrypted with a key')
      return
    }
    await upload('1.100.5', 1, 4)
    await nextRound()
    const answers = await readAll('1.100.5')
    const keyId = await encryption.add(organizationId, 'next')
    const walk = { bytesPerSecond: Infinity, removalDelaySeconds: 60, onProgress: () => undefined }
    expect((await encryptScans(server.deps, organizationId, walk)).damaged).toEqual([])
    expect((await listCommon('1.100.5')).map(({ key_id }) => key_id)).toEqual([keyId])
    expect((await measure('1.100.5')).short).toBe(4)
    expect(await readAll('1.100.5')).toEqual(answers)
    const { rows } = await sql<{ bytes: Buffer }>`select common as bytes from series_headers
      union all select header from instances`.execute(db)
    expect(rows.filter(({ bytes }) => bytes.includes(hiddenName) || bytes.includes('protocol'))).toEqual([])
  })

  it('are whole again by themselves some time after the setting was taken away [P100]', async () => {
    await upload('1.100.8', 1, 6)
    const answers = await readAll('1.100.8')
    await nextRound()
    expect(await measure('1.100.8')).toMatchObject({ whole: 0, short: 6 })
    const off = jest.replaceProperty(server.deps.settings, 'shortensHeaders', false)
    await nextRound()
    off.restore()
    expect(await measure('1.100.8')).toMatchObject({ whole: 6, short: 0 })
    expect(await readAll('1.100.8')).toEqual(answers)
    expect(server.logs.join('')).toContain('headers are whole again')
  })

  it('are whole again by one command, those in the bin, too [P100]', async () => {
    const { deps } = server
    await upload('1.100.6', 1, 6)
    await upload('1.100.7', 1, 3)
    const answers = await readAll('1.100.6')
    const binned = await readAll('1.100.7')
    await nextRound()
    await remove('1.100.7')
    await expect(wholeHeaders(server)).rejects.toThrow('DMP_SHORT_HEADERS is set')
    const off = { ...server, deps: { ...deps, settings: { ...deps.settings, shortensHeaders: false } } }
    expect(await wholeHeaders(off)).toContain('headers are whole now. Servers of earlier versions can read')
    const { rows } = await sql`select from series_headers`.execute(deps.db)
    expect(rows).toEqual([])
    expect(await measure('1.100.6')).toMatchObject({ whole: 6, short: 0 })
    expect(await measure('1.100.7', 'bin_instances')).toMatchObject({ whole: 3, short: 0 })
    expect(await readAll('1.100.6')).toEqual(answers)
    expect((await admin.call(scan.restore, { organizationId, ids: await bin('1.100.7') })).status).toBe(200)
    expect(await readAll('1.100.7')).toEqual(binned)
  })
})
