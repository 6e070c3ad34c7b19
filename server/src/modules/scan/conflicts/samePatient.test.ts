import { tag } from '@dmp/dicom'
import { dicomFile, slice, text, type Elements } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const tags = {
  id: [tag.PatientID, 'LO'],
  issuer: [tag.IssuerOfPatientID, 'LO'],
  name: [tag.PatientName, 'PN'],
  birthDate: [tag.PatientBirthDate, 'DA'],
  sex: [tag.PatientSex, 'CS'],
} as const
type Facts = Partial<Record<keyof typeof tags, string>>

const tilda: Facts = { id: 'T-1', issuer: 'North', name: 'Tester^Tilda', birthDate: '19700203', sex: 'F' }
const [otherName, otherDate, otherSex] = [{ name: 'Other^Otto' }, { birthDate: '19690102' }, { sex: 'M' }]

const object = (study: string, number: number, facts: Facts): Buffer => {
  const patient: Elements = Object.fromEntries(
    Object.entries({ ...tilda, ...facts }).map(([fact, value]) => {
      const [key, vr] = tags[fact as keyof typeof tags]
      return [key, text(vr, value)]
    }),
  )
  const uids = {
    [tag.StudyInstanceUID]: text('UI', study),
    [tag.SeriesInstanceUID]: text('UI', `${study}.${number}`),
    [tag.SOPInstanceUID]: text('UI', `${study}.${number}.1`),
  }
  return dicomFile({ elements: slice({ ...patient, ...uids }) })
}

let studies = 0
/** The status that the second object of a study gets. */
async function sendAfter(stored: Facts, arrived: Facts): Promise<number> {
  const study = `1.164.${++studies}`
  expect((await stow(server, staff, [object(study, 1, stored)])).statusCode).toBe(200)
  return (await stow(server, staff, [object(study, 2, arrived)])).statusCode
}

describe('an object of a study, whose patient has the same ID [P32]', () => {
  it.each<[string, Facts]>([
    ['name and birth date', { ...otherName, ...otherDate }],
    ['name and sex', { ...otherName, ...otherSex }],
    ['birth date and sex', { ...otherDate, ...otherSex }],
    ['name, birth date and sex', { ...otherName, ...otherDate, ...otherSex }],
  ])('is refused with another %s, whichever of both was first', async (_facts, others) => {
    expect([await sendAfter({}, others), await sendAfter(others, {})]).toEqual([409, 409])
  })

  it.each<[string, Facts]>([
    ['another name, as after a marriage', otherName],
    ['another birth date, as by a typing error', otherDate],
    ['another sex, as by a typing error', otherSex],
    ['another spelling and another sex', { name: 'TESTER, tilda', ...otherSex }],
    ['another name and no sex', { ...otherName, sex: '' }],
    ['another name and a sex that says nothing', { ...otherName, sex: 'O' }],
    ['another birth date and no name', { ...otherDate, name: '' }],
  ])('is stored with %s, whichever of both was first', async (_facts, others) => {
    expect([await sendAfter({}, others), await sendAfter(others, {})]).toEqual([200, 200])
  })
})

describe('an object of a study [P32]', () => {
  it.each<[string, Facts, number]>([
    ['another ID', { id: 'O-2' }, 409],
    ['another issuer of the ID', { issuer: 'South' }, 409],
    ['no ID, and nothing else that differs', { id: '' }, 200],
    ['no ID, and another name', { id: '', ...otherName }, 409],
    ['no ID, and another birth date', { id: '', ...otherDate }, 409],
  ])('with %s is judged by that alone', async (_facts, others, status) => {
    expect([await sendAfter({}, others), await sendAfter(others, {})]).toEqual([status, status])
  })
})
