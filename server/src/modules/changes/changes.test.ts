import { changes, scan } from '@dmp/contract'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { startRetention } from '../../db/retention.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { makeApiToken } from '../apiToken/apiTokenInTests.ts'
import { changesRead } from './changes.repository.ts'
import { ask, now, objectOf, readAll, share, store, told } from './changesInTests.ts'

let server: TestServer
let [admin, south, root]: SignedIn[] = []
beforeAll(async () => {
  server = await startServer({ DMP_QUIET_SECONDS: '1' })
  admin = await server.signIn('admin')
  south = await server.signIn('admin@south.example')
  root = await server.signIn('super_admin')
})
afterAll(() => server.close())

const person = (who: SignedIn | undefined): SignedIn => {
  if (!who) throw new Error('Nobody is signed in.')
  return who
}
const organizationId = northClinic.id
/** Whether a series becomes quiet meanwhile depends on the machine. */
const loud = 'SeriesCreated,SeriesGrown,SeriesReduced,SeriesShared,SeriesTransferred,SeriesDeleted'
const since = async (cursor: string) => told(await readAll(person(admin), cursor, { kinds: loud }))

describe('changes', () => {
  it('tell of a series from its creation to its deletion, in order, with ids and numbers alone [P42]', async () => {
    const begin = await now(person(admin))
    const study = '1.42.1'
    await store(server, person(admin), objectOf(study, 1, 1), objectOf(study, 1, 2), objectOf(study, 2, 1))
    await store(server, person(admin), objectOf(study, 1, 3))
    await share(person(admin), organizationId, `${study}.1`, [`${study}.2`])
    const one = `/dicom-web/studies/${study}/series/${study}.1/instances/${study}.1.3`
    const { statusCode } = await server.app.inject({ method: 'DELETE', url: one, headers: person(admin).headers })
    expect(statusCode).toBe(204)
    await person(admin).call(scan.remove, { organizationId, seriesIdList: [`${study}.1`] })
    expect(await since(begin)).toEqual([
      ['SeriesCreated', `${study}.1`, 2],
      ['SeriesCreated', `${study}.2`, 1],
      ['SeriesGrown', `${study}.1`, 3],
      ['SeriesShared', `${study}.1`, 3],
      ['SeriesShared', `${study}.2`, 1],
      ['SeriesReduced', `${study}.1`, 2],
      ['SeriesDeleted', `${study}.1`, 0],
    ])
    const [created, other] = await readAll(person(admin), begin)
    expect([created?.modality, created?.source, other?.modality, other?.source]).toEqual([null, null, 'CT', 'Upload'])
    expect(Object.keys(created ?? {}).sort()).toEqual(Object.keys(changes.Change.entries).sort())
    await server.app.inject({ method: 'DELETE', url: `/dicom-web/studies/${study}`, headers: person(admin).headers })
  })

  it('move the growth of a series that goes on growing to the end, so that it fills no page [P42]', async () => {
    const begin = await now(person(admin))
    const study = '1.42.2'
    for (let n = 1; n <= 12; n += 1) await store(server, person(admin), objectOf(study, 1, n))
    await store(server, person(admin), objectOf(study, 1, 1))
    const list = await since(begin)
    expect(list[0]).toEqual(['SeriesCreated', `${study}.1`, 1])
    expect(list.at(-1)).toEqual(['SeriesGrown', `${study}.1`, 12])
    // On a slow machine it becomes quiet in between.
    expect(list.length).toBeLessThan(13)
  })

  it('tell once that a series is quiet, and again after it has grown [P42]', async () => {
    const study = '1.42.3'
    const quiet = async (cursor: string): Promise<string> => {
      for (;;) {
        const page = await ask(person(admin), { since: cursor, kinds: 'SeriesQuiet', wait: 25 })
        if (page.changes.some(({ seriesUID }) => seriesUID === `${study}.1`)) {
          expect(told(page.changes.filter(({ seriesUID }) => seriesUID === `${study}.1`))).toHaveLength(1)
          return page.next
        }
        cursor = page.next
      }
    }
    const begin = await now(person(admin))
    await store(server, person(admin), objectOf(study, 1, 1))
    const first = await quiet(begin)
    await store(server, person(admin), objectOf(study, 1, 2))
    await quiet(first)
    const own = (await readAll(person(admin), begin)).filter(({ seriesUID }) => seriesUID === `${study}.1`)
    expect(told(own)).toEqual([
      ['SeriesCreated', `${study}.1`, 1],
      ['SeriesQuiet', `${study}.1`, 1],
      ['SeriesGrown', `${study}.1`, 2],
      ['SeriesQuiet', `${study}.1`, 2],
    ])
  })

  it('tell the sender of a transfer once it has arrived, and the receiver of the copy [P42]', async () => {
    const study = '1.42.4'
    await store(server, person(admin), objectOf(study, 1, 1))
    const [begin, there] = [await now(person(admin)), await now(person(south))]
    const { status } = await person(admin).call(scan.transfer, {
      organizationId,
      dstOrganizationName: southClinic.name,
      anonymize: false,
      scans: [{ studyUID: study, seriesUID: `${study}.1` }],
    })
    expect(status).toBe(200)
    let page = await ask(person(admin), { since: begin, kinds: 'SeriesTransferred', wait: 25 })
    while (page.changes.length === 0)
      page = await ask(person(admin), { since: page.next, kinds: 'SeriesTransferred', wait: 25 })
    expect(told(page.changes)).toEqual([['SeriesTransferred', `${study}.1`, 1]])
    const [copy] = await readAll(person(south), there, { kinds: 'SeriesCreated' })
    expect([copy?.source, copy?.instances, copy?.seriesUID === `${study}.1`]).toEqual(['Transfer', 1, false])
  })

  it('are not there of what failed: nothing is told of a transaction that was undone [P42]', async () => {
    const begin = await now(person(admin))
    const study = '1.42.5'
    jest.spyOn(server.deps.objects, 'keep').mockRejectedValueOnce(new Error('a broken store'))
    const other = objectOf(study, 1, 1)
    await store(server, person(admin), other).catch(() => undefined)
    jest.mocked(server.deps.objects.keep).mockRestore()
    const known = await server.deps.db
      .selectFrom('series')
      .select('series_uid')
      .where('study_uid', '=', study)
      .execute()
    expect((await since(begin)).length).toBe(known.length)
    await person(admin).call(scan.remove, { organizationId, seriesIdList: ['1.42.404'] })
    expect((await since(begin)).filter(([kind]) => kind === 'SeriesDeleted')).toEqual([])
  })
})

