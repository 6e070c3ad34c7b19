import { readFileSync } from 'node:fs'
import { sampleObjects } from '../../../dicom/sampleObjects.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { startOrthanc, type Orthanc } from '../../dicomweb/peers/orthancInTests.ts'
import { addPartner, dicomVariables, titleOf } from '../nodeInTests.ts'

let server: TestServer
let admin: SignedIn
let orthanc: Orthanc
/** By the id that Orthanc gives an instance. */
const ids: string[] = []

beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  orthanc = await startOrthanc({ Url: 'http://127.0.0.1:1/' }, { node: true })
  await addPartner(admin, { name: 'Orthanc', aeTitle: 'ORTHANC', host: '127.0.0.1', port: orthanc.dicomPort })
  await orthanc.call(
    '/modalities/dmp',
    {
      AET: await titleOf(admin),
      Host: '127.0.0.1',
      Port: server.dicomNode.port,
      AllowStorageCommitment: true,
    },
    'PUT',
  )
  for (const path of sampleObjects().filter((each) => /US-PAL|jpeg_ls|jpeg_2000|rle|implicit_little/.test(each)))
    ids.push((await orthanc.call<{ ID: string }>('/instances', readFileSync(path))).ID)
  expect(ids.length).toBeGreaterThan(3)
}, 120_000)
afterAll(async () => {
  await orthanc.close()
  await server.close()
})

const stored = async (): Promise<unknown[]> =>
  (await server.app.inject({ url: '/dicom-web/instances', headers: admin.headers })).json<unknown[]>()

it('is asked whether it is there', async () => {
  await orthanc.call('/modalities/dmp/echo', {})
})

it('takes what Orthanc sends [P51]', async () => {
  await orthanc.call('/modalities/dmp/store', { Resources: ids, Synchronous: true })
  expect(await stored()).toHaveLength(ids.length)
}, 60_000)

it('commits to what Orthanc sent, by a report to Orthanc', async () => {
  const { ID } = await orthanc.call<{ ID: string }>('/modalities/dmp/storage-commitment', { Resources: ids })
  let report: { Status: string; Success: unknown[] } = { Status: 'Pending', Success: [] }
  while (report.Status === 'Pending') report = await orthanc.call(`/storage-commitment/${ID}`)
  expect(report).toMatchObject({ Status: 'Success' })
  expect(report.Success).toHaveLength(ids.length)
}, 60_000)

it('is searched by Orthanc, and sends to it what it asks for', async () => {
  for (const id of await orthanc.call<string[]>('/patients')) await orthanc.call(`/patients/${id}`, undefined, 'DELETE')
  const query = await orthanc.call<{ ID: string }>('/modalities/dmp/query', {
    Level: 'Study',
    Query: { PatientID: '' },
  })
  const answers = await orthanc.call<string[]>(`/queries/${query.ID}/answers`)
  expect(answers.length).toBeGreaterThan(2)
  await orthanc.call(`/queries/${query.ID}/retrieve`, { TargetAet: 'ORTHANC', Synchronous: true })
  expect((await orthanc.call<string[]>('/instances')).toSorted()).toEqual(ids.toSorted())
}, 60_000)
