import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let admin: SignedIn
let organizationId: string
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  organizationId = await server.organizationOf(admin)
})
afterAll(() => server.close())

const upload = async (series: string, numbers: readonly number[], study = `${series}.0`): Promise<void> => {
  const objects = numbers.map((number) =>
    dicomFile({
      elements: slice({
        [tag.SOPInstanceUID]: text('UI', `${series}.${number}`),
        [tag.StudyInstanceUID]: text('UI', study),
        [tag.SeriesInstanceUID]: text('UI', series),
      }),
    }),
  )
  expect((await stow(server, admin, objects)).statusCode).toBe(200)
}
const remove = async (series: string): Promise<void> =>
  void expect((await admin.call(scan.remove, { organizationId, seriesIdList: [series] })).status).toBe(200)
const bin = async (series: string): Promise<string[]> =>
  (await admin.call(scan.listBin, { search: series })).data.map(({ id }) => id)
const restore = async (series: string) => admin.call(scan.restore, { organizationId, ids: await bin(series) })

it('gives back what was deleted several times as one series that came, with all of its images [P54, P42]', async () => {
  await upload('1.38', [1, 2])
  await remove('1.38')
  await upload('1.38', [3])
  await remove('1.38')
  expect(await bin('1.38')).toHaveLength(2)
  expect((await restore('1.38')).status).toBe(200)
  const { data } = await admin.call(scan.get, { organizationId, seriesUID: '1.38' })
  expect([data.basic.totalSliceCount, await bin('1.38')]).toEqual([3, []])
  const rows = await server.deps.db
    .selectFrom('changes')
    .select(['kind', 'instances'])
    .where('series_uid', '=', '1.38')
    .orderBy('number')
    .execute()
  expect(rows.map(({ kind, instances }) => [kind, instances]).at(-1)).toEqual(['SeriesCreated', 3])
  expect(rows.map(({ kind }) => kind)).toEqual([
    'SeriesCreated',
    'SeriesDeleted',
    'SeriesCreated',
    'SeriesDeleted',
    'SeriesCreated',
  ])
})

it('gives nothing back where the series has arrived in another study meanwhile [P54, P32]', async () => {
  await upload('1.39', [1])
  await remove('1.39')
  await upload('1.39', [2], '1.39.9')
  const refused = await restore('1.39')
  expect([refused.status, refused.code]).toEqual([409, 'PLACE_TAKEN'])
  expect(refused.message).toContain('in another study')
  expect((await admin.call(scan.get, { organizationId, seriesUID: '1.39' })).data.basic.totalSliceCount).toBe(1)
  expect(await bin('1.39')).toHaveLength(1)
})
