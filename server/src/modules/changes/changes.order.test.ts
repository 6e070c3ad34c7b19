import type { Change } from '@dmp/contract/changes'
import { southClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { pino } from 'pino'
import { makeServer, type Server } from '../../app.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { stow } from '../../testing/stow.ts'
import { findFirstFrom } from './changes.repository.ts'
import { ask, now, objectOf, readAll, store } from './changesInTests.ts'

let server: TestServer
let admin: SignedIn
let staff: SignedIn
let south: SignedIn
beforeAll(async () => {
  server = await startServer()
  admin = await server.signIn('admin')
  staff = await server.signIn('staff')
  south = await server.signIn('admin@south.example')
})
afterAll(() => server.close())

/** Follows the changes by small pages, waiting for more, until it has seen so many series. */
async function follow(who: SignedIn, since: string, series: number): Promise<Change[]> {
  const found: Change[] = []
  const seen = new Set<string>()
  for (let next = since; seen.size < series;) {
    const page = await ask(who, { since: next, pageSize: 7, wait: 25, kinds: 'SeriesCreated' })
    found.push(...page.changes)
    for (const { seriesUID } of page.changes) seen.add(seriesUID)
    next = page.next
  }
  return found
}

const [laneCount, requests, perRequest] = [10, 5, 4]
const uploads = laneCount * requests * perRequest

describe('changes that are read while they are written', () => {
  it('are each told once and in order, to every reader, of uploads side by side [P42]', async () => {
    const begin = await now(admin)
    const there = await now(south)
    const readers = [follow(admin, begin, uploads), follow(admin, begin, uploads), follow(staff, begin, uploads)]
    const elsewhere = follow(south, there, requests)
    const expected: string[] = []
    const lanes = Array.from({ length: laneCount }, async (_, lane) => {
      const [who, study] = [lane % 2 ? staff : admin, `1.43.${lane}`]
      for (let request = 0; request < requests; request += 1) {
        const series = Array.from({ length: perRequest }, (_series, n) => request * perRequest + n)
        expected.push(...series.map((n) => `${study}.${n}`))
        await store(server, who, ...series.map((n) => objectOf(study, n, 1)))
        if (lane === 0) await store(server, south, objectOf('1.43.77', request, 1))
      }
    })
    await Promise.all(lanes)
    expect(expected).toHaveLength(200)
    for (const list of await Promise.all(readers)) {
      expect(list.map(({ seriesUID }) => seriesUID).sort()).toEqual(expected.toSorted())
      const numbers = list.map(({ cursor }) => Number(cursor))
      expect(numbers).toEqual([...numbers].sort((a, b) => a - b))
      expect(new Set(numbers).size).toBe(uploads)
    }
    expect((await elsewhere).every(({ studyUID }) => studyUID === '1.43.77')).toBe(true)
  })

  it('say how many instances a series has in the end, whoever added them beside each other [P42]', async () => {
    const begin = await now(admin)
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let n = 0; n < 5; n += 1)
        await store(server, lane % 2 ? staff : admin, objectOf('1.44', 1, lane * 5 + n + 1))
    })
    await Promise.all(lanes)
    const list = await readAll(admin, begin, { pageSize: 2, kinds: 'SeriesCreated,SeriesGrown' })
    expect(list.filter(({ kind }) => kind === 'SeriesCreated')).toHaveLength(1)
    expect([list[0]?.kind, list.at(-1)?.kind, list.at(-1)?.instances]).toEqual(['SeriesCreated', 'SeriesGrown', 40])
  })

  it('go on at the same cursor behind a server that was started again [P42]', async () => {
    const begin = await now(admin)
    await store(server, admin, objectOf('1.45', 1, 1))
    const half = await ask(admin, { since: begin })
    await store(server, admin, objectOf('1.45', 2, 1))
    const other = await startBeside(server)
    try {
      const call = async (query: string) =>
        (await other.app.inject({ url: `/api/Changes?${query}`, headers: admin.headers })).json<{
          data: { changes: Change[]; next: string }
        }>().data
      const rest = await call(`since=${half.next}`)
      expect(rest.changes.map(({ seriesUID }) => seriesUID)).toEqual(['1.45.2'])
      const reply = await stow({ ...server, app: other.app }, admin, [objectOf('1.45', 3, 1)])
      expect(reply.statusCode).toBe(200)
      expect((await call(`since=${rest.next}&wait=25`)).changes.map(({ seriesUID }) => seriesUID)).toEqual(['1.45.3'])
    } finally {
      await other.close()
    }
  })

  it('wake those who wait at another server on the same PostgreSQL [P42]', async () => {
    if (!server.deps.database.pool) return
    const other = await startBeside(server)
    try {
      const begin = await now(admin)
      const begun = jest.spyOn(other.deps.newsWaits, 'begin')
      const url = `/api/Changes?since=${begin}&wait=25`
      const answer = other.app.inject({ url, headers: admin.headers })
      while (begun.mock.calls.length === 0) await new Promise((later) => setImmediate(later))
      await store(server, admin, objectOf('1.46', 1, 1))
      const { data } = (await answer).json<{ data: { changes: Change[] } }>()
      expect(data.changes.map(({ seriesUID }) => seriesUID)).toEqual(['1.46.1'])
    } finally {
      await other.close()
    }
  })
})

