import { tag } from '@dmp/dicom'
import { commandField, type Association } from '@dmp/dimse'
import { sql } from 'kysely'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { writeDataset } from '../../dicom/writeDataset.ts'
import { text, type Elements } from '../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { finders } from '../dicomweb/qido.ts'
import { ask, level, uid } from './askInTests.ts'
import {
  addPartner,
  contextOf,
  ctClass,
  dial,
  dicomVariables,
  sliceBytes,
  store,
  studyFind,
  studyGet,
  titleOf,
} from './nodeInTests.ts'

const patientFind = '1.2.840.10008.5.1.4.1.2.1.1'
const patientGet = '1.2.840.10008.5.1.4.1.2.1.3'

let server: TestServer
let admin: SignedIn
let organizationId: string
let north: string
let association: Association
beforeAll(async () => {
  server = await startServer(dicomVariables)
  await server.app.ready()
  admin = await server.signIn('admin')
  organizationId = await server.organizationOf(admin)
  north = await titleOf(admin)
  await addPartner(admin)
})
beforeEach(async () => {
  const roles = [{ abstractSyntax: ctClass, isUser: true, isProvider: true }]
  const classes = [ctClass, studyFind, studyGet, patientFind, patientGet]
  association = await dial(server, { calledTitle: north, classes, roles })
})
afterEach(() => association.abort())
afterAll(() => server.close())

/** Studies of one patient, of which the index alone knows. */
const addStudies = (count: number, patient: string, first = 1) =>
  sql`insert into studies (organization_id, study_uid, patient_id, patient_name, study_date, accession_number,
      attributes)
    select ${organizationId}::uuid, uid, ${patient}::text, '', '', '',
      jsonb_build_object(${tag.StudyInstanceUID}::text, jsonb_build_object('vr', 'UI', 'Value', array[uid]))
    from generate_series(${first}::int, ${first + count - 1}::int) n,
      lateral (select '1.2.77.' || ${patient}::text || '.' || n as uid) each`.execute(server.deps.db)
const send = async (number: number, elements: Elements): Promise<void> => {
  expect((await store(association, number, sliceBytes(number, elements))).status).toBe(0)
}
const find = (keys: JsonDataset, sopClass = studyFind) => ask(association, commandField.findRequest, sopClass, keys)
const get = (keys: JsonDataset, sopClass = studyGet) => ask(association, commandField.getRequest, sopClass, keys)
const statusesOf = ({ answers }: Awaited<ReturnType<typeof ask>>) => answers.map(({ status }) => status)
const lastOf = (asked: Awaited<ReturnType<typeof ask>>) => asked.answers.at(-1)?.status
const valuesOf = ({ answers }: Awaited<ReturnType<typeof ask>>, key: string) =>
  answers.flatMap(({ dataset }) => dataset[key]?.Value ?? [])
const several = (key: string, values: readonly string[]): JsonDataset => ({ [key]: { vr: 'UI', Value: [...values] } })
const patientKey = (...ids: string[]): JsonDataset => ({ [tag.PatientID]: { vr: 'LO', Value: ids } })

describe('what a partner finds [P51]', () => {
  it('is each study once, over several pages, of which each counts as one operation', async () => {
    await addStudies(250, '250')
    const spent = jest.spyOn(server.deps.limits, 'spend')
    const found = valuesOf(
      await find(level('STUDY', { ...patientKey('250'), ...several(tag.StudyInstanceUID, []) })),
      tag.StudyInstanceUID,
    )
    expect(spent.mock.calls.filter(([call]) => call === 'DICOM operation')).toHaveLength(3)
    spent.mockRestore()
    expect([found.length, new Set(found).size]).toEqual([250, 250])
  })

  it('ends where the partner takes its search back', async () => {
    await addStudies(250, '251')
    const context = contextOf(association, studyFind)
    const data = writeDataset(level('STUDY', patientKey('251')), { isExplicit: true, isBigEndian: false })
    const command = { field: commandField.findRequest, sopClassUID: studyFind, messageId: 9, priority: 0 }
    await association.send(context, command, data)
    const codes: (number | undefined)[] = []
    while (codes.length === 0 || codes.at(-1) === 0xff00) {
      const message = await association.receive()
      for await (const _piece of message?.data ?? []);
      codes.push(message?.command.status)
      if (codes.length === 1) await association.send(context, { field: commandField.cancelRequest, respondedTo: 9 })
    }
    expect(codes.at(-1)).toBe(0xfe00)
    expect(codes.length).toBeLessThan(250)
  })

  it('is every image once, though few rows fit into a page', async () => {
    const series = { [tag.SeriesInstanceUID]: text('UI', '1.2.3.80') }
    const numbers = Array.from({ length: 12 }, (_, at) => 80 + at)
    const comment = text('UT', 'x'.repeat(60_000))
    for (const number of numbers)
      await send(number, { ...series, [tag.ContentSequence]: [1, 2, 3].map(() => ({ [tag.TextValue]: comment })) })
    const keys = { ...uid(tag.SeriesInstanceUID, '1.2.3.80'), ...several(tag.SOPInstanceUID, []) }
    const found = await find(level('IMAGE', { ...keys, [tag.ContentSequence]: { vr: 'SQ' } }))
    expect(valuesOf(found, tag.SOPInstanceUID).toSorted()).toEqual(numbers.map((number) => `1.2.3.4.${number}`))
    expect(lastOf(found)).toBe(0)
  })

  it('is refused after twenty thousand rows', async () => {
    await addStudies(100, '20')
    const { studies } = finders
    // Each page is full, and the first one.
    const asked = jest
      .spyOn(finders, 'studies')
      .mockImplementation((db, scope, path, query) => studies(db, scope, path, { ...query, offset: 0 }))
    expect(statusesOf(await find(level('PATIENT', patientKey('20')), patientFind))).toEqual([0xff00, 0xa700])
    expect(asked).toHaveBeenCalledTimes(200)
    asked.mockRestore()
  })

  it('tells patients without a number apart by their names', async () => {
    const unnumbered = (name: string, study: string) => ({
      [tag.PatientID]: text('LO', ''),
      [tag.PatientName]: text('PN', name),
      [tag.StudyInstanceUID]: text('UI', study),
      [tag.SeriesInstanceUID]: text('UI', `${study}.1`),
    })
    await send(60, unnumbered('NOID^A', '1.2.60'))
    await send(61, unnumbered('NOID^A', '1.2.61'))
    await send(62, unnumbered('NOID^B', '1.2.62'))
    const keys = level('PATIENT', { [tag.PatientName]: { vr: 'PN', Value: [{ Alphabetic: 'NOID*' }] } })
    const names = valuesOf(await find(keys, patientFind), tag.PatientName)
    expect(names).toHaveLength(2)
    expect(names).toEqual(expect.arrayContaining([{ Alphabetic: 'NOID^A' }, { Alphabetic: 'NOID^B' }]))
  })

  it('is asked for by values of 4,000 letters, and of no more', async () => {
    const search = (letters: number) =>
      find(level('STUDY', { [tag.PatientID]: { vr: 'UT', Value: ['x'.repeat(letters)] } }))
    expect(statusesOf(await search(4000))).toEqual([0])
    expect(statusesOf(await search(4001))).toEqual([0xa900])
  })
})

