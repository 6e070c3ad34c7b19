import { audit, scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { tag } from '@dmp/dicom'
import { sql } from 'kysely'
import type { Elements } from '../../../dicom/testing/dicomFile.ts'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { findStoredConflicts } from './findStoredConflicts.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'

let server: TestServer
let [admin, staff, south]: SignedIn[] = []
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
  south = await server.signIn('admin@south.example')
})
afterAll(() => server.close())

const tilda: Elements = { [tag.PatientBirthDate]: text('DA', '19700203') }
const otto: Elements = {
  [tag.PatientName]: text('PN', 'Other^Otto'),
  [tag.PatientID]: text('LO', 'O-2'),
  [tag.PatientBirthDate]: text('DA', '19690102'),
}

/** An object by its place, such as ['1.60', '1.60.1', 2]. */
const object = (study: string, series: string, number: number, changes: Elements = {}): Buffer =>
  dicomFile({
    elements: slice({
      ...tilda,
      [tag.StudyInstanceUID]: text('UI', study),
      [tag.SeriesInstanceUID]: text('UI', series),
      [tag.SOPInstanceUID]: text('UI', `${series}.${number}`),
      ...changes,
    }),
  })

type Failures = Record<string, { Value: Record<string, { Value: unknown[] }>[] } | undefined>
const sentences = (body: string): unknown[] =>
  ((JSON.parse(body) as Failures)['00081198']?.Value ?? []).map((item) => item['00091003']?.Value[0])

async function send(objects: readonly Buffer[], who = staff) {
  const reply = await stow(server, who!, objects)
  return { status: reply.statusCode, sentences: sentences(reply.body) }
}

async function uploadInPieces(bytes: Buffer): Promise<Response> {
  const url = await server.listen()
  const headers = { 'tus-resumable': '1.0.0', ...staff!.headers }
  const begun = await fetch(`${url}/api/Scan/uploads`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes.length) },
  })
  return fetch(url + begun.headers.get('location'), {
    method: 'PATCH',
    headers: {
      ...headers,
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      accept: 'application/dicom+json',
    },
    body: new Uint8Array(bytes),
  })
}

const list = async (input: object = {}, who = admin) => (await who!.call(scan.listConflicts, input)).data
const listOf = async (study: string) =>
  (await list({ state: 'open' })).filter(({ stored, arrived }) => [stored.studyUID, arrived.studyUID].includes(study))
const qido = async (path: string) =>
  JSON.parse((await server.app.inject({ url: `/dicom-web/${path}`, headers: admin!.headers })).body) as Record<
    string,
    { Value?: unknown[] }
  >[]
const counts = async (study: string) =>
  (await qido(`studies?StudyInstanceUID=${study}`)).map((row) => [
    row['00201206']?.Value?.[0],
    row['00201208']?.Value?.[0],
  ])

