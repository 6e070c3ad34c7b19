import { scan } from '@dmp/contract'
import { northClinic, southClinic, westClinic } from '@dmp/contract/examples'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { copying } from './seriesCopy.ts'

let server: TestServer
let provider: SignedIn
const many = 12
const studies: Readonly<Record<string, string>> = {
  [northClinic.id]: '1.31',
  [southClinic.id]: '1.32',
  [westClinic.id]: '1.33',
}

beforeAll(async () => {
  server = await startServer()
  provider = await server.signIn('super_admin')
  const west = { status: 'Activated', datastore_id: 'w'.repeat(32) } as const
  await server.deps.db.updateTable('organizations').set(west).where('id', '=', westClinic.id).execute()
  for (const [organizationId, study] of Object.entries(studies)) {
    const objects = Array.from({ length: organizationId === westClinic.id ? 1 : many }, (_, n) =>
      dicomFile({
        elements: slice({
          '00080018': text('UI', `${study}.1.${n + 1}`),
          '0020000D': text('UI', study),
          '0020000E': text('UI', `${study}.1`),
        }),
      }),
    )
    const stored = await stow(server, provider, objects, `/dicom-web/studies?organizationId=${organizationId}`)
    expect(stored.statusCode).toBe(200)
  }
})
afterAll(() => server.close())

const begin = async (organizationId: string, dstOrganizationName: string): Promise<string> => {
  const studyUID = studies[organizationId] ?? ''
  const scans = [{ studyUID, seriesUID: `${studyUID}.1` }]
  const input = { organizationId, scans, dstOrganizationName, anonymize: true }
  const { status, data, message } = await provider.call(scan.transfer, input)
  expect([status, message]).toEqual([200, undefined])
  return data.id
}
const isDone = async (id: string): Promise<void> => {
  const read = () => server.deps.db.selectFrom('transfers').select('state').where('id', '=', id).executeTakeFirst()
  while ((await read())?.state !== 'Done') await new Promise((again) => setTimeout(again, 10))
}

it('a short transfer does not wait for the long ones of other organizations [P18, 5.12]', async () => {
  const gate = Promise.withResolvers<void>()
  const copied: string[] = []
  const { runStored } = server.deps.reader
  jest.spyOn(server.deps.reader, 'runStored').mockImplementation(async (kind, input, more) => {
    if (kind === 'copy') {
      copied.push(more.turn.customer)
      await gate.promise
    }
    return runStored.call(server.deps.reader, kind, input, more) as never
  })
  const long = [await begin(northClinic.id, 'South-Clinic'), await begin(southClinic.id, 'North-Clinic')]
  while (copied.length < 2) await new Promise((again) => setTimeout(again, 10))
  const waits = jest.spyOn(copying, 'begin')
  const short = await begin(westClinic.id, 'North-Clinic')
  while (!waits.mock.calls.some(([{ customer }]) => customer === westClinic.id))
    await new Promise((again) => setTimeout(again, 10))
  gate.resolve()
  for (const id of [short, ...long]) await isDone(id)
  expect(copied).toHaveLength(2 * many + 1)
  expect(copied.indexOf(westClinic.id)).toBeLessThan(6)
})