describe('a long feed', () => {
  it('is read a part at a time for kinds that are seldom, and says where to go on [P18, P42]', async () => {
    const study = '1.42.9'
    const begin = await now(person(admin))
    const objects = Array.from({ length: 5 }, (_, n) => objectOf(study, n, 1))
    await store(server, person(admin), ...objects)
    await store(server, person(admin), objectOf(study, 0, 2))
    jest.replaceProperty(changesRead, 'most', 2)
    const first = await ask(person(admin), { since: begin, kinds: 'SeriesGrown', wait: 25 })
    expect([first.changes, first.hasMore, Number(first.next)]).toEqual([[], true, Number(begin) + 2])
    expect(told(await readAll(person(admin), begin, { kinds: 'SeriesGrown' }))).toEqual([
      ['SeriesGrown', `${study}.0`, 2],
    ])
    expect((await readAll(person(admin), begin, { kinds: 'SeriesCreated', pageSize: 1 })).length).toBe(5)
    expect((await ask(person(admin), { since: begin, pageSize: 5 })).changes).toHaveLength(5)
    jest.restoreAllMocks()
  })
})

describe('a cursor', () => {
  it('begins now where none is shown, and at a time where one is named [P42]', async () => {
    const begin = await now(person(admin))
    const date = new Date().toISOString()
    await store(server, person(admin), objectOf('1.42.6', 1, 1))
    expect(await now(person(admin))).not.toBe(begin)
    expect((await ask(person(admin))).changes).toEqual([])
    expect((await since(date)).map(([, uid]) => uid)).toContain('1.42.6.1')
    expect(await since(new Date(Date.now() + 3_600_000).toISOString())).toEqual([])
  })

  it('is refused where it is none, or of another time than there are changes of [P42]', async () => {
    for (const wrong of ['x', '-1', '1.5', '2026-05-05', '2026-13-05T08:00:00Z', '9'.repeat(16)])
      expect([wrong, (await person(admin).call(changes.list, { since: wrong })).status]).toEqual([wrong, 400])
    expect((await person(admin).call(changes.list, { wait: 9999 })).message).toBe('Wait for 0 to 25 seconds.')
    for (const query of [{ kinds: 'SeriesGone' }, { kinds: '' }, { wait: 26 }, { pageSize: 0 }, { pageSize: 1001 }])
      expect([query, (await person(admin).call(changes.list, query)).status]).toEqual([query, 400])
    const ahead = await person(admin).call(changes.list, { since: String(Number(await now(person(admin))) + 1000) })
    expect([ahead.status, ahead.code]).toEqual([410, 'CURSOR_GONE'])
    expect(ahead.message).toContain('To begin at a time, write it as 2026-05-05T08:00:00Z: a number alone is a cursor.')
    expect((await since('2020-01-01T00:00:00Z')).length).toBeGreaterThan(0)
  })

  it('is refused once changes behind it were deleted for their age, and never skips them silently [P42]', async () => {
    const { db, settings } = server.deps
    const old = await now(person(admin))
    const before = new Date().toISOString()
    await store(server, person(admin), objectOf('1.42.7', 1, 1))
    const kept = await now(person(admin))
    const date = new Date(Date.now() - 31 * 86_400_000)
    await db.updateTable('changes').set({ created_date: date }).where('number', '<=', kept).execute()
    await store(server, person(admin), objectOf('1.42.7', 2, 1))
    const house = startRetention(db, settings, (error) => {
      throw error
    })
    await house.close()
    for (const gone of [old, '0', new Date(date.getTime() - 1000).toISOString()]) {
      const { status, code, message } = await person(admin).call(changes.list, { since: gone })
      expect([gone, status, code]).toEqual([gone, 410, 'CURSOR_GONE'])
      expect(message).toContain(`Changes are kept from ${date.toISOString()} on.`)
    }
    for (const good of [kept, before]) expect((await since(good)).map(([, uid]) => uid)).toEqual(['1.42.7.2'])
  })
})

describe('walls', () => {
  it('keep the changes of one organization from another, and tell of a foreign one as of none [P02, P42]', async () => {
    const there = await now(person(south))
    const begin = await now(person(admin))
    await store(server, person(admin), objectOf('1.42.8', 1, 1))
    // Copies that it got before may get quiet meanwhile.
    const told = await readAll(person(south), there)
    expect(told.filter(({ studyUID }) => studyUID === '1.42.8')).toEqual([])
    const unknown = '00000000-0000-4000-8000-00000000dead'
    const { token } = await makeApiToken(person(south))
    const answers = []
    for (const named of [organizationId, unknown])
      for (const headers of [person(south).headers, { authorization: `Bearer ${token}` }]) {
        const query = `since=${begin}&organizationId=${named}&wait=1`
        const reply = await server.app.inject({ url: `/api/Changes?${query}`, headers })
        answers.push([reply.statusCode, reply.body.replace(/"requestId":"[^"]*"/, '')])
      }
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]?.[0]).toBe(404)
    expect((await readAll(person(root), begin, { organizationId })).map(({ seriesUID }) => seriesUID)).toContain(
      '1.42.8.1',
    )
  })
})
