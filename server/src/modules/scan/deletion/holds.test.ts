import { scan } from '@dmp/contract'
import { tag } from '@dmp/dicom'
import { sql } from 'kysely'
import { dicomFile, slice, text, type Elements } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { purgeDue } from './purging.ts'

let server: TestServer
let [admin, superAdmin, south, staff]: SignedIn[] = []
let organizationId: string

beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  superAdmin = await server.signIn('super_admin')
  south = await server.signIn('admin@south.example')
  staff = await server.signIn('staff')
  organizationId = await server.organizationOf(admin)
})
afterAll(() => server.close())

const object = (series: string, number: number, changes: Elements = {}): Buffer =>
  dicomFile({
    elements: slice({
      [tag.SOPInstanceUID]: text('UI', `${series}.${number}`),
      [tag.StudyInstanceUID]: text('UI', `${series}.0`),
      [tag.SeriesInstanceUID]: text('UI', series),
      ...changes,
    }),
  })
async function store(who: SignedIn, objects: readonly Buffer[]): Promise<void> {
  expect((await stow(server, who, objects)).statusCode).toBe(200)
}
const upload = (series: string): Promise<void> => store(admin!, [object(series, 1)])
const hold = (series: string, who = admin!, reason = 'court case 12') =>
  who.call(scan.hold, { organizationId, studyUID: `${series}.0`, reason })
const remove = (series: string, who = admin!) => who.call(scan.remove, { organizationId, seriesIdList: [series] })
const erase = (series: string) =>
  server.app.inject({ method: 'DELETE', url: `/dicom-web/studies/${series}.0`, headers: admin!.headers })
const bin = async (series: string) => (await admin!.call(scan.listBin, { search: series })).data

