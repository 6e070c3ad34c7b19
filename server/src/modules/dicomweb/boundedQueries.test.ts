import { randomBytes } from 'node:crypto'
import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'

/** What one object or one search can make the database do (P18, P21). */
let server: TestServer
let staff: SignedIn
beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterAll(() => server.close())

const get = (path: string) => server.app.inject({ url: `/dicom-web${path}`, headers: staff.headers })
const search = async (query: Record<string, string>): Promise<[number, unknown]> => {
  const reply = await get(`/studies?${new URLSearchParams(query)}`)
  const found =
    reply.statusCode === 200 && reply.payload !== '' ? reply.json<Record<string, { Value: string[] }>[]>() : []
  return [reply.statusCode, found.map((dataset) => dataset['0020000D']?.Value[0])]
}

/** Without a period, so that no index can compress it. */
const noise = (chars: number): string => randomBytes(chars).toString('base64url').slice(0, chars)
const long = {
  '00080050': noise(30_000),
  '00080060': noise(3_000),
  '00080090': `b${noise(60_000)}`,
  '0008103E': noise(30_000),
  '00081030': noise(30_000),
  '00100010': `Long^Name=${noise(32_000)}`,
  '00100020': noise(30_000),
  '00200010': noise(30_000),
}
const vrs: Record<string, string> = {
  '00080050': 'SH',
  '00080060': 'CS',
  '00080090': 'PN',
  '00100010': 'PN',
  '00200010': 'SH',
  '0020000E': 'UI',
  '00080018': 'UI',
}
const objectOf = (study: string, more: Record<string, string>): Buffer =>
  dicomFile({
    elements: slice({
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.1`),
      '00080018': text('UI', `${study}.1.1`),
      '00400275': Array.from({ length: 40 }, (_, at) => ({ '00400009': text('SH', `STEP-${at}`) })),
      ...Object.fromEntries(Object.entries(more).map(([key, value]) => [key, text(vrs[key] ?? 'LO', value)])),
    }),
  })

describe('values of any length', () => {
  it('are stored beside others, found by all of them, and kept whole in the object [P18, P20]', async () => {
    const sent = await stow(server, staff, [
      objectOf('1.501', long),
      objectOf('1.502', { '00100020': 'P-1', '00100010': 'Doe^Jane' }),
    ])
    expect(sent.statusCode).toBe(200)
    expect(await search({ PatientName: 'Doe^Jane' })).toEqual([200, ['1.502']])
    expect(await search({ PatientID: long['00100020'].slice(0, 1_900) })).toEqual([200, ['1.501']])
    expect(await search({ PatientName: 'long name', fuzzymatching: 'true' })).toEqual([200, ['1.501']])
    const header = await get('/studies/1.501/metadata')
    expect(header.json<Record<string, { Value: unknown[] }>[]>()[0]?.['00100020']?.Value).toEqual([long['00100020']])
    // The same patient still, whose ID is longer than what rows keep of it.
    const more = objectOf('1.501', { ...long, '0020000E': '1.501.2', '00080018': '1.501.2.1' })
    expect((await stow(server, staff, [more])).statusCode).toBe(200)
  })

  it('make no row of a list or search longer than values that DICOM allows [P18]', async () => {
    const { db } = server.deps
    const study = await db.selectFrom('studies').selectAll().where('study_uid', '=', '1.501').executeTakeFirstOrThrow()
    const series = await db.selectFrom('series').selectAll().where('study_uid', '=', '1.501').executeTakeFirstOrThrow()
    const summary = await db
      .selectFrom('study_summaries')
      .selectAll()
      .where('study_uid', '=', '1.501')
      .executeTakeFirstOrThrow()
    for (const row of [study, series, summary]) expect(JSON.stringify(row).length).toBeLessThan(6_000)
    expect(study.patient_id).toBe(long['00100020'].slice(0, 64))
    const listed = await staff.call(scan.listStudies, { search: long['00100020'].slice(0, 60) })
    expect(listed.data.map(({ studyUID }) => studyUID)).toEqual(['1.501'])
  })
})

describe('a search with more conditions than people have', () => {
  it.each([
    [
      'words of a name',
      16,
      (n: number) => ({ fuzzymatching: 'true', ReferringPhysicianName: Array(n).fill('a').join(' ') }),
    ],
    ['codes', 16, (n: number) => ({ ModalitiesInStudy: Array(n).fill('C*').join(',') })],
    ['UIDs', 128, (n: number) => ({ StudyInstanceUID: Array(n).fill('1.2').join('\\') })],
  ])('is refused: %s above %i [P18]', async (_what, most, query) => {
    expect((await search(query(most)))[0]).toBe(200)
    expect((await search(query(most + 1)))[0]).toBe(400)
  })
})
