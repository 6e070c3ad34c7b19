import { organization, scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { stow } from '../../../testing/stow.ts'
import {
  admin,
  begin,
  canary,
  getFinished,
  holdAt,
  server,
  south,
  southId,
  startWithCanaries,
} from './transferInTests.ts'

const small = { studyUID: '1.12', seriesUID: '1.12.1' }
beforeAll(async () => {
  await startWithCanaries()
  const elements = slice({
    '00080018': text('UI', '1.12.1.1'),
    '0020000D': text('UI', small.studyUID),
    '0020000E': text('UI', small.seriesUID),
  })
  expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
})
afterAll(() => server.close())
afterEach(() => jest.restoreAllMocks())

const listCopies = () =>
  server.deps.db
    .selectFrom('series')
    .select(['series_uid', 'instances'])
    .where('organization_id', '=', southId)
    .execute()
const deleteCopy = (seriesUID: string | null | undefined) =>
  south.call(scan.remove, { organizationId: southId, seriesIdList: [seriesUID ?? ''] })

/** Transfers of an organization run one after the other, so that those before have come to their end. */
async function waitForOthers(): Promise<void> {
  const { data } = await begin([small])
  await deleteCopy((await getFinished(data.id)).scans[0]?.newSeriesUID)
}

it('leaves no file of the images before one that cannot be copied [P12, P20]', async () => {
  const { reader, objects } = server.deps
  const run = reader.runStored.bind(reader) as (...all: unknown[]) => unknown
  let copied = 0
  jest.spyOn(reader, 'runStored').mockImplementation(((task: string, ...more: unknown[]) => {
    copied += Number(task === 'copy')
    return task === 'copy' && copied === 5 ? Promise.resolve({ problem: 'It has no end.' }) : run(task, ...more)
  }) as never)
  const { data } = await begin([canary])
  await getFinished(data.id)
  expect(copied).toBe(5)
  expect(await objects.recover(async () => new Set(), 0)).toEqual({ kept: 0, discarded: 0 })
})

describe('a copy of a project that is taken back [3.14, P20]', () => {
  const project = 'Knee study'

  it('leaves what another transfer delivered, though it was begun before that one had arrived', async () => {
    const copying = holdAt(1, 60)
    const first = (await begin([canary], { project })).data
    await copying.reached()
    const second = (await begin([canary], { project })).data
    copying.goOn()
    // Its twentieth image of forty.
    await copying.reached(1)
    const delivered = (await getFinished(first.id)).scans[0]?.newSeriesUID
    expect((await admin.call(scan.stopTransfer, { id: second.id })).status).toBe(200)
    copying.goOn(1)
    await waitForOthers()
    expect(await listCopies()).toEqual([{ series_uid: delivered, instances: 40 }])
    await deleteCopy(delivered)
  })

  it('leaves what another receiver has of the same project, and its own receiver nothing', async () => {
    const { data } = await begin([canary], { project })
    const delivered = (await getFinished(data.id)).scans[0]?.newSeriesUID
    const root = await server.signIn('super_admin')
    const person = { civility: 'Ms', firstName: 'Eva', lastName: 'East', email: 'admin@east.example' }
    await root.call(organization.add, { name: 'East-Clinic', withDatastore: true, ...person })
    const copying = holdAt(1)
    const other = (await begin([canary], { project, dstOrganizationName: 'East-Clinic' })).data
    await copying.reached()
    expect((await admin.call(scan.stopTransfer, { id: other.id })).status).toBe(200)
    copying.goOn()
    await waitForOthers()
    const copies = server.deps.db
      .selectFrom('series')
      .select('organization_id')
      .where('series_uid', '=', delivered ?? '')
    expect(await copies.execute()).toEqual([{ organization_id: southId }])
    await deleteCopy(delivered)
  })

  it('leaves nothing where the receiver has deleted what was delivered before', async () => {
    const { data } = await begin([canary], { project })
    await deleteCopy((await getFinished(data.id)).scans[0]?.newSeriesUID)
    expect(await listCopies()).toEqual([])
    const copying = holdAt(20)
    const again = (await begin([canary], { project })).data
    await copying.reached()
    expect(await listCopies()).toHaveLength(1)
    expect((await admin.call(scan.stopTransfer, { id: again.id })).status).toBe(200)
    copying.goOn()
    await waitForOthers()
    expect(await listCopies()).toEqual([])
  })
})

it('leaves what has arrived where the receiver holds it by law, and goes on with the next transfer [P54]', async () => {
  const copying = holdAt(20)
  const { id } = (await begin([canary])).data
  await copying.reached()
  const [copy] = await server.deps.db
    .selectFrom('series')
    .select(['study_uid', 'series_uid'])
    .where('organization_id', '=', southId)
    .execute()
  const studyUID = copy?.study_uid ?? ''
  const held = await south.call(scan.hold, { organizationId: southId, studyUID, reason: 'court case 12' })
  expect(held.status).toBe(200)
  expect((await admin.call(scan.stopTransfer, { id })).status).toBe(200)
  copying.goOn()
  await waitForOthers()
  expect(await listCopies()).toMatchObject([{ series_uid: copy?.series_uid }])
})
