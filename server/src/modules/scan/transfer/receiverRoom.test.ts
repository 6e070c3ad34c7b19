import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

const object = (study: string): Buffer =>
  dicomFile({
    elements: slice({
      '00080018': text('UI', `${study}.1.1`),
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.1`),
    }),
  })
const studies = ['1.95', '1.96', '1.97']
/** Copies are some bytes longer or shorter. */
const size = object('1.95').length * 1.2
let server: TestServer
let admin: SignedIn
let south: SignedIn

beforeAll(async () => {
  // A quarter of the receiver's room is good for two scans.
  server = await startServer({ DMP_ORGANIZATION_QUOTA_GB: ((9.6 * size) / 2 ** 30).toFixed(12) })
  // Those of the demo's complaints.
  await server.deps.db.deleteFrom('complaint_picture_totals').execute()
  ;[admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
  expect((await stow(server, admin, studies.map(object))).statusCode).toBe(200)
})
afterAll(() => server.close())

async function send(study: string) {
  const organizationId = await server.organizationOf(admin)
  const { data } = await admin.call(scan.transfer, {
    organizationId,
    scans: [{ studyUID: study, seriesUID: `${study}.1` }],
    dstOrganizationName: 'South-Clinic',
    anonymize: false,
  })
  for (;;) {
    const transfer = (await admin.call(scan.listTransfers, {})).data.find(({ id }) => id === data.id)
    if (transfer?.finishedDate) return transfer.scans[0]
    await new Promise((again) => setTimeout(again, 20))
  }
}

it('a sender takes a quarter of the receiver’s room at most, whose own uploads go on [P02, P18]', async () => {
  expect(await send('1.95')).toMatchObject({ state: 'Done' })
  expect(await send('1.96')).toMatchObject({ state: 'Done' })
  expect(await send('1.97')).toMatchObject({
    state: 'Failed',
    message: expect.stringContaining('no more room for scans of other organizations'),
  })
  expect((await stow(server, south, [object('1.98'), object('1.99')])).statusCode).toBe(200)
  // What the receiver deletes is room again.
  const received = (await south.call(scan.list, {})).data.find(({ source }) => source === 'Transfer')
  await south.call(scan.remove, {
    organizationId: await server.organizationOf(south),
    seriesIdList: [received?.seriesUID ?? ''],
  })
  expect(await send('1.97')).toMatchObject({ state: 'Done' })
})

it('all senders together take half of the receiver’s room at most, whose own uploads go on [P02, P18]', async () => {
  const { db } = server.deps
  const { id } = await db
    .selectFrom('organizations')
    .select('id')
    .where('name', '=', 'West-Clinic')
    .executeTakeFirstOrThrow()
  /** As if what has come so far had come from somebody else. */
  const handOver = () => db.updateTable('transfers').set({ organization_id: id }).execute()
  const others = ['1.91', '1.92', '1.93']
  expect((await stow(server, admin, others.map(object))).statusCode).toBe(200)
  await handOver()
  expect(await send('1.91')).toMatchObject({ state: 'Done' })
  expect(await send('1.92')).toMatchObject({ state: 'Done' })
  await handOver()
  expect(await send('1.93')).toMatchObject({
    state: 'Failed',
    message: expect.stringContaining('no more room for scans of other organizations'),
  })
  expect((await stow(server, south, [object('1.94')])).statusCode).toBe(200)
})