describe('a second patient in a study', () => {
  it('is refused with a sentence, and listed with both sides, however often it is sent [P32]', async () => {
    await send([object('1.60', '1.60.1', 1)])
    const others = [1, 2, 3].map((number) => object('1.60', '1.60.2', number, otto))
    for (let round = 0; round < 2; round++)
      expect(await send(others)).toEqual({
        status: 409,
        sentences: Array(3).fill(expect.stringMatching(/stored as another patient's.*Scans, Conflicts/)),
      })
    expect(await listOf('1.60')).toEqual([
      expect.objectContaining({
        kind: 'OtherPatient',
        isStored: false,
        objects: 3,
        source: 'Upload',
        sentByUser: expect.stringContaining(' '),
        sender: null,
        stored: expect.objectContaining({
          patientName: 'Tester, Tilda',
          patientID: 'T-1',
          birthDate: '1970-02-03',
          seriesUID: null,
        }),
        arrived: expect.objectContaining({
          patientName: 'Other, Otto',
          patientID: 'O-2',
          birthDate: '1969-01-02',
          seriesUID: '1.60.2',
        }),
      }),
    ])
    expect(await counts('1.60')).toEqual([[1, 1]])
    expect(await server.heldObjects()).not.toContain('1.60.2.1')
  })

  it('is refused also where both arrive in one request, or at once, as the first [P32]', async () => {
    const { status } = await send([object('1.61', '1.61.1', 1), object('1.61', '1.61.2', 1, otto)])
    expect(status).toBe(202)
    expect(await counts('1.61')).toEqual([[1, 1]])
    const replies = await Promise.all([send([object('1.62', '1.62.1', 1)]), send([object('1.62', '1.62.2', 1, otto)])])
    expect(replies.map(({ status: code }) => code).toSorted()).toEqual([200, 409])
    expect(await counts('1.62')).toEqual([[1, 1]])
    expect(await listOf('1.62')).toHaveLength(1)
  })

  it('is none where a name was corrected, or an object does not say whose it is', async () => {
    const married = { [tag.PatientName]: text('PN', 'TESTER-NEW^Tilda') }
    const silent = { [tag.PatientName]: text('PN', ''), [tag.PatientID]: text('LO', '') }
    const objects = [{}, married, silent].map((changes, index) => object('1.63', `1.63.${index}`, 1, changes))
    expect((await send(objects)).status).toBe(200)
    expect(await counts('1.63')).toEqual([[3, 3]])
  })

  it('is told to a resumable upload, too', async () => {
    await send([object('1.64', '1.64.1', 1)])
    const reply = await uploadInPieces(object('1.64', '1.64.2', 1, otto))
    expect([reply.status, sentences(await reply.text())]).toEqual([409, [expect.stringContaining("another patient's")]])
    expect(await listOf('1.64')).toHaveLength(1)
  })
})

describe('one series in two studies', () => {
  it('is refused with a sentence and listed; the second study does not come to be [P32]', async () => {
    await send([object('1.65', '1.65.1', 1)])
    // Another organization has the series as well, in the other study.
    expect((await send([object('1.66', '1.65.1', 1)], south)).status).toBe(200)
    const reply = await send([object('1.66', '1.65.1', 2)])
    expect(reply).toEqual({ status: 409, sentences: [expect.stringContaining('stored in another study')] })
    expect([await counts('1.65'), await counts('1.66')]).toEqual([[[1, 1]], []])
    expect(await listOf('1.66')).toMatchObject([
      {
        kind: 'OtherStudy',
        objects: 1,
        stored: { studyUID: '1.65' },
        arrived: { studyUID: '1.66', seriesUID: '1.65.1' },
      },
    ])
  })

  it('leaves no empty study beside what was taken of the same request', async () => {
    const reply = await send([object('1.67', '1.65.1', 3), object('1.67', '1.67.1', 1), object('1.68', '1.65.1', 4)])
    expect(reply.status).toBe(202)
    expect([await counts('1.67'), await counts('1.68')]).toEqual([[[1, 1]], []])
  })
})

describe('other bytes under a known UID', () => {
  it('are refused and listed, and the stored ones stay [P32]', async () => {
    const first = object('1.69', '1.69.1', 1)
    await send([first])
    const other = object('1.69', '1.69.1', 1, { [tag.SeriesDescription]: text('LO', 'other') })
    expect((await send([other])).sentences).toEqual([expect.stringContaining('It was not replaced.')])
    expect((await send([first])).status).toBe(200)
    expect(await listOf('1.69')).toMatchObject([
      { kind: 'OtherContent', objects: 1, instanceUID: '1.69.1.1', arrived: { seriesDescription: 'other' } },
    ])
  })

  it('are none where only the file meta information differs: the image is there already [P20, P32]', async () => {
    const first = object('1.71', '1.71.1', 1)
    await send([first])
    const elsewhere = Buffer.from(first).fill(7, 0, 128)
    expect(await send([elsewhere, elsewhere])).toEqual({ status: 200, sentences: [] })
    expect(await listOf('1.71')).toEqual([])
    const longer = object('1.71', '1.71.1', 1, { FFFAFFFA: { vr: 'OB', value: Buffer.alloc(600_000) } })
    expect((await send([longer.fill(7, 0, 128)])).sentences).toEqual([expect.stringContaining('It was not replaced.')])
  })

  it('leave no series without images that a page would count', async () => {
    const before = (await admin!.call(scan.getStorage, {})).data.scans
    await send([
      object('1.70', '1.70.1', 1),
      object('1.70', '1.70.2', 9, { [tag.SOPInstanceUID]: text('UI', '1.69.1.1') }),
    ])
    expect((await admin!.call(scan.getStorage, {})).data.scans - before).toBe(1)
    expect(await qido('series?SeriesInstanceUID=1.70.2')).toEqual([])
  })
})

describe('the list of conflicts', () => {
  it('is for administrators of the organization alone [P01, P02]', async () => {
    expect((await staff!.call(scan.listConflicts, {})).status).toBe(403)
    expect(await list({}, south)).toEqual([])
    const [conflict] = await list()
    expect((await south!.call(scan.settleConflict, { id: conflict!.id })).status).toBe(404)
    expect((await staff!.call(scan.settleConflict, { id: conflict!.id })).status).toBe(403)
  })

  it('finds both patients, sorts and pages', async () => {
    for (const search of ['Otto', 'T-1', '1.60.2'])
      expect((await list({ search })).some(({ arrived }) => arrived.seriesUID === '1.60.2')).toBe(true)
    expect(await list({ search: 'nobody of this name' })).toEqual([])
    const page = await admin!.call(scan.listConflicts, { page: 1, pageSize: 2, sort: 'objects', direction: 'desc' })
    expect([page.data.length, page.data[0]?.objects, page.total! > 2]).toEqual([2, 3, true])
  })

  it('takes a conflict as settled until a further object contradicts, and records both [P24]', async () => {
    const [conflict] = await listOf('1.60')
    const settled = await admin!.call(scan.settleConflict, { id: conflict!.id })
    expect(settled.data).toMatchObject({ settledDate: expect.any(String), settledByUser: expect.stringContaining(' ') })
    // Once, whoever says it again.
    expect((await admin!.call(scan.settleConflict, { id: conflict!.id })).data).toEqual(settled.data)
    expect((await admin!.call(audit.list, { event: 'ScanConflictSettled' })).data).toHaveLength(1)
    await send([object('1.60', '1.60.2', 2, otto)])
    expect([await listOf('1.60'), await list({ state: 'settled' })]).toEqual([[], [settled.data]])
    await send([object('1.60', '1.60.2', 4, otto)])
    expect(await listOf('1.60')).toMatchObject([{ objects: 4, settledDate: null }])
    for (const event of ['ScanConflictFound', 'ScanConflictSettled']) {
      const { data } = await admin!.call(audit.list, { event })
      expect([event, data.length > 0, JSON.stringify(data).includes('Otto')]).toEqual([event, true, false])
    }
  })

  it('lets go of a conflict when the stored side is deleted, and then takes the other one', async () => {
    await admin!.call(scan.remove, { organizationId: northClinic.id, seriesIdList: ['1.60.1'] })
    expect(await listOf('1.60')).toEqual([])
    expect((await send([object('1.60', '1.60.2', 1, otto)])).status).toBe(200)
  })
})

describe('what servers of earlier versions merged', () => {
  const search = async () => {
    await server.deps.db.deleteFrom('scan_conflict_searches').execute()
    await findStoredConflicts(server.deps)
  }

  it('is found once, listed as stored on both sides, and none of what is right [P32]', async () => {
    await send([object('1.81', '1.81.1', 1), object('1.82', '1.82.1', 1, otto), object('1.82', '1.82.1', 2, otto)])
    await send([object('1.83', '1.83.1', 1), object('1.84', '1.84.1', 1)])
    // Of another organization, where it is right.
    await send([object('1.82', '1.82.1', 3, otto)], south)
    const { db } = server.deps
    for (const table of ['series', 'instances'])
      await sql`update ${sql.table(table)} set study_uid = '1.81'
        where organization_id = ${northClinic.id} and series_uid = '1.82.1'`.execute(db)
    await db.updateTable('instances').set({ series_uid: '1.83.1' }).where('series_uid', '=', '1.84.1').execute()
    const before = (await list()).length
    await search()
    await search()
    expect((await list()).length).toBe(before + 2)
    expect(await listOf('1.81')).toMatchObject([
      {
        kind: 'OtherPatient',
        isStored: true,
        objects: 2,
        sentByUser: null,
        stored: { patientID: 'T-1' },
        arrived: { patientID: 'O-2', patientName: 'Other, Otto', seriesUID: '1.82.1' },
      },
    ])
    expect(await listOf('1.84')).toMatchObject([
      { kind: 'OtherStudy', isStored: true, objects: 1, stored: { studyUID: '1.83' }, arrived: { studyUID: '1.84' } },
    ])
  })

  it('is no longer listed when the series that does not belong there is deleted', async () => {
    await admin!.call(scan.remove, { organizationId: northClinic.id, seriesIdList: ['1.82.1'] })
    expect(await listOf('1.81')).toEqual([])
  })

  it('is looked for at the first start, for each organization once', async () => {
    const other = await startServer()
    await other.listen()
    const searched = async () =>
      (await other.deps.db.selectFrom('scan_conflict_searches').select('organization_id').execute()).length
    const organizations = (await other.deps.db.selectFrom('organizations').select('id').execute()).length
    for (let tries = 0; tries < 500 && (await searched()) < organizations; tries++)
      await new Promise((again) => setTimeout(again, 20))
    expect(await searched()).toBe(organizations)
    await other.close()
  })
})
