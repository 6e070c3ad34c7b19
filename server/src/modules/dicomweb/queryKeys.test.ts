import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { formatKeyPath } from './capabilities.ts'
import { listQueryKeys, type QueryLevel } from './queryKeys.ts'

let server: TestServer
let staff: SignedIn
/** One study of each, and of each series and instance one. */
const patient = {
  '00080005': text('CS', 'ISO_IR 192'),
  '00080030': text('TM', '103015.5'),
  '00080050': text('SH', 'ACC-1'),
  '00080060': text('CS', 'MR'),
  '00080070': text('LO', 'Maker'),
  '00080080': text('LO', 'Hospital'),
  '00080090': text('PN', 'Ito^Ren=伊藤^蓮=いとう^れん'),
  '00080201': text('SH', '+0200'),
  '00081030': text('LO', 'Head MR'),
  '0008103E': text('LO', 'T1 axial'),
  '00080021': text('DA', '20240506'),
  '00080031': text('TM', '1040'),
  '00081090': text('LO', 'Model'),
  '00100010': text('PN', 'Yamada^Tarou=山田^太郎=やまだ^たろう'),
  '00100020': text('LO', 'P-1'),
  '00100021': text('LO', 'Issuer'),
  '00100030': text('DA', '19500102'),
  '00100040': text('CS', 'M'),
  '00180015': text('CS', 'HEAD'),
  '00200010': text('SH', 'S-1'),
  '00200011': text('IS', '7'),
  '00200013': text('IS', '3'),
  '00200060': text('CS', 'L'),
  '00400244': text('DA', '20240507'),
  '00400245': text('TM', '070809'),
  '00400275': [{ '00400009': text('SH', 'STEP-1'), '00401001': text('SH', 'PROC-1') }],
  '00080018': text('UI', '1.90.1.1'),
  '0020000D': text('UI', '1.90'),
  '0020000E': text('UI', '1.90.1'),
}
const other = {
  '00080018': text('UI', '1.91.1.1'),
  '0020000D': text('UI', '1.91'),
  '0020000E': text('UI', '1.91.1'),
  '00080020': text('DA', '20200101'),
  '00080030': text('TM', '235959'),
}

beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  const objects = [
    dicomFile({ elements: slice({ ...patient, '00080020': text('DA', '20240506') }) }),
    dicomFile({ elements: slice(other) }),
  ]
  expect((await stow(server, staff, objects)).statusCode).toBe(200)
})
afterAll(() => server.close())

const search = async (level: QueryLevel, query: Record<string, string>) => {
  const url = `/dicom-web/${level}?${new URLSearchParams(query)}`
  const reply = await server.app.inject({ url, headers: staff.headers })
  expect([query, reply.statusCode]).toEqual([query, 200])
  return reply.json<Record<string, { Value?: unknown[] }>[]>()
}
const findUids = async (level: QueryLevel, query: Record<string, string>): Promise<unknown[]> =>
  (await search(level, query)).map((row) => row['0020000D']?.Value?.[0])

/** For every key of the table a value that the first study has and the second has not, and one that neither has. */
const values: Readonly<Record<string, readonly [there: string, nowhere: string]>> = {
  StudyDate: ['20240506', '20240507'],
  StudyTime: ['1030', '1031'],
  AccessionNumber: ['ACC-1', 'ACC-2'],
  ModalitiesInStudy: ['MR', 'US'],
  ReferringPhysicianName: ['ito^ren', 'Ito'],
  PatientName: ['Yamada*', 'Suzuki*'],
  PatientID: ['P-1', 'P-2'],
  StudyInstanceUID: ['1.90', '1.92'],
  StudyID: ['S-1', 'S-2'],
  StudyDescription: ['head*', 'foot*'],
  PatientBirthDate: ['19500102', '19500103'],
  PatientSex: ['M', 'F'],
  IssuerOfPatientID: ['Issuer', 'Nobody'],
  Modality: ['MR,US', 'US'],
  SeriesInstanceUID: ['1.90.1', '1.92.1'],
  SeriesNumber: ['7', '8'],
  PerformedProcedureStepStartDate: ['20240501-20240531', '20240508-'],
  PerformedProcedureStepStartTime: ['0708', '0709'],
  'RequestAttributesSequence.ScheduledProcedureStepID': ['STEP-1', 'STEP-2'],
  'RequestAttributesSequence.RequestedProcedureID': ['PROC-?', 'PROC'],
  SeriesDescription: ['T1*', 'T2*'],
  SeriesDate: ['20240506', '20240507'],
  SeriesTime: ['1040-1041', '1041'],
  BodyPartExamined: ['HEAD', 'FOOT'],
  Laterality: ['L', 'R'],
  Manufacturer: ['Maker', 'Baker'],
  ManufacturerModelName: ['Model', 'Yodel'],
  InstitutionName: ['Hospital', 'Hotel'],
  SOPClassUID: ['1.2.840.10008.5.1.4.1.1.2', '1.2.840.10008.5.1.4.1.1.4'],
  SOPInstanceUID: ['1.90.1.1', '1.92.1.1'],
  InstanceNumber: ['3', '4'],
}

describe.each(['studies', 'series', 'instances'] as const)('a search for %s', (level) => {
  it.each(listQueryKeys(level).map(({ path }) => [formatKeyPath(path), path]))(
    'matches %s, by keyword and by tag [7.38]',
    async (keyword, path) => {
      const [there = '', nowhere = ''] = values[keyword] ?? []
      for (const name of [keyword, path]) {
        expect([name, await findUids(level, { [name]: there, PatientID: 'P-1' })]).toEqual([name, ['1.90']])
        expect([name, await findUids(level, { [name]: nowhere })]).toEqual([name, []])
      }
    },
  )
})

describe('names', () => {
  it('match in each of their spellings, and each group in its own', async () => {
    for (const name of [
      'yamada^tarou',
      '山田^太郎',
      '山田*',
      'やまだ^たろう',
      '=山田*',
      'Yamada*==やまだ*',
      'Yamada^Tarou=山田^太郎',
    ])
      expect([name, await findUids('studies', { PatientName: name })]).toEqual([name, ['1.90']])
    for (const name of ['=Yamada*', '山田', 'Yamada*=鈴木*'])
      expect([name, await findUids('studies', { PatientName: name })]).toEqual([name, []])
    expect(await findUids('studies', { PatientName: '太郎 yama', fuzzymatching: 'true' })).toEqual(['1.90'])
    expect(await findUids('studies', { ReferringPhysicianName: '伊藤^蓮' })).toEqual(['1.90'])
  })
})

describe('times', () => {
  it('match as ranges, open at one end or not', async () => {
    for (const [range, found] of [
      ['1030-1130', ['1.90']],
      ['-1030', ['1.90']],
      ['-103014', []],
      ['103015.5', ['1.90']],
      ['103015.4', []],
      ['2300-', ['1.91']],
    ] as const)
      expect([range, await findUids('studies', { StudyTime: range })]).toEqual([range, found])
    for (const wrong of ['25:00', '1', 'noon'])
      expect(
        (await server.app.inject({ url: `/dicom-web/studies?StudyTime=${wrong}`, headers: staff.headers })).statusCode,
      ).toBe(400)
  })
})

it('answers a series with the zone of its times, also below its study', async () => {
  const url = '/dicom-web/studies/1.90/series'
  const [row] = (await server.app.inject({ url, headers: staff.headers })).json<
    Record<string, { Value?: unknown[] }>[]
  >()
  expect(row?.['00080201']?.Value).toEqual(['+0200'])
})
