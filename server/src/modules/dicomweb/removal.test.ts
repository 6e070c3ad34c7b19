import { audit, scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer({ DMP_BIN_DAYS: '0' })
  admin = await server.signIn('admin')
})
afterAll(() => server.close())

const object = (study: string, series: number, instance: number): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${study}.${series}.${instance}`),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.${series}`),
    }),
  })
const upload = async (study: string): Promise<void> => {
  const reply = await stow(server, admin, [object(study, 1, 1), object(study, 1, 2), object(study, 2, 1)])
  expect(reply.statusCode).toBe(200)
}
const remove = (path: string, headers: Record<string, string> = admin.headers) =>
  server.app.inject({ method: 'DELETE', url: `/dicom-web/studies/${path}`, headers })
const countAt = async (path: string, { headers } = admin): Promise<number> => {
  const reply = await server.app.inject({ url: `/dicom-web/studies/${path}/instances`, headers })
  return reply.json<unknown[]>().length
}
const storage = async () => (await admin.call(scan.getStorage, { organizationId: northClinic.id })).data

/** Every table that has a row with this in it. */
async function listNaming(uid: string): Promise<string[]> {
  const { db } = server.deps
  const { rows } = await sql<{ name: string }>`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`.execute(db)
  const found: string[] = []
  for (const { name } of rows) {
    const naming = sql`select from ${sql.table(name)} t where position(${uid} in t::text) > 0 limit 1`
    if ((await naming.execute(db)).rows.length > 0) found.push(name)
  }
  return found
}

