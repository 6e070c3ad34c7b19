import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { Stranger, tokenOf } from '../scan/sharing/shareInTests.ts'
import { json, value } from './dicomwebInTests.ts'

/** The other studies of a patient, in an open image viewer. */
let server: TestServer
let staff: SignedIn
let south: SignedIn

const fileOf = (study: string, patientID: string, date: string, series = 1, modality = 'CT'): Buffer => {
  const elements = slice({
    '00080018': text('UI', `${study}.${series}.1`),
    '0020000D': text('UI', study),
    '0020000E': text('UI', `${study}.${series}`),
    '00200011': text('IS', String(series)),
    '00080060': text('CS', modality),
    '00080020': text('DA', date),
    '00100010': text('PN', 'Same^Name'),
    '00100020': text('LO', patientID),
  })
  return dicomFile({ elements })
}
const store = async (who: SignedIn, ...of: Parameters<typeof fileOf>): Promise<void> => {
  expect((await stow(server, who, [fileOf(...of)])).statusCode).toBe(200)
}

beforeAll(async () => {
  server = await startServer()
  ;[staff, south] = await Promise.all([server.signIn('staff'), server.signIn('admin@south.example')])
  await store(staff, '1.96.1', 'P-1', '20260301')
  await store(staff, '1.96.2', 'P-1', '20250301')
  await store(staff, '1.96.3', 'P-1', '20270301')
  await store(staff, '1.96.4', 'p-1', '20250401')
  await store(staff, '1.96.5', '', '20250501')
  await store(south, '1.96.6', 'P-1', '20250601')
})
afterAll(() => server.close())

/** Opens the study in a viewer; the cookie of that launch. */
async function launch(who: SignedIn, study: string): Promise<string> {
  const { data } = await who.call(scan.get, { organizationId: northClinic.id, seriesUID: `${study}.1` })
  const reply = await server.app.inject({
    method: 'POST',
    url: '/launch',
    headers: who.headers,
    payload: { imageSetID: data.advanced.imageSetID },
  })
  expect(reply.statusCode).toBe(200)
  return String([reply.headers['set-cookie']].flat().at(0)).split(';')[0] ?? ''
}

const ask = (url: string, cookie: string) => server.app.inject({ url, headers: { cookie } })
const statusOf = async (url: string, cookie: string) => (await ask(url, cookie)).statusCode
const uidsOf = (raw: { json(): { data: { studyUID: string }[] } }) => raw.json().data.map(({ studyUID }) => studyUID)

describe('the other studies of a patient', () => {
  it("are those of the patient's page, the newest first, and are read beside the launched one [P02, P79]", async () => {
    const cookie = await launch(staff, '1.96.1')
    const reply = await ask('/launch/priors/1.96.1', cookie)
    expect(uidsOf(reply)).toEqual(['1.96.3', '1.96.2'])
    expect(reply.json()).toMatchObject({ more: 0, patientPage: `/scan/patient/${northClinic.id}/1.96.1` })
    const { data } = await staff.call(scan.listStudies, { organizationId: northClinic.id, patientOf: '1.96.1' })
    expect(data.map(({ studyUID }) => studyUID).toSorted()).toEqual(['1.96.1', '1.96.2', '1.96.3'])
    expect(reply.json().data[1]).toMatchObject({
      studyDate: '2025-03-01',
      patientName: 'Same, Name',
      pictureSeriesUID: '1.96.2.1',
    })
    for (const path of ['series/1.96.2.1/metadata', 'series', 'series/1.96.2.1/instances/1.96.2.1.1/metadata'])
      expect([path, await statusOf(`/dicom-web/studies/1.96.2/${path}`, cookie)]).toEqual([path, 200])
    // A search names nothing but what was launched.
    expect(json(await ask('/dicom-web/studies', cookie)).map((row) => value(row, '0020000D'))).toEqual(['1.96.1'])
  })

  it('have the first series with pictures for their thumbnail, whichever arrived first [P79]', async () => {
    await store(staff, '1.98.1', 'P-98', '20260301')
    await store(staff, '1.98.2', 'P-98', '20250301', 3)
    await store(staff, '1.98.2', 'P-98', '20250301', 2)
    await store(staff, '1.98.2', 'P-98', '20250301', 1, 'SR')
    const reply = await ask('/launch/priors/1.98.1', await launch(staff, '1.98.1'))
    expect(reply.json().data).toMatchObject([{ studyUID: '1.98.2', pictureSeriesUID: '1.98.2.2' }])
  })

  it('are the newest hundred, and it says how many more there are [P79]', async () => {
    const files = Array.from({ length: 103 }, (_, at) =>
      fileOf(`1.97.${at + 1}`, 'P-97', String(19_000_101 + 10_000 * at)),
    )
    expect((await stow(server, staff, files)).statusCode).toBe(200)
    const reply = await ask('/launch/priors/1.97.1', await launch(staff, '1.97.1'))
    expect(uidsOf(reply)).toHaveLength(100)
    expect(reply.json()).toMatchObject({ more: 2, patientPage: `/scan/patient/${northClinic.id}/1.97.1` })
  })

  it('are nobody else’s: another ID, none, and the same ID of another organization stay shut [P02, P79]', async () => {
    const cookie = await launch(staff, '1.96.1')
    for (const study of ['1.96.4', '1.96.5', '1.96.6', '1.96.404', 'x%00'])
      for (const url of [`/dicom-web/studies/${study}/series`, `/launch/priors/${study}`])
        expect([url, await statusOf(url, cookie)]).toEqual([url, 404])
    const nameless = await launch(staff, '1.96.5')
    expect(uidsOf(await ask('/launch/priors/1.96.5', nameless))).toEqual([])
    const foreign = await server.app.inject({ url: '/launch/priors/1.96.1', headers: south.headers })
    expect(foreign.statusCode).toBe(404)
  })

  it('do not exist for somebody with a share link, nor without a launch [P25, P79]', async () => {
    const input = { organizationId: northClinic.id, seriesUID: '1.96.1.1', expireInDay: 1 }
    const { data } = await (await server.signIn('admin')).call(scan.share, input)
    const stranger = new Stranger(server)
    const root = `/dicom-web/shared/${(await stranger.visit(tokenOf(data.downloadUrl))).data.id}`
    expect((await stranger.get(`${root}/studies/1.96.1/series`)).statusCode).toBe(200)
    expect((await stranger.get('/launch/priors/1.96.1')).statusCode).toBe(401)
    expect((await stranger.get(`${root}/studies/1.96.2/series`)).statusCode).toBe(404)
    expect((await stranger.get(`${root}/priors/1.96.1`)).statusCode).toBe(404)
  })

  it('are recorded as a look at the patient, and reading one as a look at it [P24]', async () => {
    const cookie = await launch(staff, '1.96.3')
    await ask('/launch/priors/1.96.3', cookie)
    await ask('/dicom-web/studies/1.96.2/series/1.96.2.1/metadata', cookie)
    const rows = await server.deps.db
      .selectFrom('audit')
      .select(['event', 'subject'])
      .where('event', 'in', ['ScansQueried', 'ScanViewed'])
      .execute()
    const events = rows.map(({ event, subject }) => [event, subject])
    expect(events).toContainEqual(['ScansQueried', expect.objectContaining({ patientOf: '1.96.3' })])
    expect(events).toContainEqual(['ScanViewed', expect.objectContaining({ studyUID: '1.96.2' })])
  })
})
