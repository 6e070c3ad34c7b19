import { audit, scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { sql } from 'kysely'
import { dicomFile, slice, text, type Elements } from '../../../dicom/testing/dicomFile.ts'
import { createTestMasterKey, freshObjects } from '../../../testing/objects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { checkOrphans, checkRows, type StoreProblem } from '../check/storedBytes.ts'
import { checkTotals } from '../check/totals.ts'
import { purgeDue } from './purging.ts'
import { seriesColumns } from './restoring.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let organizationId: string

beforeAll(async () => {
  server = await startServer()
  ;[admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
  organizationId = await server.organizationOf(admin)
})
afterAll(() => server.close())

const object = (series: string, number: number, changes: Elements = {}): Buffer =>
  dicomFile({
    elements: slice({
      [tag.SOPInstanceUID]: text('UI', `${series}.${number}`),
      [tag.StudyInstanceUID]: text('UI', `${series}.0`),
      [tag.SeriesInstanceUID]: text('UI', series),
      ...changes,
    }),
  })

async function upload(series: string, slices: number, changes: Elements = {}): Promise<number> {
  const objects = Array.from({ length: slices }, (_, index) => object(series, index + 1, changes))
  return (await stow(server, admin, objects)).statusCode
}
const remove = (...seriesIdList: string[]) => admin.call(scan.remove, { organizationId, seriesIdList })
const listBin = async (series: string) => (await admin.call(scan.listBin, { search: series })).data
const restore = (ids: string[], who = admin) => who.call(scan.restore, { organizationId, ids })
const purge = (ids: string[], who = admin) => who.call(scan.purge, { organizationId, ids })
const get = async (seriesUID: string) => (await admin.call(scan.get, { organizationId, seriesUID })).status
const held = async (series: string) => (await server.heldObjects()).filter((uid) => uid.startsWith(`${series}.`))
const bin = async (series: string): Promise<string[]> => (await listBin(series)).map(({ id }) => id)
const age = (days: number) =>
  sql`update bin_entries set deleted_date = now() - make_interval(days => ${days}::int)`.execute(server.deps.db)
const listEvents = async (event: string) =>
  (await server.deps.db
    .selectFrom('audit')
    .select(['actor_id', 'subject'])
    .where('event', '=', event as never)
    .orderBy('at')
    .execute()) as {
    actor_id: string | null
    subject: Record<string, unknown>
  }[]

async function findProblems(): Promise<readonly StoreProblem[]> {
  const problems: StoreProblem[] = []
  const { db, objects, write } = server.deps
  const report = (problem: StoreProblem): void => void problems.push(problem)
  await checkRows({ db, objects, bytesPerSecond: Infinity, onProgress: () => undefined, report })
  await checkOrphans({ db, objects, olderThanMs: 0, repairs: false, report })
  await checkTotals({ db, write, repairs: false, report })
  return problems
}

describe('the bin', () => {
  it('keeps what was deleted out of everybody’s sight, and gives it back as it was [P54, 7.38]', async () => {
    await upload('1.31', 3)
    const before = (await admin.call(scan.get, { organizationId, seriesUID: '1.31' })).data
    const storage = (await admin.call(scan.getStorage, { organizationId })).data
    expect((await remove('1.31')).status).toBe(200)

    const paths = [
      'studies/1.31.0/series',
      'studies/1.31.0/series/1.31/instances',
      'studies/1.31.0/series/1.31',
      'studies/1.31.0/metadata',
    ]
    for (const path of paths) {
      const { statusCode, body } = await server.app.inject({ url: `/dicom-web/${path}`, headers: admin.headers })
      const never = await server.app.inject({
        url: `/dicom-web/${path.replaceAll('1.31', '1.404')}`,
        headers: admin.headers,
      })
      const toWords = (text: string): string => text.replace(/"requestId":"[^"]*"/, '')
      expect([path, statusCode, toWords(body)]).toEqual([path, never.statusCode, toWords(never.body)])
    }
    expect([await get('1.31'), (await admin.call(scan.list, { search: '1.31' })).data]).toEqual([404, []])
    expect((await admin.call(scan.listStudies, { search: '1.31.0' })).data).toEqual([])
    expect((await admin.call(scan.share, { organizationId, seriesUID: '1.31', expireInDay: 1 })).status).toBe(404)
    expect((await admin.call(scan.download, { organizationId, seriesUID: '1.31' })).status).toBe(404)
    expect(await held('1.31')).toHaveLength(3)
    expect(await findProblems()).toEqual([])

    const [entry] = await listBin('1.31')
    const days = (Date.parse(entry?.purgeDate ?? '') - Date.parse(entry?.deletedDate ?? '')) / 86_400_000
    expect([entry?.seriesUID, entry?.images, entry?.hold, days]).toEqual(['1.31', 3, null, 30])
    expect(entry?.deletedByUser).not.toBe('')
    const inBin = (await admin.call(scan.getStorage, { organizationId })).data
    expect([inBin.binBytes, storage.bytes - inBin.bytes]).toEqual([entry?.bytes, entry?.bytes])

    expect((await restore([entry?.id ?? ''])).status).toBe(200)
    expect((await admin.call(scan.get, { organizationId, seriesUID: '1.31' })).data).toEqual(before)
    expect((await admin.call(scan.getStorage, { organizationId })).data).toEqual(storage)
    const thumbnail = '/dicom-web/studies/1.31.0/series/1.31/thumbnail'
    expect((await server.app.inject({ url: thumbnail, headers: admin.headers })).statusCode).toBe(200)
    expect([await bin('1.31'), await findProblems()]).toEqual([[], []])
    expect((await listEvents('ScansRestored')).at(-1)).toEqual({
      actor_id: admin.userId,
      subject: { series: ['1.31'], studies: ['1.31.0'], instances: 3, duplicates: 0 },
    })
  })

  it('is for administrators of the organization and of the provider alone [P54, P01, P02]', async () => {
    await upload('1.32', 1)
    await remove('1.32')
    const ids = await bin('1.32')
    const staff = await server.signIn('staff')
    const [sys, superAdmin] = [await server.signIn('sys_admin'), await server.signIn('super_admin')]
    for (const call of [restore, purge]) {
      expect([(await call(ids, staff)).status, (await call(ids, south)).status]).toEqual([403, 404])
    }
    const foreign = await south.call(scan.restore, { organizationId: await server.organizationOf(south), ids })
    expect([foreign.status, (await staff.call(scan.listBin, {})).status]).toEqual([404, 403])
    expect((await south.call(scan.listBin, { organizationId })).status).toBe(404)
    // As with Delete: the provider's system administrators take back, and delete nothing.
    expect((await purge(ids, sys)).status).toBe(403)
    expect((await restore(ids, sys)).status).toBe(200)
    await remove('1.32')
    expect((await purge(await bin('1.32'), superAdmin)).status).toBe(200)
  })

  it('takes a deletion back by its series, for who deleted it alone [P54]', async () => {
    await upload('1.33', 2)
    await remove('1.33')
    const undo = (who: SignedIn) => who.call(scan.undoDelete, { organizationId, seriesIdList: ['1.33'] })
    expect((await undo(await server.signIn('super_admin'))).status).toBe(404)
    expect([(await undo(admin)).status, await get('1.33')]).toEqual([200, 200])
    expect((await undo(admin)).status).toBe(404)
    // The last deletion counts, not one of somebody else before it.
    const superAdmin = await server.signIn('super_admin')
    expect((await superAdmin.call(scan.remove, { organizationId, seriesIdList: ['1.33'] })).status).toBe(200)
    await upload('1.33', 2)
    await remove('1.33')
    expect((await undo(superAdmin)).status).toBe(404)
    expect((await undo(admin)).status).toBe(200)
  })

  it('joins what arrived again, and gives nothing back where something else took its place [P54, P32]', async () => {
    await upload('1.34', 3)
    await remove('1.34')
    expect(await upload('1.34', 1)).toBe(200)
    expect(await held('1.34')).toHaveLength(4)
    expect((await restore(await bin('1.34'))).status).toBe(200)
    expect([await held('1.34'), await findProblems()]).toEqual([['1.34.1', '1.34.2', '1.34.3'], []])
    expect((await admin.call(scan.get, { organizationId, seriesUID: '1.34' })).data.basic.totalSliceCount).toBe(3)

    await remove('1.34')
    await upload('1.34', 1, { [tag.InstanceNumber]: text('IS', '77') })
    const refused = await restore(await bin('1.34'))
    expect([refused.status, refused.code, (await held('1.34')).length]).toEqual([409, 'PLACE_TAKEN', 4])
    await remove('1.34')
    await upload('1.34', 1, { [tag.PatientID]: text('LO', 'O-2'), [tag.PatientName]: text('PN', 'Other^Otto') })
    expect((await restore(await bin('1.34'))).code).toBe('PLACE_TAKEN')
    expect(await findProblems()).toEqual([])
  })

  it('keeps one image of a series, too [P54]', async () => {
    await upload('1.35', 3)
    const url = '/dicom-web/studies/1.35.0/series/1.35/instances/1.35.2'
    expect((await server.app.inject({ method: 'DELETE', url, headers: admin.headers })).statusCode).toBe(204)
    const [entry] = await listBin('1.35')
    expect([entry?.sopInstanceUID, entry?.images]).toEqual(['1.35.2', 1])
    expect((await restore([entry?.id ?? ''])).status).toBe(200)
    expect((await admin.call(scan.get, { organizationId, seriesUID: '1.35' })).data.basic.totalSliceCount).toBe(3)
    expect(await findProblems()).toEqual([])
  })

  it('tells programs that a scan went and came [P54, P42]', async () => {
    await upload('1.36', 1)
    await remove('1.36')
    await restore(await bin('1.36'))
    const rows = await server.deps.db
      .selectFrom('changes')
      .select('kind')
      .where('series_uid', '=', '1.36')
      .orderBy('number')
      .execute()
    expect(rows.map(({ kind }) => kind)).toEqual(['SeriesCreated', 'SeriesDeleted', 'SeriesCreated'])
  })

  it('does not have what nobody can miss: a sample that was removed is gone [P54]', async () => {
    await admin.call(scan.addSample, { organizationId })
    await admin.call(scan.removeSample, { organizationId })
    expect((await admin.call(scan.listBin, { search: 'sample' })).data).toEqual([])
  })

  it('knows every column of a series that it gives back [P54]', async () => {
    const { rows } = await sql<{ column_name: string }>`select column_name from information_schema.columns
      where table_name = 'series' and is_generated = 'NEVER'`.execute(server.deps.db)
    expect([...seriesColumns].sort()).toEqual(rows.map((row) => row.column_name).sort())
  })
})

describe('leaving the bin', () => {
  it('happens after its days, with every byte, and is certified with count and hash [P54, P24]', async () => {
    await upload('1.41', 2)
    await remove('1.41')
    await age(29)
    await purgeDue(server.deps)
    expect(await held('1.41')).toHaveLength(2)
    const [entry] = await listBin('1.41')
    await age(31)
    await purgeDue(server.deps)
    expect([await held('1.41'), await bin('1.41'), await findProblems()]).toEqual([[], [], []])
    const begun = (await listEvents('ScansPurged')).at(-1)
    const erased = (await listEvents('ScansErased')).find(({ subject }) => String(subject.series) === '1.41')
    expect(begun?.subject.series).toContain('1.41')
    expect(erased).toEqual({
      actor_id: null,
      subject: {
        series: ['1.41'],
        studies: ['1.41.0'],
        instances: 2,
        bytes: entry?.bytes,
        sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      },
    })
    expect((await admin.call(audit.list, { event: 'ScansErased' })).data.length).toBeGreaterThan(0)
  })

  it('happens at once for who may delete, goes on after a crash, and is certified only when all is gone [P54, P20]', async () => {
    await upload('1.42', 2)
    await remove('1.42')
    const ids = await bin('1.42')
    const fails = jest.spyOn(server.deps.objects, 'remove').mockRejectedValueOnce(new Error('no answer'))
    expect((await purge(ids)).status).toBe(500)
    fails.mockRestore()
    // Nothing brings it back any more, and nothing says yet that it is gone.
    expect([await bin('1.42'), (await restore(ids)).status]).toEqual([[], 404])
    const isErased = async () =>
      (await listEvents('ScansErased')).some(({ subject }) => String(subject.series) === '1.42')
    expect([(await held('1.42')).length, await isErased()]).toEqual([2, false])
    await purgeDue(server.deps)
    expect([await held('1.42'), await isErased(), await findProblems()]).toEqual([[], true, []])
  })

  it('does not believe a store that still holds what it was told to remove [P54]', async () => {
    await upload('1.43', 1)
    await remove('1.43')
    const ids = await bin('1.43')
    const lies = jest.spyOn(server.deps.objects, 'remove').mockResolvedValueOnce(undefined)
    expect((await purge(ids)).status).toBe(500)
    lies.mockRestore()
    await purgeDue(server.deps)
    expect(await held('1.43')).toEqual([])
  })

  it.each([
    ['a bucket', 'bucket', false],
    ['an encrypted folder', 'folder', true],
    ['an encrypted bucket', 'bucket', true],
  ] as const)('leaves nothing in %s [P54]', async (_name, kind, isEncrypted) => {
    const objects = await freshObjects(kind, false)
    const other = await startServer({
      ...objects.variables,
      ...(isEncrypted && { DMP_ENCRYPTION_KEY: createTestMasterKey() }),
    })
    const held = () => (kind === 'bucket' ? objects.held('') : other.heldObjects())
    const who = await other.signIn('admin')
    const customer = await other.organizationOf(who)
    await stow(other, who, [object('1.44', 1), object('1.44', 2)])
    await who.call(scan.remove, { organizationId: customer, seriesIdList: ['1.44'] })
    const [entry] = (await who.call(scan.listBin, {})).data
    expect(await held()).toEqual(['1.44.1', '1.44.2'])
    expect((await who.call(scan.restore, { organizationId: customer, ids: [entry?.id] })).status).toBe(200)
    const frames = await other.app.inject({ url: '/dicom-web/studies/1.44.0', headers: who.headers })
    expect(frames.statusCode).toBe(200)
    await who.call(scan.remove, { organizationId: customer, seriesIdList: ['1.44'] })
    const [again] = (await who.call(scan.listBin, {})).data
    expect((await who.call(scan.purge, { organizationId: customer, ids: [again?.id] })).status).toBe(200)
    expect(await held()).toEqual([])
    await other.close()
    await objects.close()
  })
})
