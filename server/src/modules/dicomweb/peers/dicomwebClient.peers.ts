import { readFileSync } from 'node:fs'
import { readInstanceBytes } from '../../../dicom/instance.ts'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { openPage, value, type DicomwebClient } from './dicomwebClient.ts'

/** The client of the npm registry that OHIF and other viewers are built upon. */

interface Sample {
  readonly bytes: Buffer
  readonly studyInstanceUID: string
  readonly seriesInstanceUID: string
  readonly sopInstanceUID: string
}

let server: TestServer
let admin: SignedIn
let page: ReturnType<typeof openPage>
let client: DicomwebClient
const samples: Sample[] = []

const toArrayBuffer = (bytes: Buffer): ArrayBuffer => new Uint8Array(bytes).buffer

beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  const url = await server.listen()
  page = openPage(url)
  client = page.createClient(admin.headers)
  const seen = new Set<string>()
  for (const path of sampleObjects().filter((name) => !/brain_|papaya/.test(name))) {
    const bytes = readFileSync(path)
    const { studyUID, seriesUID, sopInstanceUID } = await readInstanceBytes(bytes)
    if (seen.has(sopInstanceUID)) continue
    seen.add(sopInstanceUID)
    samples.push({ bytes, studyInstanceUID: studyUID, seriesInstanceUID: seriesUID, sopInstanceUID })
  }
  expect(samples.length).toBeGreaterThan(8)
}, 120_000)
afterAll(async () => {
  page.close()
  await server.close()
})

it('stores objects, one and several, into a study or into any', async () => {
  const [first, ...others] = samples as [Sample, ...Sample[]]
  await client.storeInstances({ datasets: [toArrayBuffer(first.bytes)], studyInstanceUID: first.studyInstanceUID })
  await client.storeInstances({ datasets: others.map(({ bytes }) => toArrayBuffer(bytes)) })
  expect(await client.searchForInstances()).toHaveLength(samples.length)
})

it('searches at every level, by keys and by pages', async () => {
  const studies = await client.searchForStudies()
  const [sample] = samples as [Sample]
  const { studyInstanceUID } = sample
  expect(studies.length).toBe(new Set(samples.map((each) => each.studyInstanceUID)).size)
  const [known] = studies.filter((row) => value(row, '00100020') !== undefined)
  const byUid = { queryParams: { StudyInstanceUID: studyInstanceUID, includefield: 'all' } }
  const [study] = await client.searchForStudies(byUid)
  expect(value(study, '0020000D')).toBe(studyInstanceUID)
  const byPatient = { queryParams: { PatientID: String(value(known, '00100020')), limit: 1 } }
  expect(await client.searchForStudies(byPatient)).toHaveLength(1)
  const series = await client.searchForSeries({ studyInstanceUID })
  expect(series.map((row) => value(row, '0020000E'))).toContain(sample.seriesInstanceUID)
  const instances = await client.searchForInstances({
    studyInstanceUID,
    seriesInstanceUID: sample.seriesInstanceUID,
  })
  expect(instances.map((row) => value(row, '00080018'))).toContain(sample.sopInstanceUID)
  await expect(client.searchForStudies({ queryParams: { ContentLabel: 'x' } })).rejects.toMatchObject({ status: 400 })
})

it('retrieves studies, series and instances byte for byte', async () => {
  for (const { bytes, ...uids } of samples) {
    expect(bytes.equals(Buffer.from(await client.retrieveInstance(uids)))).toBe(true)
    const hasIt = (parts: ArrayBuffer[]): boolean => parts.some((part) => bytes.equals(Buffer.from(part)))
    expect(hasIt(await client.retrieveSeries(uids))).toBe(true)
    expect(hasIt(await client.retrieveStudy(uids))).toBe(true)
  }
})

it('retrieves metadata at every level', async () => {
  for (const { bytes: _bytes, ...uids } of samples) {
    const [instance] = await client.retrieveInstanceMetadata(uids)
    const series = await client.retrieveSeriesMetadata(uids)
    const study = await client.retrieveStudyMetadata(uids)
    for (const rows of [[instance], series, study])
      expect(rows.map((row) => value(row, '00080018'))).toContain(uids.sopInstanceUID)
  }
})

it('retrieves frames, stored or decoded, and bulk data by the addresses of the metadata', async () => {
  let compared = 0
  for (const { bytes: _bytes, ...uids } of samples) {
    const [metadata] = await client.retrieveInstanceMetadata(uids)
    const numberOf = (tag: string): number => Number(value(metadata, tag) ?? 1)
    const length = numberOf('00280010') * numberOf('00280011') * numberOf('00280002') * (numberOf('00280100') / 8)
    const frames = await client.retrieveInstanceFrames({ ...uids, frameNumbers: ['1'] })
    expect([uids.sopInstanceUID, frames[0]?.byteLength]).toEqual([uids.sopInstanceUID, length])
    const BulkDataURI = metadata?.['7FE00010']?.BulkDataURI ?? ''
    const [bulk] = await client.retrieveBulkData({
      BulkDataURI: new URL(BulkDataURI, server.app.listeningOrigin).href,
    })
    expect(bulk?.byteLength).toBeGreaterThan(0)
    compared += 1
  }
  expect(compared).toBe(samples.length)
})

it('retrieves pictures of instances and frames, as JPEG and PNG', async () => {
  const [{ bytes: _bytes, ...uids }] = samples as [Sample]
  const signature = (picture: unknown): string =>
    Buffer.from(([picture].flat()[0] as ArrayBuffer).slice(0, 4)).toString('hex')
  const png = [{ mediaType: 'image/png' }]
  expect(signature(await client.retrieveInstanceRendered(uids))).toMatch(/^ffd8ff/)
  expect(signature(await client.retrieveInstanceRendered({ ...uids, mediaTypes: png }))).toBe('89504e47')
  const window = { queryParams: { window: '100,200,linear', viewport: '64,64' } }
  expect(signature(await client.retrieveInstanceRendered({ ...uids, ...window }))).toMatch(/^ffd8ff/)
  expect(signature(await client.retrieveInstanceThumbnail(uids))).toMatch(/^ffd8ff/)
  // Without a type the client reads these as text.
  const first = { ...uids, frameNumbers: ['1'], mediaTypes: [{ mediaType: 'image/jpeg' }] }
  expect(signature(await client.retrieveInstanceFramesRendered(first))).toMatch(/^ffd8ff/)
  expect(signature(await client.retrieveInstanceFramesThumbnail(first))).toMatch(/^ffd8ff/)
})

it('is told why an object was not stored', async () => {
  const bytes = dicomFile({ elements: slice({ '00080018': text('UI', '1.33.1.1'), '0020000D': text('UI', '1.33') }) })
  const store = client.storeInstances({ datasets: [toArrayBuffer(bytes)], studyInstanceUID: '1.34' })
  await expect(store).rejects.toMatchObject({ status: 409 })
})
