import { readFileSync } from 'node:fs'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { startOrthanc, type Orthanc } from './orthancInTests.ts'

let server: TestServer
let admin: SignedIn
let orthanc: Orthanc
/** By the id that Orthanc gives an instance. */
const sent = new Map<string, Buffer>()

beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  orthanc = await startOrthanc({
    Url: `${await server.listen()}/dicom-web/`,
    HttpHeaders: admin.headers,
    HasDelete: true,
  })
  const files = sampleObjects().filter((path) => /US-PAL|jpeg_ls|jpeg_2000|rle|explicit_big|implicit_little/.test(path))
  for (const path of files) {
    const bytes = readFileSync(path)
    const { ID } = await orthanc.call<{ ID: string }>('/instances', bytes)
    sent.set(ID, bytes)
  }
  expect(sent.size).toBeGreaterThan(4)
}, 120_000)
afterAll(async () => {
  await orthanc.close()
  await server.close()
})

const search = async (path: string) =>
  (await server.app.inject({ url: `/dicom-web/${path}`, headers: admin.headers })).json<
    Record<string, { Value?: unknown[] }>[]
  >()

it('stores at us all that it has', async () => {
  const studies = await orthanc.call<string[]>('/studies')
  const job = await orthanc.call<Record<string, unknown>>('/dicom-web/servers/dmp/stow', {
    Resources: studies,
    Synchronous: true,
  })
  expect(job).toBeDefined()
  expect(await search('instances')).toHaveLength(sent.size)
  const whole = await server.app.inject({ url: '/dicom-web/instances', headers: admin.headers })
  for (const row of whole.json<Record<string, { Value: string[] }>[]>()) {
    const address = row['00081190']?.Value[0] ?? ''
    const reply = await server.app.inject({ url: address, headers: { ...admin.headers, accept: 'application/dicom' } })
    const isSame = [...sent.values()].some((bytes) => bytes.equals(reply.rawPayload))
    expect([address, isSame]).toEqual([address, true])
  }
})

it('searches here, by patient and by what is required', async () => {
  const patients = (await search('studies?StudyTime=000000-')).flatMap((study) => study['00100020']?.Value ?? [])
  const PatientID = String(patients[0])
  const find = (arguments_: Record<string, string>) =>
    orthanc.call<unknown[]>('/dicom-web/servers/dmp/qido', { Uri: '/studies', Arguments: arguments_ })
  expect(await find({ PatientID })).toHaveLength(1)
  expect(await find({ PatientID, StudyTime: '000000-' })).toHaveLength(1)
  expect(await find({ PatientID: 'nobody' })).toHaveLength(0)
  await expect(find({ ContentLabel: 'x' })).rejects.toThrow('Orthanc')
})

it('fetches back what it sent, byte for byte', async () => {
  for (const id of await orthanc.call<string[]>('/patients')) await orthanc.call(`/patients/${id}`, undefined, 'DELETE')
  expect(await orthanc.call<string[]>('/instances')).toEqual([])
  const studies = await search('studies')
  await orthanc.call('/dicom-web/servers/dmp/retrieve', {
    Resources: studies.map((study) => ({ Study: study['0020000D']?.Value?.[0] })),
    Synchronous: true,
  })
  const ids = await orthanc.call<string[]>('/instances')
  expect(ids.toSorted()).toEqual([...sent.keys()].toSorted())
})

it('reads metadata through us', async () => {
  const [study] = await search('studies')
  const answer = await orthanc.call<unknown[]>('/dicom-web/servers/dmp/get', {
    Uri: `/studies/${String(study?.['0020000D']?.Value?.[0])}/metadata`,
    HttpHeaders: { Accept: 'application/dicom+json' },
  })
  expect(answer.length).toBeGreaterThan(0)
})

it('deletes here by its person’s right', async () => {
  const before = await search('studies')
  const Study = before[0]?.['0020000D']?.Value?.[0]
  await orthanc.call('/dicom-web/servers/dmp/delete', { Level: 'Study', StudyInstanceUID: Study })
  const after = await search('studies')
  expect(after.map((study) => study['0020000D']?.Value?.[0])).not.toContain(Study)
  expect(after).toHaveLength(before.length - 1)
})
