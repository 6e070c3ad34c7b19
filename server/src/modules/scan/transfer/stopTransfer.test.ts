import { audit, scan } from '@dmp/contract'
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

beforeAll(startWithCanaries)
afterAll(() => server.close())
afterEach(() => jest.restoreAllMocks())

const countCopies = async () =>
  (await server.deps.db.selectFrom('series').select('series_uid').where('organization_id', '=', southId).execute())
    .length

describe('a transfer that its sender stops [5.12]', () => {
  it('in the middle of a scan: nothing of the scan stays, and the record says who stopped what', async () => {
    const before = await countCopies()
    // Sixteen images of the forty are stored by then.
    const copy = holdAt(20)
    const { data } = await begin([canary])
    await copy.reached()
    expect(await countCopies()).toBe(before + 1)
    const stopped = await admin.call(scan.stopTransfer, { id: data.id })
    expect(stopped.data).toMatchObject({
      state: 'Failed',
      scans: [
        { state: 'Failed', imagesDone: 0, isStopped: true, message: expect.stringMatching(/ stopped the transfer\.$/) },
      ],
    })
    expect(stopped.data.finishedDate).not.toBeNull()
    const german = await admin.call(scan.listTransfers, {}, { headers: { ...admin.headers, 'accept-language': 'de' } })
    expect(german.data.find(({ id }) => id === data.id)?.scans).toMatchObject([
      { isStopped: true, message: expect.stringMatching(/ hat die Übertragung gestoppt\.$/) },
    ])
    copy.goOn()
    while ((await countCopies()) !== before) await new Promise((again) => setTimeout(again, 20))
    // It stays as it was told, whatever the copy found out afterwards.
    expect((await getFinished(data.id)).scans).toEqual(stopped.data.scans)
    const { data: rows } = await admin.call(audit.list, { page: 1, pageSize: 10, event: 'TransferStopped' })
    expect(rows).toHaveLength(1)
    expect((await admin.call(audit.get, { id: rows[0]?.id ?? '' })).data.subject).toEqual(
      expect.arrayContaining([
        { key: 'transferId', value: data.id },
        { key: 'series', value: canary.seriesUID },
      ]),
    )
  })

  it('after its last image and before it is done: the copy is taken back', async () => {
    const before = await countCopies()
    const copy = holdAt(40)
    const { data } = await begin([canary])
    await copy.reached()
    expect((await admin.call(scan.stopTransfer, { id: data.id })).status).toBe(200)
    copy.goOn()
    while ((await countCopies()) !== before) await new Promise((again) => setTimeout(again, 20))
    expect((await getFinished(data.id)).scans).toMatchObject([{ state: 'Failed' }])
  })

  it('leaves nothing either when its server cannot take the copy back: whoever goes on with the job does', async () => {
    const before = await countCopies()
    const copy = holdAt(20)
    const { data } = await begin([canary])
    await copy.reached()
    expect((await admin.call(scan.stopTransfer, { id: data.id })).status).toBe(200)
    const { write } = server.deps
    let refused = 0
    jest.spyOn(server.deps, 'write').mockImplementation(async (context, change) => {
      if (context.request.id === `transfer ${data.id}` && (refused += 1) <= 2) throw new Error('the database is away')
      return write(context, change) as never
    })
    copy.goOn()
    while ((await countCopies()) !== before) await new Promise((again) => setTimeout(again, 20))
    expect(refused).toBe(3)
    expect((await getFinished(data.id)).scans).toMatchObject([{ state: 'Failed', newSeriesUID: null }])
  })

  it('fails where its scan is deleted meanwhile, and leaves nothing: the bytes in the bin go to nobody [P54]', async () => {
    const before = await countCopies()
    const copy = holdAt(20)
    const { data } = await begin([canary])
    await copy.reached()
    const organizationId = await server.organizationOf(admin)
    const seriesIdList = [canary.seriesUID]
    expect((await admin.call(scan.remove, { organizationId, seriesIdList })).status).toBe(200)
    copy.goOn()
    expect((await getFinished(data.id)).scans).toMatchObject([
      { state: 'Failed', message: 'The scan no longer exists.', newSeriesUID: null },
    ])
    while ((await countCopies()) !== before) await new Promise((again) => setTimeout(again, 20))
    expect((await admin.call(scan.undoDelete, { organizationId, seriesIdList })).status).toBe(200)
  })

  it('once it is done is told so, and what arrived stays; that of somebody else does not exist', async () => {
    const before = await countCopies()
    const { data } = await begin([canary])
    expect((await south.call(scan.stopTransfer, { id: data.id })).status).toBe(404)
    expect((await getFinished(data.id)).state).toBe('Done')
    const late = await admin.call(scan.stopTransfer, { id: data.id })
    expect([late.status, late.message]).toEqual([409, 'This transfer has finished already.'])
    expect(await countCopies()).toBe(before + 1)
  })
})
