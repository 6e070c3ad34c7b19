import { scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { tag } from '@dmp/dicom'
import { sql } from 'kysely'
import { dicomFile, slice, text } from '../../../dicom/testing/dicomFile.ts'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { stow } from '../../../testing/stow.ts'
import { maxConflictsOfOrganization } from './recordConflicts.ts'

let server: TestServer
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  await send(object('1.66.1', 1, 'First^Patient'))
})
afterAll(() => server.close())

/** An object of one study; of a second patient it is a conflict, one for each series. */
const object = (series: string, number: number, patient = 'Other^Otto'): Buffer =>
  dicomFile({
    elements: slice({
      [tag.PatientName]: text('PN', patient),
      [tag.PatientID]: text('LO', patient),
      [tag.StudyInstanceUID]: text('UI', '1.66'),
      [tag.SeriesInstanceUID]: text('UI', series),
      [tag.SOPInstanceUID]: text('UI', `${series}.${number}`),
    }),
  })
const send = async (...objects: readonly Buffer[]): Promise<number> => (await stow(server, admin, objects)).statusCode
const listOf = async (series: string) =>
  (await admin.call(scan.listConflicts, { search: series })).data.filter(({ arrived }) => arrived.seriesUID === series)
const countRows = async (): Promise<number> => {
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from scan_conflicts
    where organization_id = ${northClinic.id}`.execute(server.deps.db)
  return rows[0]?.count ?? 0
}

describe('whoever sends what contradicts again and again [P18, P32]', () => {
  it('fills one conflict with ten thousand objects at most, and is refused as before', async () => {
    expect(await send(object('1.66.2', 1))).toBe(409)
    const [{ id } = { id: '' }] = await listOf('1.66.2')
    await sql`insert into scan_conflict_objects (conflict_id, sop_instance_uid, sha256)
      select ${id}::uuid, '1.67.' || n, 'hash' from generate_series(1, 9998) n`.execute(server.deps.db)
    await sql`update scan_conflicts set objects = 9999 where id = ${id}`.execute(server.deps.db)
    // There is room for one of the two.
    for (const objects of [[object('1.66.2', 2), object('1.66.2', 3)], [object('1.66.2', 4)]]) {
      expect(await send(...objects)).toBe(409)
      expect(await listOf('1.66.2')).toMatchObject([{ id, objects: 10_000 }])
    }
  })

  it('fills the list with five thousand at most; what is listed already goes on to be counted', async () => {
    expect(await send(object('1.66.3', 1))).toBe(409)
    await sql`insert into scan_conflicts
        (organization_id, identity, kind, is_stored, study_uid, series_uid, arrived, source)
      select organization_id, 'made ' || n, kind, is_stored, study_uid, series_uid, arrived, source
      from scan_conflicts, generate_series(1, ${maxConflictsOfOrganization - (await countRows()) - 1}::int) n
      where arrived ->> 'seriesUID' = '1.66.3'`.execute(server.deps.db)
    // There is room for one.
    expect([await send(object('1.66.4', 1)), (await listOf('1.66.4')).length]).toEqual([409, 1])
    expect([await send(object('1.66.5', 1)), (await listOf('1.66.5')).length]).toEqual([409, 0])
    expect(await send(object('1.66.4', 2))).toBe(409)
    expect(await listOf('1.66.4')).toMatchObject([{ objects: 2 }])
    expect(await countRows()).toBe(maxConflictsOfOrganization)
  })
})