describe('DELETE', () => {
  it('takes an instance, its series with the last one, and the study with the last of those [7.38, 3.14]', async () => {
    const before = await storage()
    await upload('1.71')
    const list = async () => [await countAt('1.71'), (await server.heldObjects()).length]
    const held = (await server.heldObjects()).length
    expect((await remove('1.71/series/1.71.1/instances/1.71.1.1')).statusCode).toBe(204)
    expect(await list()).toEqual([2, held - 1])
    const rows = await server.deps.db
      .selectFrom('series')
      .select(['instances', 'images'])
      .where('series_uid', '=', '1.71.1')
      .execute()
    expect(rows).toEqual([{ instances: 1, images: 1 }])
    expect((await remove('1.71/series/1.71.1/instances/1.71.1.2')).statusCode).toBe(204)
    expect((await remove('1.71/series/1.71.2')).statusCode).toBe(204)
    expect(await list()).toEqual([0, held - 3])
    expect(await storage()).toEqual(before)
    await upload('1.72')
    expect([(await remove('1.72')).statusCode, (await remove('1.72')).statusCode, await countAt('1.72')]).toEqual([
      204, 404, 0,
    ])
    expect(await storage()).toEqual(before)
  })

  it('is for those with Scan/Delete in this organization, and not for a launch [P01, P02]', async () => {
    await upload('1.73')
    const staff = await server.signIn('staff')
    const foreign = await server.signIn('admin@south.example')
    const { data } = await admin.call(scan.list, { search: '1.73.1' })
    const launch = await server.app.inject({
      method: 'POST',
      url: '/launch',
      headers: admin.headers,
      payload: { imageSetID: data[0]?.imageSetID },
    })
    const cookies = [launch.headers['set-cookie']].flat().map(String)
    const cookie = cookies.find((each) => each.includes('Path=/dicom-web'))?.split(';')[0] ?? ''
    expect((await server.app.inject({ url: '/dicom-web/studies/1.73/metadata', headers: { cookie } })).statusCode).toBe(
      200,
    )
    const everybody: Record<string, string>[] = [{ ...staff.headers }, { ...foreign.headers }, {}, { cookie }]
    const statuses = everybody.map(async (headers) => (await remove('1.73', headers)).statusCode)
    expect(await Promise.all(statuses)).toEqual([403, 404, 401, 401])
    expect(await countAt('1.73')).toBe(3)
  })

  it('finds a scan at its own address alone, and takes nothing that another organization has of it [P02]', async () => {
    const south = await server.signIn('admin@south.example')
    await upload('1.76')
    const theirs = [object('1.76', 1, 1), object('1.76', 1, 2), object('1.76', 1, 3), object('1.77', 1, 1)]
    expect((await stow(server, south, theirs)).statusCode).toBe(200)
    const counts = async () => [await countAt('1.76'), await countAt('1.76', south), await countAt('1.77', south)]
    for (const path of [
      '1.77',
      '1.77/series/1.77.1',
      '1.77/series/1.77.1/instances/1.77.1.1',
      '1.77/series/1.76.1',
      '1.76/series/1.77.1',
      '1.77/series/1.76.1/instances/1.76.1.1',
      '1.76/series/1.76.2/instances/1.76.1.1',
      '1.76/series/1.76.1/instances/1.76.1.3',
    ])
      expect([path, (await remove(path)).statusCode]).toEqual([path, 404])
    expect(await counts()).toEqual([3, 3, 1])
    for (const instance of [1, 2])
      expect((await remove(`1.76/series/1.76.1/instances/1.76.1.${instance}`)).statusCode).toBe(204)
    expect(await counts()).toEqual([1, 3, 1])
    expect((await remove('1.76')).statusCode).toBe(204)
    expect(await counts()).toEqual([0, 3, 1])
  })

  it('is recorded with who and what [P24]', async () => {
    const rows = await server.deps.db
      .selectFrom('audit')
      .select('subject')
      .where('event', '=', 'ScansDeleted')
      .execute()
    expect(rows.map(({ subject }) => subject)).toContainEqual({
      series: ['1.71.1'],
      studies: ['1.71'],
      instances: 1,
      sopInstanceUID: '1.71.1.1',
    })
  })

  it('of a study is found when somebody asks for what happened to it [P24]', async () => {
    await upload('1.74')
    expect((await remove('1.74')).statusCode).toBe(204)
    const { data } = await admin.call(audit.listActivity, { page: 1, studyUID: '1.74' })
    expect(data.map(({ event }) => event)).toEqual(['ScansDeleted'])
  })

  it('of the last instance of a series leaves links to others as they are, and tells open pages [P25]', async () => {
    await upload('1.75')
    const shared = { organizationId: northClinic.id, seriesUID: '1.75.2', alsoSeriesUIDs: ['1.75.1'], expireInDay: 1 }
    const { data } = await admin.call(scan.share, shared)
    const token = data.downloadUrl.split('/').at(-1) ?? ''
    const told: string[] = []
    server.deps.bus.subscribe((news) => news.kind === 'sharesChanged' && told.push(...news.shareIds))
    expect((await remove('1.75/series/1.75.2/instances/1.75.2.1')).statusCode).toBe(204)
    const link = await server.call(scan.getShared, { token })
    expect([link.status, link.data.studies.map(({ series }) => series)]).toEqual([200, [1]])
    expect(told).toHaveLength(1)
  })

  it('leaves nothing in any table of an image, or of a study, but that there was one [7.38, P24]', async () => {
    const study = '1.7.7654321'
    await upload(study)
    const seriesUID = `${study}.1`
    const thumbnail = { url: `/dicom-web/studies/${study}/series/${seriesUID}/thumbnail`, headers: admin.headers }
    expect((await server.app.inject(thumbnail)).statusCode).toBe(200)
    const ofSeries = { organizationId: northClinic.id, seriesUID }
    for (const reply of [
      await admin.call(scan.get, ofSeries),
      await admin.call(scan.download, ofSeries),
      await admin.call(scan.share, { ...ofSeries, expireInDay: 1 }),
      await admin.call(scan.hold, { organizationId: northClinic.id, studyUID: study, reason: 'A dispute' }),
    ])
      expect(reply.status).toBe(200)
    const [held] = (await admin.call(scan.listHolds, { organizationId: northClinic.id })).data
    expect((await admin.call(scan.endHold, { id: held?.id ?? '' })).status).toBe(200)
    expect(await listNaming(`${seriesUID}.1`)).toEqual(['instances', 'thumbnails'])
    expect((await remove(`${study}/series/${seriesUID}/instances/${seriesUID}.1`)).statusCode).toBe(204)
    expect(await listNaming(`${seriesUID}.1`)).toEqual(['audit'])
    expect((await server.app.inject(thumbnail)).statusCode).toBe(200)
    expect((await remove(study)).statusCode).toBe(204)
    expect(await listNaming(study)).toEqual(['audit', 'changes', 'inbox_facts', 'legal_holds'])
  })

  it('takes no parameter that it does not know', async () => {
    expect((await remove('1.73?permanently=true')).statusCode).toBe(400)
    expect(await countAt('1.73')).toBe(3)
  })
})
