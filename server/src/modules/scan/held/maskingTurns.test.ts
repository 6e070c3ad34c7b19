import { scan } from '@dmp/contract'
import { northClinic, southClinic, westClinic } from '@dmp/contract/examples'
import { tag } from '@dmp/dicom'
import { datasetBytes, dicomFile, encapsulated, slice, text, u16 } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let provider: SignedIn
const series: Readonly<Record<string, string>> = {
  [northClinic.id]: '1.51',
  [southClinic.id]: '1.52',
  [westClinic.id]: '1.53',
}
const mask = { rows: 8, columns: 8, rectangles: [{ x: 1, y: 2, width: 3, height: 2 }] }

/** Two planes of one byte that is repeated 64 times: 8 × 8 pixels that have to be decoded. */
function compressedFrame(): Buffer {
  const header = Buffer.alloc(64)
  for (const [at, value] of [2, 64, 66].entries()) header.writeUInt32LE(value, at * 4)
  return Buffer.concat([header, Buffer.from([193, 0x11, 193, 0x11])])
}

function picture(seriesUID: string, number: number, modality: string): Buffer {
  const { [tag.PixelData]: none, ...elements } = slice({
    [tag.SOPInstanceUID]: text('UI', `${seriesUID}.${number}`),
    [tag.StudyInstanceUID]: text('UI', `${seriesUID}.0`),
    [tag.SeriesInstanceUID]: text('UI', seriesUID),
    [tag.InstanceNumber]: text('IS', String(number)),
    [tag.Modality]: text('CS', modality),
    [tag.Rows]: u16(8),
    [tag.Columns]: u16(8),
  })
  expect(none).toBeDefined()
  return dicomFile({
    transferSyntaxUID: '1.2.840.10008.1.2.5',
    sopInstanceUID: `${seriesUID}.${number}`,
    dataset: Buffer.concat([datasetBytes(elements), encapsulated([compressedFrame()])]),
  })
}

beforeAll(async () => {
  server = await startServer()
  provider = await server.signIn('super_admin')
  const west = { status: 'Activated', datastore_id: 'w'.repeat(32) } as const
  await server.deps.db.updateTable('organizations').set(west).where('id', '=', westClinic.id).execute()
  for (const [organizationId, seriesUID] of Object.entries(series)) {
    // Nobody has to look at the CT of the third.
    const modality = organizationId === westClinic.id ? 'CT' : 'US'
    const objects = [1, 2].map((number) => picture(seriesUID, number, modality))
    const stored = await stow(server, provider, objects, `/dicom-web/studies?organizationId=${organizationId}`)
    expect(stored.statusCode).toBe(200)
  }
})
afterAll(() => server.close())

async function begin(organizationId: string, dstOrganizationName: string): Promise<string> {
  const seriesUID = series[organizationId] ?? ''
  const scans = [{ studyUID: `${seriesUID}.0`, seriesUID }]
  const { status, data } = await provider.call(scan.transfer, {
    organizationId,
    scans,
    dstOrganizationName,
    anonymize: true,
  })
  expect(status).toBe(200)
  return data.id
}

async function until<T>(what: string, read: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 1_500; tries += 1) {
    const found = await read()
    if (found !== undefined) return found
    await new Promise((again) => setTimeout(again, 10))
  }
  throw new Error(`It never happened: ${what}.`)
}

const isDone = (id: string) =>
  until('a finished transfer', async () => {
    const rows = server.deps.db.selectFrom('transfers').select('state').where('id', '=', id)
    return (await rows.executeTakeFirst())?.state === 'Done' || undefined
  })

async function sendMasked(organizationId: string): Promise<void> {
  const { id } = await until(
    'a held scan',
    async () => (await provider.call(scan.listHeld, { organizationId })).data[0],
  )
  const { data: held } = await provider.call(scan.getHeld, { id })
  for (const { instanceUID } of held.heldPictures)
    await provider.call(scan.getHeldPicture, { id, instanceUID, frame: 1 })
  const { status } = await provider.call(scan.decideHeld, {
    id,
    decision: 'Send',
    revision: held.revision,
    masks: [mask],
    leftOut: [],
    isSeenElsewhere: false,
  })
  expect(status).toBe(200)
}

it('a transfer does not wait while pictures of other organizations are masked [P18, P36]', async () => {
  const long = [await begin(northClinic.id, 'South-Clinic'), await begin(southClinic.id, 'North-Clinic')]
  const gate = Promise.withResolvers<void>()
  const masked: string[] = []
  const { draw } = server.deps.pictures
  jest.spyOn(server.deps.pictures, 'draw').mockImplementation(async (request) => {
    if (request.key.includes('masked')) {
      masked.push(request.owner.organizationId)
      await gate.promise
    }
    return draw.call(server.deps.pictures, request) as never
  })
  for (const organizationId of [northClinic.id, southClinic.id]) await sendMasked(organizationId)
  await until('two pictures to be masked', async () => (masked.length === 2 ? true : undefined))
  await isDone(await begin(westClinic.id, 'North-Clinic'))
  // Each customer masks one picture at a time.
  expect([...masked].sort()).toEqual([northClinic.id, southClinic.id].sort())
  gate.resolve()
  for (const id of long) await isDone(id)
  expect(masked).toHaveLength(4)
})