describe('legal hold', () => {
  it('lets nobody delete a study, and says who holds it and why to those who may know [P54]', async () => {
    await upload('1.51')
    const placed = await hold('1.51')
    expect([placed.status, placed.data.reason, placed.data.isByProvider]).toEqual([200, 'court case 12', false])
    for (const who of [admin!, superAdmin!]) {
      const refused = await remove('1.51', who)
      expect([refused.status, refused.code]).toEqual([409, 'LEGAL_HOLD'])
      expect(refused.message).toContain('court case 12')
      expect(refused.message).toContain(placed.data.heldByUser)
    }
    const byDicom = await erase('1.51')
    expect([byDicom.statusCode, byDicom.body.includes('LEGAL_HOLD')]).toEqual([409, true])
    expect((await admin!.call(scan.get, { organizationId, seriesUID: '1.51' })).status).toBe(200)
    expect((await hold('1.51')).code).toBe('UNCHANGED')

    expect((await admin!.call(scan.endHold, { id: placed.data.id })).data.endedDate).not.toBeNull()
    expect((await admin!.call(scan.endHold, { id: placed.data.id })).code).toBe('UNCHANGED')
    expect((await remove('1.51')).status).toBe(200)
    const rows = await server.deps.db
      .selectFrom('audit')
      .select(['event', 'subject'])
      .where('event', 'in', ['LegalHoldSet', 'LegalHoldEnded'])
      .orderBy('at')
      .execute()
    const subject = { holdId: placed.data.id, studyUID: '1.51.0' }
    expect(rows).toEqual([
      { event: 'LegalHoldSet', subject },
      { event: 'LegalHoldEnded', subject },
    ])
  })

  it('keeps what is in the bin from leaving it, by hand and by time [P54]', async () => {
    await upload('1.52')
    await remove('1.52')
    const placed = await hold('1.52')
    const [entry] = await bin('1.52')
    expect([entry?.purgeDate, entry?.hold?.reason]).toEqual([null, 'court case 12'])
    expect((await admin!.call(scan.purge, { organizationId, ids: [entry?.id] })).code).toBe('LEGAL_HOLD')
    await sql`update bin_entries set deleted_date = now() - interval '400 days'`.execute(server.deps.db)
    await purgeDue(server.deps)
    expect(await server.heldObjects()).toContain('1.52.1')
    await admin!.call(scan.endHold, { id: placed.data.id })
    await purgeDue(server.deps)
    expect([await server.heldObjects(), await bin('1.52')]).toEqual([[], []])
  })

  it('is for administrators, and what the provider holds the provider alone ends [P54, P01, P02]', async () => {
    await upload('1.53')
    expect([(await hold('1.53', staff)).status, (await hold('1.53', south)).status]).toEqual([403, 404])
    expect((await hold('1.404')).status).toBe(404)
    const { id } = (await hold('1.53', superAdmin)).data
    expect((await south!.call(scan.endHold, { id })).status).toBe(404)
    const refused = await admin!.call(scan.endHold, { id })
    expect([refused.status, refused.code]).toEqual([403, 'HELD_BY_PROVIDER'])
    expect((await admin!.call(scan.listHolds, { studyUID: '1.53.0' })).data.map((row) => row.id)).toEqual([id])
    expect((await superAdmin!.call(scan.endHold, { id })).status).toBe(200)
    expect((await admin!.call(scan.listHolds, {})).data).toEqual([])
    expect((await admin!.call(scan.listHolds, { studyUID: '1.53.0' })).data).toHaveLength(1)
  })

  it('of the provider stands beside an administrator’s, and outlasts it [P54]', async () => {
    await upload('1.55')
    const own = (await hold('1.55')).data
    const placed = await hold('1.55', superAdmin, 'of the provider')
    expect([placed.status, placed.data.isByProvider]).toEqual([200, true])
    for (const who of [admin!, superAdmin!]) expect((await hold('1.55', who)).code).toBe('UNCHANGED')
    expect((await admin!.call(scan.listHolds, {})).data.map(({ id }) => id)).toEqual([placed.data.id, own.id])
    expect((await admin!.call(scan.endHold, { id: own.id })).status).toBe(200)
    const refused = await remove('1.55')
    expect([refused.code, refused.message?.includes('of the provider')]).toEqual(['LEGAL_HOLD', true])
    expect((await admin!.call(scan.endHold, { id: placed.data.id })).code).toBe('HELD_BY_PROVIDER')
  })

  it('of both sides makes one entry of the bin, held by the provider [P54]', async () => {
    await upload('1.56')
    await remove('1.56')
    await hold('1.56')
    await hold('1.56', superAdmin, 'of the provider')
    expect((await bin('1.56')).map((entry) => entry.hold?.reason)).toEqual(['of the provider'])
  })

  it('and bin are of one organization, though another one has the same study of another patient [P02, P54]', async () => {
    const own = { [tag.StudyDescription]: text('LO', 'Knee') }
    const theirs = {
      [tag.StudyDescription]: text('LO', 'Hip'),
      [tag.PatientID]: text('LO', 'O-2'),
      [tag.PatientName]: text('PN', 'Other^Otto'),
    }
    const inAnotherStudy = { ...theirs, [tag.StudyInstanceUID]: text('UI', '1.58.0.9') }
    // North's second series is one of another study in South.
    await store(admin!, [
      object('1.58', 1, own),
      object('1.58.2', 1, { ...own, [tag.StudyInstanceUID]: text('UI', '1.58.0') }),
      object('1.58.2', 2, { ...own, [tag.StudyInstanceUID]: text('UI', '1.58.0') }),
    ])
    await store(south!, [object('1.58', 1, theirs), object('1.58', 2, theirs), object('1.58.2', 1, inAnotherStudy)])
    await upload('1.59')
    const southId = await server.organizationOf(south!)
    const endedHold = (await hold('1.58')).data.id
    const other = (await hold('1.59')).data.id
    const theirHold = await south!.call(scan.hold, {
      organizationId: southId,
      studyUID: '1.58.0',
      reason: 'an inquest',
    })
    expect((await admin!.call(scan.endHold, { id: endedHold })).status).toBe(200)
    const listHolds = async (who: SignedIn, input = {}) =>
      (await who.call(scan.listHolds, input)).data.map((row) => [row.id, row.studyDescription, row.endedDate !== null])
    expect(await listHolds(admin!)).toContainEqual([other, '', false])
    expect(await listHolds(admin!, { studyUID: '1.58.0' })).toEqual([[endedHold, 'Knee', true]])
    expect(await listHolds(south!)).toEqual([[theirHold.data.id, 'Hip', false]])

    const slices = async () =>
      Promise.all(
        [
          [admin!, organizationId, '1.58'],
          [admin!, organizationId, '1.58.2'],
          [south!, southId, '1.58'],
          [south!, southId, '1.58.2'],
        ].map(
          async ([who, id, seriesUID]) =>
            (await (who as SignedIn).call(scan.get, { organizationId: id, seriesUID })).data?.basic.totalSliceCount,
        ),
      )
    expect(await slices()).toEqual([1, 2, 2, 1])
    const image = '/dicom-web/studies/1.58.0/series/1.58.2/instances/1.58.2.2'
    expect((await server.app.inject({ method: 'DELETE', url: image, headers: admin!.headers })).statusCode).toBe(204)
    expect((await remove('1.58')).status).toBe(200)
    expect((await south!.call(scan.remove, { organizationId: southId, seriesIdList: ['1.58'] })).code).toBe(
      'LEGAL_HOLD',
    )
    const entries = (await bin('1.58')).map((entry) => [entry.id, entry.seriesUID, entry.hold])
    expect(entries.map(([, ...rest]) => rest).toSorted()).toEqual([
      ['1.58', null],
      ['1.58.2', null],
    ])
    const ids = entries.map(([id]) => id)
    expect((await south!.call(scan.listBin, {})).data).toEqual([])
    expect((await admin!.call(scan.restore, { organizationId, ids })).status).toBe(200)
    expect(await slices()).toEqual([1, 2, 2, 1])
  })

  it('crossing a restoration is set [P54]', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const series = `1.57.${round}`
      await upload(series)
      await remove(series)
      const ids = (await bin(series)).map(({ id }) => id)
      const [restored, placed] = await Promise.all([admin!.call(scan.restore, { organizationId, ids }), hold(series)])
      expect([restored.status, placed.status]).toEqual([200, 200])
      expect((await remove(series)).code).toBe('LEGAL_HOLD')
    }
  })

  it('crossing a deletion never loses both: either the study stays, or it is held in the bin [P54]', async () => {
    for (const round of [1, 2, 3, 4, 5]) {
      const series = `1.54.${round}`
      await upload(series)
      const [removed, placed] = await Promise.all([remove(series), hold(series)])
      expect(placed.status).toBe(200)
      expect(removed.status === 200 ? (await bin(series))[0]?.hold?.id : removed.code).toBe(
        removed.status === 200 ? placed.data.id : 'LEGAL_HOLD',
      )
    }
  })
})
