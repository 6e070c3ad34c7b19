import { inbox, scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { part10Start } from '@dmp/dimse/elementWriter'
import { dicomFile, slice, text, type Elements } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { makeApiToken } from '../../apiToken/apiTokenInTests.ts'

let server: TestServer
let [admin, staff, south]: SignedIn[] = []
let machine: SignedIn
let north: string
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
  south = await server.signIn('admin@south.example')
  north = await server.organizationOf(staff)
  const { token } = await makeApiToken(admin, { name: 'Nodule finder', scopes: ['upload'] })
  machine = { ...admin, headers: { authorization: `Bearer ${token}` } }
  await stow(server, staff, [
    object('1.1', { [tag.InstanceNumber]: text('IS', '1'), [tag.PatientSex]: text('CS', 'F') }),
  ])
})
afterAll(() => server.close())

const study = '1.2250'
const object = (place: string, changes: Elements): Buffer =>
  dicomFile({
    elements: slice({
      [tag.StudyInstanceUID]: text('UI', study),
      [tag.SeriesInstanceUID]: text('UI', `${study}.${place.split('.')[0]}`),
      [tag.SOPInstanceUID]: text('UI', `${study}.${place}`),
      ...changes,
    }),
  })

const pixels = [
  tag.PixelData,
  tag.Rows,
  tag.Columns,
  tag.BitsAllocated,
  tag.BitsStored,
  tag.HighBit,
  tag.PixelRepresentation,
  tag.SamplesPerPixel,
  tag.PhotometricInterpretation,
]
/** Made by a program, and without a picture. */
const made = (place: string, sopClass: string, changes: Elements): Buffer => {
  const maker = {
    [tag.Manufacturer]: text('LO', 'Acme AI'),
    [tag.ManufacturerModelName]: text('LO', 'Finder'),
    [tag.SoftwareVersions]: text('LO', '2.1'),
  }
  const elements = slice({
    [tag.SOPClassUID]: text('UI', `1.2.840.10008.5.1.4.1.1.${sopClass}`),
    [tag.StudyInstanceUID]: text('UI', study),
    [tag.SeriesInstanceUID]: text('UI', `${study}.${place.split('.')[0]}`),
    [tag.SOPInstanceUID]: text('UI', `${study}.${place}`),
    ...maker,
    ...changes,
  })
  const meta = { sopClassUID: `1.2.840.10008.5.1.4.1.1.${sopClass}`, sopInstanceUID: `${study}.${place}` }
  return dicomFile({
    start: part10Start({ ...meta, transferSyntaxUID: '1.2.840.10008.1.2.1' }),
    elements: Object.fromEntries(Object.entries(elements).filter(([key]) => !pixels.includes(key))),
  })
}
const coded = (meaning: string): Elements[] => [{ [tag.CodeMeaning]: text('LO', meaning) }]
const finding = (name: string, value: Elements): Elements => ({ [tag.ConceptNameCodeSequence]: coded(name), ...value })
const report = (place: string, content: Elements[], changes: Elements = {}): Buffer =>
  made(place, '88.22', {
    [tag.Modality]: text('CS', 'SR'),
    [tag.ConceptNameCodeSequence]: coded('Chest CT report'),
    [tag.ContentSequence]: content,
    ...changes,
  })
const ask = (series: number, who = staff) =>
  who!.call(scan.getResult, { organizationId: north, seriesUID: `${study}.${series}` })

