import { scan } from '@dmp/contract'
import { sql } from 'kysely'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let [admin, south]: SignedIn[] = []
let organizationId: string

beforeAll(async () => {
  server = await startServer({ DMP_TRANSFER_DELAY_SECONDS: '600' })
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  organizationId = await server.organizationOf(admin)
  const elements = slice({
    '00080018': text('UI', '1.61.1.1'),
    '0020000D': text('UI', '1.61'),
    '0020000E': text('UI', '1.61.1'),
  })
  expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
})
afterAll(() => server.close())

const begin = () =>
  admin!.call(scan.transfer, {
    organizationId,
    scans: [{ studyUID: '1.61', seriesUID: '1.61.1' }],
    dstOrganizationName: 'South-Clinic',
    anonymize: true,
  })
const find = async (id: string) => (await admin!.call(scan.listTransfers, {})).data.find((row) => row.id === id)
const countReceived = async () => (await south!.call(scan.list, {})).data.length

const listRows = (id: string) =>
  server.deps.db.selectFrom('transfer_scans').select(['state', 'message']).where('transfer_id', '=', id).execute()

/** As if the time of waiting were over. */
async function letLeave(id: string): Promise<void> {
  await sql`update transfers set leaves_date = now() where id = ${id}`.execute(server.deps.db)
  await sql`update jobs.job set start_after = now() where id = ${id}`.execute(server.deps.db)
  server.deps.jobs.wake('transfer')
}

async function waitForEnd(id: string) {
  for (;;) {
    const transfer = await find(id)
    if (transfer?.finishedDate) return transfer
    await new Promise((again) => setTimeout(again, 50))
  }
}

describe('a transfer that has not left yet', () => {
  it('says for how long it waits, and reaches nobody before [P54, 5.12]', async () => {
    const received = await countReceived()
    const { data } = await begin()
    expect([data.state, data.finishedDate]).toEqual(['Queued', null])
    expect(data.leavesInSeconds).toBeGreaterThan(590)
    expect(data.leavesInSeconds).toBeLessThanOrEqual(600)
    server.deps.jobs.wake('transfer')
    expect([(await find(data.id))?.state, await countReceived()]).toEqual(['Queued', received])
    await letLeave(data.id)
    const ended = await waitForEnd(data.id)
    expect([ended.state, ended.leavesInSeconds, await countReceived()]).toEqual(['Done', undefined, received + 1])
  })

  it('is stopped without a trace at the receiver, also when its time comes [P54, 5.12]', async () => {
    const received = await countReceived()
    const stoppedOne = (await begin()).data.id
    const stopped = await admin!.call(scan.stopTransfer, { id: stoppedOne })
    expect([stopped.data.state, stopped.data.leavesInSeconds]).toEqual(['Failed', undefined])
    const next = (await begin()).data.id
    await letLeave(stoppedOne)
    await letLeave(next)
    expect((await waitForEnd(next)).state).toBe('Done')
    expect([(await find(stoppedOne))?.state, await countReceived()]).toEqual(['Failed', received + 1])
  })

  it.each([
    ['its receiver', 'South-Clinic', 'The destination can no longer receive scans.'],
    [
      'its own organization',
      'North-Clinic',
      'The organization of this scan was deactivated. The scan was not transferred.',
    ],
  ])('goes nowhere once %s was deactivated [P54, 5.12]', async (_whose, name, message) => {
    const received = await countReceived()
    const { data } = await begin()
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('organizations').set({ status }).where('name', '=', name).execute()
    await setStatus('Deactivated')
    await letLeave(data.id)
    while ((await listRows(data.id)).some(({ state }) => state === 'Queued' || state === 'Running'))
      await new Promise((again) => setTimeout(again, 50))
    await setStatus('Activated')
    expect(await listRows(data.id)).toEqual([{ state: 'Failed', message }])
    expect(await countReceived()).toBe(received)
  })

  it('goes nowhere once its sender was deactivated [P05, P54, 5.12]', async () => {
    const received = await countReceived()
    const sender = await server.signIn('admin@north.example')
    const { data } = await sender.call(scan.transfer, {
      organizationId,
      scans: [{ studyUID: '1.61', seriesUID: '1.61.1' }],
      dstOrganizationName: 'South-Clinic',
      anonymize: true,
    })
    const setStatus = (status: 'Activated' | 'Deactivated') =>
      server.deps.db.updateTable('users').set({ status }).where('email', '=', 'admin@north.example').execute()
    await setStatus('Deactivated')
    await letLeave(data.id)
    while ((await listRows(data.id)).some(({ state }) => state === 'Queued' || state === 'Running'))
      await new Promise((again) => setTimeout(again, 50))
    await setStatus('Activated')
    expect(await listRows(data.id)).toEqual([
      {
        state: 'Failed',
        message: 'The person who began the transfer was deactivated. The scan was not transferred.',
      },
    ])
    expect(await countReceived()).toBe(received)
  })
})
