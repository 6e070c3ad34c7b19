import { readFileSync } from 'node:fs'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { openPage, value, type DicomwebClient, type Row } from './dicomwebClient.ts'

/**
 * The requests of the data source of OHIF 3.13 (`@ohif/extension-default`), with the values that it sends, through the
 * client that it sends them with. The extension itself needs the viewer around it, and is not run here.
 */

let server: TestServer
let staff: SignedIn
let page: ReturnType<typeof openPage>
/** It searches with one client and reads with another, which accepts frames in all its requests. */
let search: DicomwebClient
let read: DicomwebClient
const frames = 'multipart/related; type=application/octet-stream; transfer-syntax=*'

beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  const files = sampleObjects().filter((path) => !/brain_|papaya/.test(path))
  await stow(
    server,
    staff,
    files.map((path) => readFileSync(path)),
  )
  page = openPage(await server.listen())
  search = page.createClient(staff.headers)
  read = page.createClient({ ...staff.headers, Accept: frames })
}, 120_000)
afterAll(async () => {
  page.close()
  await server.close()
})

const studyList = {
  limit: 101,
  offset: 0,
  fuzzymatching: true,
  includefield: '00081030,00080060,00080090,00100030',
}
const listStudies = async (more: object = {}): Promise<Row[]> =>
  await search.searchForStudies({ queryParams: { ...studyList, ...more } })

it('the study list is found, and filtered by what its columns offer', async () => {
  const all = await listStudies()
  expect(all.length).toBeGreaterThan(5)
  const [study] = all.filter((row) => value(row, '00080020') !== undefined && value(row, '00100020') !== undefined)
  const uid = value(study, '0020000D')
  const name = (value(study, '00100010') as { Alphabetic: string }).Alphabetic
  const filters = [
    { PatientName: `*${name.slice(1, 4)}*` },
    { '00100020': `*${String(value(study, '00100020'))}*` },
    { StudyDate: `19700102-${String(value(study, '00080020'))}` },
    { ModalitiesInStudy: study?.['00080061']?.Value?.join(',') },
    { StudyInstanceUID: String(uid) },
  ]
  for (const filter of filters)
    expect([filter, (await listStudies(filter)).map((row) => value(row, '0020000D'))]).toEqual([
      filter,
      expect.arrayContaining([uid]),
    ])
  expect(await listStudies({ AccessionNumber: '*no such number*' })).toEqual([])
  const both = all.slice(0, 2).map((row) => value(row, '0020000D'))
  expect(await listStudies({ StudyInstanceUID: both.join('\\') })).toHaveLength(2)
})

it('a study opens: its series, their metadata, frames and thumbnails', async () => {
  let seen = 0
  for (const study of await listStudies()) {
    const studyInstanceUID = String(value(study, '0020000D'))
    const queryParams = { includefield: '00080021,00080031,0008103E,00200011' }
    const series = await search.searchForSeries({ studyInstanceUID, queryParams })
    for (const row of series) {
      const seriesInstanceUID = String(value(row, '0020000E'))
      const own = { queryParams: { ...queryParams, SeriesInstanceUID: seriesInstanceUID }, studyInstanceUID }
      expect(await search.searchForSeries(own)).toHaveLength(1)
      const metadata = await read.retrieveSeriesMetadata({ studyInstanceUID, seriesInstanceUID })
      const path = `/dicom-web/studies/${studyInstanceUID}/series/${seriesInstanceUID}/instances`
      for (const instance of metadata) {
        const url = `${path}/${String(value(instance, '00080018'))}`
        const frame = await server.app.inject({ url: `${url}/frames/1`, headers: { ...staff.headers, accept: frames } })
        const type = String(frame.headers['content-type'])
        expect([url, frame.statusCode, type]).toEqual([url, 200, expect.stringContaining('multipart/related')])
        const picture = await server.app.inject({
          url: `${url}/thumbnail`,
          headers: { ...staff.headers, accept: 'image/jpeg' },
        })
        expect([url, picture.statusCode]).toEqual([url, 200])
        seen += 1
      }
    }
  }
  expect(seen).toBeGreaterThan(10)
})

it('one instance is looked up for what the list lacks', async () => {
  const [study] = await listStudies()
  const StudyInstanceUID = String(value(study, '0020000D'))
  const [series] = await search.searchForSeries({ studyInstanceUID: StudyInstanceUID })
  const found = await search.searchForInstances({
    studyInstanceUID: StudyInstanceUID,
    seriesInstanceUID: String(value(series, '0020000E')),
    queryParams: { limit: 1, includefield: '00081140,00280008' },
  })
  expect(found).toHaveLength(1)
})
