import { audit, scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let admin: SignedIn
let south: SignedIn
let organizationId: string

beforeAll(async () => {
  server = await startServer({ DMP_TRANSFER_DELAY_SECONDS: '600' })
  ;[admin, south] = await Promise.all([server.signIn('admin'), server.signIn('admin@south.example')])
  organizationId = await server.organizationOf(admin)
  const objects = ['1', '2', '3'].map((series) =>
    dicomFile({
      elements: slice({
        '00080018': text('UI', `1.62.${series}.1`),
        '0020000D': text('UI', '1.62'),
        '0020000E': text('UI', `1.62.${series}`),
        '00100010': text('PN', 'Transferred^Tom'),
      }),
    }),
  )
  expect((await stow(server, admin, objects)).statusCode).toBe(200)
})
afterAll(() => server.close())

const dependentsOf = async (...seriesIdList: string[]) =>
  (await admin.call(scan.listDependents, { organizationId, seriesIdList })).data
const transfer = async (...series: string[]) =>
  (
    await admin.call(scan.transfer, {
      organizationId,
      scans: series.map((seriesUID) => ({ studyUID: '1.62', seriesUID })),
      dstOrganizationName: 'South-Clinic',
      anonymize: true,
    })
  ).data.id

describe('what ends with scans [P78]', () => {
  it('are the links that still open them, by recipient, and those that go on with other scans say so', async () => {
    const input = { organizationId, seriesUID: '1.62.1', expireInDay: 3 }
    await admin.call(scan.share, { ...input, recipient: 'ada@clinic.example' })
    await admin.call(scan.share, { ...input, alsoSeriesUIDs: ['1.62.2'] })
    await admin.call(scan.share, { ...input, seriesUID: '1.62.3' })
    const { links } = await dependentsOf('1.62.1')
    expect(links.map(({ recipient, goesOn }) => [recipient, goesOn]).toSorted()).toEqual([
      [null, true],
      ['ada@clinic.example', false],
    ])
    expect(links[0]?.createdByUser).not.toBe('')
    expect((await dependentsOf('1.62.1', '1.62.2')).links.every(({ goesOn }) => !goesOn)).toBe(true)
    for (const { id } of links) await admin.call(scan.revokeShare, { id })
    expect((await dependentsOf('1.62.1')).links).toEqual([])
  })

  it('are the transfers that have not sent them, until they are over', async () => {
    const id = await transfer('1.62.1', '1.62.2')
    expect((await dependentsOf('1.62.2', '1.62.3')).transfers).toEqual([
      { id, createdByUser: 'Mrs Nora Lind', dstOrganizationName: 'South-Clinic', scans: 1 },
    ])
    await admin.call(scan.stopTransfer, { id })
    expect((await dependentsOf('1.62.2')).transfers).toEqual([])
  })

  it('of another organization are nothing to ask for [P02]', async () => {
    const input = { organizationId, seriesIdList: ['1.62.1'] }
    expect((await south.call(scan.listDependents, input)).status).toBe(404)
  })
})

describe('the scans of a transfer', () => {
  it('are named to whoever started it, which is recorded, and to nobody else [P02, P24]', async () => {
    const id = await transfer('1.62.1', '1.62.2')
    const { data } = await admin.call(scan.listTransferScans, { id })
    expect(data.organizationId).toBe(organizationId)
    expect(data.scans.map(({ seriesUID, patientName }) => [seriesUID, patientName])).toEqual([
      ['1.62.1', 'Transferred, Tom'],
      ['1.62.2', 'Transferred, Tom'],
    ])
    const { data: rows } = await admin.call(audit.list, { page: 1, pageSize: 5, event: 'ScansQueried' })
    expect(rows[0]?.subject).toEqual(expect.arrayContaining([{ key: 'transferId', value: id }]))
    expect((await south.call(scan.listTransferScans, { id })).status).toBe(404)
    await admin.call(scan.stopTransfer, { id })
  })
})

describe('own deletions [P54, P78]', () => {
  const list = async (who = admin) => (await who.call(scan.listOwnDeletions, {})).data

  it('are what one can take back, each with the scans that went together, without a name', async () => {
    const seriesIdList = ['1.62.1', '1.62.2']
    expect((await admin.call(scan.remove, { organizationId, seriesIdList })).status).toBe(200)
    const found = await list()
    expect(found.map((row) => ({ ...row, seriesIdList: row.seriesIdList.toSorted() }))).toEqual([
      { organizationId, seriesIdList, deletedDate: expect.any(String) },
    ])
    expect(JSON.stringify(found)).not.toContain('Tom')
    expect(await list(south)).toEqual([])
    const [deletion] = found
    expect((await admin.call(scan.undoDelete, { ...deletion!, deletedDate: undefined } as never)).status).toBe(200)
    expect(await list()).toEqual([])
  })

  it('are those of the last day, and a series that was deleted again is in its last one alone', async () => {
    const remove = () => admin.call(scan.remove, { organizationId, seriesIdList: ['1.62.3'] })
    await remove()
    const elements = slice({
      '00080018': text('UI', '1.62.3.2'),
      '0020000D': text('UI', '1.62'),
      '0020000E': text('UI', '1.62.3'),
      '00100010': text('PN', 'Transferred^Tom'),
    })
    expect((await stow(server, admin, [dicomFile({ elements })])).statusCode).toBe(200)
    await remove()
    expect(await list()).toHaveLength(1)
    await server.deps.db
      .updateTable('bin_entries')
      .set({ deleted_date: new Date(Date.now() - 90_000_000) })
      .execute()
    expect(await list()).toEqual([])
  })
})
