import { scan } from '@dmp/contract'
import { sql } from 'kysely'
import { decide, holdBack, lookAtAll, ultrasound } from '../held/heldInTests.ts'
import { abandonHeldScan, abandonTransfer } from './transferRunner.ts'
import { admin, begin, canary, getFinished, holdAt, server, southId, startWithCanaries } from './transferInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())
afterEach(() => jest.restoreAllMocks())

const listCopies = async (): Promise<number[]> =>
  (await server.deps.db.selectFrom('series').select('instances').where('organization_id', '=', southId).execute()).map(
    ({ instances }) => instances,
  )

/** As if its server had died just before its end, and each one that went on with it. */
async function unfinish(id: string): Promise<void> {
  const { db } = server.deps
  await db
    .updateTable('transfers')
    .set({ state: 'Running', finished_date: null, secret: Buffer.alloc(32, 9) })
    .where('id', '=', id)
    .execute()
  await sql`update transfer_scans set state = 'Running', copy_series_uid = new_series_uid, new_series_uid = null
    where transfer_id = ${id}`.execute(db)
}
const begun = async (more: object = {}): Promise<string> => {
  const { id } = (await begin([canary], more)).data
  await getFinished(id)
  await unfinish(id)
  return id
}

describe('a transfer that is given up [P20]', () => {
  const project = 'Knee study'

  it('leaves nothing of what had arrived, and no job that others of its organization wait behind', async () => {
    const id = await begun()
    expect(await listCopies()).toEqual([40])
    await abandonTransfer(server.deps, id)
    expect((await getFinished(id)).scans).toMatchObject([{ state: 'Failed', newSeriesUID: null }])
    expect(await listCopies()).toEqual([])
    const { rows } = await sql`select from jobs.job where id = ${id}`.execute(server.deps.db)
    expect(rows).toEqual([])
  })

  it('leaves what another one of its project has delivered meanwhile', async () => {
    const id = await begun({ project })
    const other = await getFinished((await begin([canary], { project })).data.id)
    expect(other.state).toBe('Done')
    await abandonTransfer(server.deps, id)
    expect(await listCopies()).toEqual([40])
    await server.deps.db.deleteFrom('series').where('organization_id', '=', southId).execute()
  })

  it('leaves what another one of its project works on, which takes it back where it is stopped', async () => {
    const id = await begun({ project: 'Heart study' })
    const copying = holdAt(20)
    const other = (await begin([canary], { project: 'Heart study' })).data
    await copying.reached()
    await abandonTransfer(server.deps, id)
    expect(await listCopies()).toEqual([40])
    expect((await admin.call(scan.stopTransfer, { id: other.id })).status).toBe(200)
    copying.goOn()
    for (let looks = 0; looks < 500 && (await listCopies()).length > 0; looks += 1)
      await new Promise((again) => setTimeout(again, 20))
    expect(await listCopies()).toEqual([])
  })
})

it('a held scan that is given up after somebody had looked leaves nothing of what had arrived [P20, P36]', async () => {
  const { transferId, holdId } = await holdBack('1.88', [ultrasound('1.88', 1)])
  await lookAtAll(holdId)
  expect((await decide(holdId)).status).toBe(200)
  await getFinished(transferId)
  expect(await listCopies()).toEqual([1])
  await unfinish(transferId)
  const { db } = server.deps
  const jobId = '00000000-0000-4000-8000-00000000a088'
  await db.updateTable('transfer_scans').set({ state: 'Held' }).where('transfer_id', '=', transferId).execute()
  await db.updateTable('transfer_holds').set({ job_id: jobId }).where('id', '=', holdId).execute()
  await abandonHeldScan(server.deps, jobId)
  expect((await getFinished(transferId)).scans).toMatchObject([
    { state: 'Failed', message: expect.stringContaining('interrupted too often'), newSeriesUID: null },
  ])
  expect(await listCopies()).toEqual([])
})
