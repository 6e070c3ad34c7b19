import { scan } from '@dmp/contract'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

/** The database keeps one summary per study, and an upload costs it what the upload adds (docs/decisions/0072). */
let server: TestServer
let staff: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[staff, admin] = await Promise.all([server.signIn('staff'), server.signIn('admin')])
})
afterAll(() => server.close())

const objectOf = (study: string, at: number, description: string, modality = 'MR', body = 'KNEE'): Buffer =>
  dicomFile({
    elements: slice({
      '0020000D': text('UI', study),
      '0020000E': text('UI', `${study}.${at}`),
      '00080018': text('UI', `${study}.${at}.1`),
      '00080020': text('DA', '20250102'),
      '00080060': text('CS', modality),
      '0008103E': text('LO', description),
      '00100010': text('PN', 'Doe^Jane'),
      '00180015': text('CS', body),
    }),
  })
const upload = async (objects: readonly Buffer[]): Promise<void> =>
  expect((await stow(server, staff, objects)).statusCode).toBe(200)
const getSummary = (study: string) =>
  server.deps.db.selectFrom('study_summaries').selectAll().where('study_uid', '=', study).executeTakeFirst()
const listOf = async (study: string, search: string) =>
  (await staff.call(scan.listStudies, { search })).data.filter(({ studyUID }) => studyUID === study)
const remove = async (study: string, at: number): Promise<void> => {
  const organizationId = await server.organizationOf(admin)
  expect((await admin.call(scan.remove, { organizationId, seriesIdList: [`${study}.${at}`] })).status).toBe(200)
}

describe('the summary of a study', () => {
  it('says the same whether its series come one by one or together [2.58]', async () => {
    const made = (study: string) => [
      objectOf(study, 1, 'T1 axial'),
      objectOf(study, 2, 'T2 sagittal', 'SR', 'knee'),
      objectOf(study, 3, 'T1 axial', 'MR', 'HIP'),
    ]
    for (const object of made('1.601')) await upload([object])
    await upload(made('1.602'))
    const [single, together] = await Promise.all([getSummary('1.601'), getSummary('1.602')])
    const shown = {
      series: 3,
      modalities: ['MR', 'SR'],
      body_parts: ['HIP', 'KNEE'],
      patient_name: 'Doe, Jane',
      study_date: '2025-01-02',
    }
    expect(single).toMatchObject(shown)
    expect(together).toMatchObject(shown)
    const linesOf = (words = '') => words.split('\n').toSorted()
    expect(linesOf(single?.words)).toEqual(linesOf(together?.words))
    expect(new Set(linesOf(single?.words)).size).toBe(linesOf(single?.words).length)
    expect(await listOf('1.601', 'doe sagittal')).toHaveLength(1)
  })

  it('reads no series again when another one comes [P18]', async () => {
    await upload([objectOf('1.603', 1, 'first')])
    // Whoever reads the first series again finds this word.
    await server.deps.db
      .updateTable('series')
      .set({ search_words: 'unheard' })
      .where('study_uid', '=', '1.603')
      .execute()
    await upload([objectOf('1.603', 2, 'second')])
    expect((await getSummary('1.603'))?.words).not.toContain('unheard')
    expect(await listOf('1.603', 'first second')).toMatchObject([{ seriesCount: 2 }])
  })

  it('forgets the words of series that are deleted, and ends with the last [2.58]', async () => {
    await upload([objectOf('1.604', 1, 'stays'), objectOf('1.604', 2, 'leaves', 'SR')])
    await remove('1.604', 2)
    expect(await getSummary('1.604')).toMatchObject({ series: 1, modalities: ['MR'] })
    expect((await getSummary('1.604'))?.words).not.toContain('leaves')
    expect(await listOf('1.604', 'stays')).toHaveLength(1)
    await remove('1.604', 1)
    expect(await getSummary('1.604')).toBeUndefined()
  })

  it('takes words up to a length, however many series there are, and counts them all [P18]', async () => {
    const names = Array.from({ length: 200 }, (_, at) => `${String(at).padStart(4, '0')}${'x'.repeat(58)}`)
    await upload(names.map((name, at) => objectOf('1.605', at, name, 'MR', `PART ${at}`)))
    await upload([objectOf('1.605', 200, 'one more', 'MR', 'LAST')])
    const summary = await getSummary('1.605')
    expect([summary?.series, summary?.words.length, summary?.body_parts.length]).toEqual([201, 8_000, 64])
    await remove('1.605', 7)
    expect(await getSummary('1.605')).toMatchObject({ series: 200 })
  })
})
