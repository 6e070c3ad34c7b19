import { scan } from '@dmp/contract'
import { Stranger, tokenOf } from '../scan/sharing/shareInTests.ts'
import {
  admin,
  begin,
  canary,
  getFinished,
  hiddenName,
  northId,
  server,
  south,
  startWithCanaries,
} from '../scan/transfer/transferInTests.ts'
import { markAll, readInbox } from './inboxInTests.ts'

beforeAll(startWithCanaries)
afterAll(() => server.close())

it('a transfer is told to whoever asked for it, and the copy to those who get it, without names [P47]', async () => {
  const { data } = await begin([canary])
  await getFinished(data.id)
  const [done] = (await readInbox(admin, 'TransferDone')).sentences
  expect(done).toBe('Your transfer to South-Clinic is finished.')
  const received = (await readInbox(south, 'TransferReceived')).sentences
  expect(received).toEqual([expect.stringMatching(/was transferred to your organization\.$/)])
  expect(received.join()).not.toContain(hiddenName)
  expect((await readInbox(south, 'TransferDone')).entries).toEqual([])
  expect((await readInbox(admin, 'TransferReceived')).entries).toEqual([])
})

it('a transfer of which only some scans arrived is not told as finished [P47]', async () => {
  await server.deps.db
    .updateTable('instances')
    .set({ object_key: 'scans/gone/gone' })
    .where('sop_instance_uid', '=', '1.11.1.30')
    .execute()
  const ct = (await admin.call(scan.list, { query: 'CompressedSamples' })).data[0]
  const { data } = await begin([canary, { studyUID: ct?.studyUID ?? '', seriesUID: ct?.seriesUID ?? '' }])
  expect((await getFinished(data.id)).scans.map(({ state }) => state)).toEqual(['Failed', 'Done'])
  const [ended] = (await readInbox(admin, 'TransferDone')).sentences
  expect(ended).toBe('Your transfer to South-Clinic ended: some scans did not arrive there.')
})

it('a link that is opened is told to whoever shared, with how often, until the scan is gone [P47]', async () => {
  const { data } = await admin.call(scan.share, {
    organizationId: northId,
    seriesUID: canary.seriesUID,
    expireInDay: 1,
  })
  const token = tokenOf(data.downloadUrl)
  await new Stranger(server).visit(token)
  await new Stranger(server, '10.1.0.2').visit(token)
  const staff = await server.signIn('staff')
  const opened = async (who = admin) => (await readInbox(who, 'ShareOpened')).sentences
  expect(await opened()).toEqual([expect.stringMatching(/^Your link to .+ was opened twice\.$/)])
  expect((await readInbox(admin, 'ShareOpened')).entries[0]?.patient).toContain(hiddenName)
  for (const other of [staff, south]) expect(await opened(other)).toEqual([])
  // Whoever has the link can open it without end: all times are one row, which does not push out what else there is.
  const rows = server.deps.db.selectFrom('inbox_facts').select('times').where('kind', '=', 'ShareOpened')
  expect(await rows.execute()).toEqual([{ times: 2 }])
  expect((await markAll(admin)).data).toEqual({ unread: 0 })
  await new Stranger(server, '10.1.0.3').visit(token)
  const { entries, unread } = await readInbox(admin, 'ShareOpened')
  expect([entries.map(({ isUnread, count }) => [isUnread, count]), unread]).toEqual([[[true, 3]], 1])
  await admin.call(scan.remove, { organizationId: northId, seriesIdList: [canary.seriesUID] })
  expect(await opened()).toEqual([])
})