describe('what a partner fetches [P51]', () => {
  beforeAll(async () => {
    association = await dial(server, { calledTitle: north })
    for (const [number, series] of [
      [1, '1.2.3.1'],
      [2, '1.2.3.2'],
      [3, '1.2.3.2'],
    ] as const)
      await send(number, { [tag.SeriesInstanceUID]: text('UI', series) })
    association.abort()
  })

  it('is named by a thousand UIDs, and by no more', async () => {
    const named = (count: number) =>
      level(
        'IMAGE',
        several(
          tag.SOPInstanceUID,
          Array.from({ length: count }, (_, at) => `1.2.3.4.${at + 2}`),
        ),
      )
    const asked = await get(named(1000))
    expect([asked.stored.slice(0, 2), lastOf(asked)]).toEqual([['1.2.3.4.2', '1.2.3.4.3'], 0])
    const refused = await get(named(1001))
    expect([refused.stored, statusesOf(refused)]).toEqual([[], [0xa900]])
  })

  it('has a UID of its level', async () => {
    for (const name of ['SERIES', 'IMAGE'])
      expect(statusesOf(await get(level(name, uid(tag.StudyInstanceUID, '1.2.3'))))).toEqual([0xa900])
  })

  it('is of the one series that stands above it, and of any where several do', async () => {
    const named = (...series: string[]) =>
      level('IMAGE', { ...several(tag.SeriesInstanceUID, series), ...uid(tag.SOPInstanceUID, '1.2.3.4.1') })
    expect((await get(named('1.2.3.2'))).stored).toEqual([])
    expect((await get(named('1.2.3.1'))).stored).toEqual(['1.2.3.4.1'])
    expect((await get(named('1.2.3.2', '1.2.3.1'))).stored).toEqual(['1.2.3.4.1'])
  })

  it('is of one patient, of a thousand studies at most', async () => {
    await addStudies(1000, '1000')
    const ofPatient = (...ids: string[]) => get(level('PATIENT', patientKey(...ids)), patientGet)
    expect(statusesOf(await ofPatient('T-1', 'T-2'))).toEqual([0xa900])
    expect(statusesOf(await ofPatient('1000'))).toEqual([0])
    await addStudies(1, '1000', 1001)
    expect(statusesOf(await ofPatient('1000'))).toEqual([0xa700])
  })
})

describe('a command [P51]', () => {
  it.each([
    ['a search in the context of a retrieval', commandField.findRequest, studyGet],
    ['a retrieval in the context of a search', commandField.getRequest, studyFind],
    ['a move in the context of a retrieval', commandField.moveRequest, studyGet],
    ['a request for commitment in the context of images', commandField.actionRequest, ctClass],
    ['an echo in the context of images', commandField.echoRequest, ctClass],
  ])('is not done, but counted, that is %s', async (_what, field, sopClass) => {
    const spent = jest.spyOn(server.deps.limits, 'spend')
    const asked = await ask(association, field, sopClass, level('STUDY', uid(tag.StudyInstanceUID, '1.2.3')))
    expect([statusesOf(asked), spent.mock.calls.map(([call]) => call)]).toEqual([[0x0211], ['DICOM operation']])
    spent.mockRestore()
  })
})