/** Another server with what this one has stored: on the same PostgreSQL, or on a copy of the embedded database. */
async function startBeside({ deps }: TestServer): Promise<Server> {
  const { embedded, hosts } = deps.database
  const url = hosts?.address
  const prepared = await embedded?.dumpDataDir?.('none')
  return makeServer(
    { ...deps.settings, ...(url !== undefined && { databaseUrl: url }) },
    {
      place:
        url === undefined ? { kind: 'memory', ...(prepared && { prepared }) } : { kind: 'postgres', url, poolSize: 3 },
      log: pino({ level: 'silent' }),
    },
  )
}

describe('changes from a time on', () => {
  const minute = (at: number): Date => new Date(Date.UTC(2026, 0, 1, 12, at))

  it('are all told where a clock was set back between them [P42]', async () => {
    const { db } = server.deps
    const feed = await db
      .selectFrom('change_feeds')
      .select(['organization_id', 'last_number'])
      .where('organization_id', '=', southClinic.id)
      .executeTakeFirstOrThrow()
    const [organization_id, begin] = [feed.organization_id, Number(feed.last_number)]
    await db.deleteFrom('changes').where('organization_id', '=', organization_id).execute()
    const change = { organization_id, kind: 'SeriesShared' as const, study_uid: '1.44', instances: 1 }
    const times = [10, 30, 0, 20, 40]
    for (const [at, time] of times.entries())
      await db
        .insertInto('changes')
        .values({ ...change, number: begin + at + 1, series_uid: `1.44.${time}`, created_date: minute(time) })
        .execute()
    await db
      .updateTable('change_feeds')
      .set({ last_number: begin + times.length })
      .where('organization_id', '=', organization_id)
      .execute()
    const from = async (time: number): Promise<number[]> =>
      (await readAll(south, minute(time).toISOString())).map(({ seriesUID }) => Number(seriesUID.split('.')[2]))
    expect(await from(5)).toEqual(times)
    expect(await from(15)).toEqual([30, 0, 20, 40])
    expect(await from(35)).toEqual([40])
    expect(await from(50)).toEqual([])
  })

  it('are looked up, and no feed of years is walked for them [P18, P42]', async () => {
    const plan = await server.deps.db.transaction().execute(async (trx) => {
      // Of few changes the database reads all.
      await sql`set local enable_seqscan = off`.execute(trx)
      const first = findFirstFrom(sql`${southClinic.id}`, minute(0))
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain ${first}`.execute(trx)
      return rows.map((line) => line['QUERY PLAN']).join(' ')
    })
    expect(plan).toMatch(/Index (?:Only )?Scan using changes_reached/)
    expect(plan).not.toContain('Sort')
  })
})