describe('what a program sends back [P59]', () => {
  it('says what it is, which program made it and which machine sent it, under its study', async () => {
    const measured = [{ [tag.NumericValue]: text('DS', '7.5'), [tag.MeasurementUnitsCodeSequence]: coded('mm') }]
    const content = [
      finding('Impression', {
        [tag.TextValue]: text('UT', 'One nodule'),
        [tag.ContentSequence]: [finding('Diameter', { [tag.MeasuredValueSequence]: measured })],
      }),
    ]
    expect((await stow(server, machine, [report('2.1', content)])).statusCode).toBe(200)
    const result = { kind: 'Report', madeBy: 'Acme AI Finder', sender: 'Nodule finder' }
    expect((await ask(2)).data).toEqual({
      ...result,
      software: '2.1',
      title: 'Chest CT report',
      isVerified: null,
      mimeType: null,
      sopInstanceUID: `${study}.2.1`,
      objects: 1,
      isShortened: false,
      lines: [
        { depth: 0, name: 'Impression', value: 'One nodule' },
        { depth: 1, name: 'Diameter', value: '7.5 mm' },
      ],
    })
    const { data } = await staff!.call(scan.listStudies, { organizationId: north, patientOf: study })
    const series = data.find(({ studyUID }) => studyUID === study)?.series ?? []
    expect(series.map((row) => row.result)).toEqual([null, result])
    const alone = await staff!.call(scan.listStudies, { organizationId: north, studyUID: study })
    expect(alone.data.map((row) => [row.studyUID, row.series.length])).toEqual([[study, 2]])
    const detail = (seriesUID: string) => staff!.call(scan.get, { organizationId: north, seriesUID })
    expect((await detail(`${study}.2`)).data.result).toEqual(result)
    expect((await detail(`${study}.1`)).data.result).toBeNull()
  })

  it('hands out an embedded document byte for byte, never as a page', async () => {
    const pdf = Buffer.from('%PDF-1.4 a document with an even count')
    const document = made('3.1', '104.1', {
      [tag.Modality]: text('CS', 'DOC'),
      [tag.DocumentTitle]: text('ST', 'Findings'),
      [tag.MIMETypeOfEncapsulatedDocument]: text('LO', 'application/pdf'),
      [tag.EncapsulatedDocument]: { vr: 'OB', value: pdf },
    })
    expect((await stow(server, staff!, [document])).statusCode).toBe(200)
    const { data } = await ask(3)
    expect(data).toMatchObject({ kind: 'Document', title: 'Findings', mimeType: 'application/pdf', sender: null })
    const url = `/dicom-web/studies/${study}/series/${study}.3/instances/${data.sopInstanceUID}/bulkdata/00420011`
    const headers = { ...staff!.headers, accept: 'application/octet-stream' }
    const reply = await server.app.inject({ url, headers })
    expect(reply.rawPayload.equals(pdf)).toBe(true)
    expect(reply.headers).toMatchObject({
      'content-type': 'application/octet-stream',
      'x-content-type-options': 'nosniff',
    })
  })

  it('keeps a report of thousands of lines within bounds, and says that it did [P18]', async () => {
    const lines = Array.from({ length: 3000 }, (_, at) => finding(`Line ${at}`, { [tag.TextValue]: text('UT', 'x') }))
    await stow(server, machine, [report('4.1', lines)])
    const { data } = await ask(4)
    expect([data.lines.length, data.isShortened]).toEqual([1000, true])
  })

  it.each([
    ['UNVERIFIED', false],
    ['VERIFIED', true],
    ['LATER', null],
  ])('says of a report with the flag %s whether somebody verified it', async (flag, isVerified) => {
    const series = 10 + flag.length
    const flagged = report(`${series}.1`, [], { [tag.VerificationFlag]: text('CS', flag) })
    expect((await stow(server, machine, [flagged])).statusCode).toBe(200)
    expect((await ask(series)).data.isVerified).toBe(isVerified)
  })

  it('is nothing to other organizations, and images are no results [P02]', async () => {
    expect([(await ask(2, south)).status, (await ask(1)).status]).toEqual([404, 404])
  })

  it('is none of images, though the first one that another organization has of their series is one [P02]', async () => {
    const southId = await server.organizationOf(south!)
    const see = async (who: SignedIn, organizationId: string) =>
      (await who.call(scan.get, { organizationId, seriesUID: `${study}.1` })).data
    const before = await see(staff!, north)
    const first = report('1.0', [], { [tag.InstanceNumber]: text('IS', '0'), [tag.PatientSex]: text('CS', 'M') })
    expect((await stow(server, south!, [first])).statusCode).toBe(200)
    expect([before.result, await see(staff!, north)]).toEqual([null, before])
    expect((await see(south!, southId)).result).toMatchObject({ kind: 'Report' })
    expect((await ask(1)).status).toBe(404)
  })

  it('is held back where it names another patient, and the owner of the machine is told until it is settled', async () => {
    const wrong = report('5.1', [], { [tag.PatientName]: text('PN', 'Other^Otto'), [tag.PatientID]: text('LO', 'O-2') })
    expect((await stow(server, machine, [wrong])).statusCode).toBe(409)
    expect((await ask(5)).status).toBe(404)
    const told = async (who: SignedIn) =>
      (await who.call(inbox.list, {})).data.entries.filter(({ kind }) => kind === 'ScanConflict')
    expect(await told(admin!)).toMatchObject([{ link: '/scan/conflicts', patient: 'Tester, Tilda' }])
    expect([await told(staff!), await told(south!)]).toEqual([[], []])
    const { data } = await admin!.call(scan.listConflicts, { state: 'open' })
    const id = data.find(({ stored }) => stored.studyUID === study)?.id ?? ''
    expect((await admin!.call(scan.settleConflict, { id })).status).toBe(200)
    expect(await told(admin!)).toEqual([])
  })

  it('is refused under the ID of its study where name and sex are others, and stored where one of them is', async () => {
    const [name, sex] = [{ [tag.PatientName]: text('PN', 'Other^Otto') }, { [tag.PatientSex]: text('CS', 'M') }]
    const status = async (place: string, changes: Elements) =>
      (await stow(server, machine, [report(place, [], changes)])).statusCode
    expect(await status('6.1', { ...name, ...sex })).toBe(409)
    expect((await ask(6)).status).toBe(404)
    expect([await status('7.1', name), await status('8.1', sex)]).toEqual([200, 200])
  })
})
