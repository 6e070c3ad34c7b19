import { limits, scan } from '@dmp/contract'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'

let server: TestServer
let staff: SignedIn
let admin: SignedIn

beforeAll(async () => {
  server = await startServer()
  ;[staff, admin] = await Promise.all([server.signIn('staff'), server.signIn('admin')])
})
afterAll(() => server.close())

const knees = { name: 'Knees', search: 'Canarybird knee', sortColumn: '2', sortDirection: 'desc' }

describe('filters of the scan list [2.58]', () => {
  it('are kept by name, renamed and removed', async () => {
    const { data: savedFilter, status } = await staff.call(scan.addFilter, knees)
    expect([status, savedFilter]).toEqual([200, { ...knees, id: expect.any(String) }])
    expect((await staff.call(scan.listFilters, {})).data).toEqual([savedFilter])
    expect((await staff.call(scan.renameFilter, { id: savedFilter.id, name: ' Left knees ' })).data.name).toBe(
      'Left knees',
    )
    expect((await staff.call(scan.removeFilter, { id: savedFilter.id })).status).toBe(200)
    expect((await staff.call(scan.listFilters, {})).data).toEqual([])
  })

  it('belong to one user: for others they do not exist [P02]', async () => {
    const { data } = await staff.call(scan.addFilter, knees)
    expect((await admin.call(scan.listFilters, {})).data).toEqual([])
    const unknown = '00000000-0000-4000-8000-00000000dead'
    for (const id of [data.id, unknown]) {
      expect([
        (await admin.call(scan.renameFilter, { id, name: 'Mine' })).status,
        (await admin.call(scan.removeFilter, { id })).status,
      ]).toEqual([404, 404])
    }
    expect((await admin.call(scan.addFilter, knees)).status).toBe(200)
  })

  it('of the worklist are apart, hold its address, and are seen by the organization where they are shared [P02]', async () => {
    const view = { name: 'Mornings', search: '', sortColumn: '', sortDirection: '', place: 'worklist' }
    const { data: shared } = await staff.call(scan.addFilter, { ...view, query: 'isNew=true', isShared: true })
    const { data: own } = await staff.call(scan.addFilter, { ...view, name: 'Own', query: 'modality=CT' })
    const listFor = async (who: SignedIn, place?: 'worklist') =>
      (await who.call(scan.listFilters, place ? { place } : {})).data.map(({ id }) => id)
    expect(await listFor(staff, 'worklist')).toEqual([shared.id, own.id])
    expect(await listFor(staff)).not.toContain(shared.id)
    expect((await admin.call(scan.listFilters, { place: 'worklist' })).data).toEqual([
      { ...shared, isOwn: false, isShared: true, query: 'isNew=true' },
    ])
    const south = await server.signIn('admin@south.example')
    expect(await listFor(south, 'worklist')).toEqual([])
    expect((await admin.call(scan.removeFilter, { id: shared.id })).status).toBe(404)
    expect((await staff.call(scan.addFilter, { ...view, name: 'Long', query: 'x'.repeat(1_001) })).status).toBe(400)
    for (const { id } of [shared, own]) expect((await staff.call(scan.removeFilter, { id })).status).toBe(200)
  })

  it('of other lists are seen by those of the organization who may list what stands in them [P76]', async () => {
    const view = { search: '', sortColumn: '', sortDirection: '', isShared: true }
    const late = { ...view, name: 'Late', query: 'state=overdue', place: 'complaint' }
    const { data: complaints } = await admin.call(scan.addFilter, late)
    const { data: records } = await admin.call(scan.addFilter, { ...late, query: 'outcome=refused', place: 'audit' })
    const south = await server.signIn('admin@south.example')
    const seenBy = async (who: SignedIn, place: 'complaint' | 'audit') =>
      (await who.call(scan.listFilters, { place })).data.map(({ id }) => id)
    expect([await seenBy(admin, 'complaint'), await seenBy(admin, 'audit')]).toEqual([[complaints.id], [records.id]])
    expect([await seenBy(staff, 'complaint'), await seenBy(staff, 'audit')]).toEqual([[complaints.id], []])
    expect([await seenBy(south, 'complaint'), await seenBy(south, 'audit')]).toEqual([[], []])
    expect((await admin.call(scan.addFilter, late)).code).toBe('NAME_TAKEN')
    for (const { id } of [complaints, records]) expect((await admin.call(scan.removeFilter, { id })).status).toBe(200)
  })

  it('have one name each, whatever its letters, and are not more than anybody can read', async () => {
    expect(await staff.call(scan.addFilter, { ...knees, name: 'KNEES' })).toMatchObject({
      status: 409,
      code: 'NAME_TAKEN',
      fields: [{ path: 'name' }],
    })
    const [first] = (await staff.call(scan.listFilters, {})).data
    const { data: other } = await staff.call(scan.addFilter, { ...knees, name: 'Hips' })
    expect((await staff.call(scan.renameFilter, { id: other.id, name: first?.name ?? '' })).status).toBe(409)
    for (let number = 2; number < limits.filtersPerUser; number += 1)
      expect((await staff.call(scan.addFilter, { ...knees, name: `Filter ${number}` })).status).toBe(200)
    expect(await staff.call(scan.addFilter, { ...knees, name: 'One more' })).toMatchObject({
      status: 409,
      code: 'TOO_MANY_FILTERS',
    })
  })

  it('are recorded without what they search for [P23, P24]', async () => {
    const rows = await server.deps.db
      .selectFrom('audit')
      .selectAll()
      .where('event', '=', 'PreferencesChanged')
      .execute()
    expect(rows.length).toBeGreaterThan(0)
    expect(JSON.stringify(rows) + server.logs.join('')).not.toContain('Canarybird')
  })
})
