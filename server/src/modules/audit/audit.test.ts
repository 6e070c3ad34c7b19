import { account, audit, scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { FairTurns } from '../../core/fairTurns.ts'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
const failures = 12

beforeAll(async () => {
  server = await startServer()
  for (let n = 0; n < failures; n += 1)
    await server.call(account.login, { ClientId: 'dmp-web', email: `nobody${n}@north.example`, password: 'wrong' })
  ;[root, admin] = [await server.signIn('super_admin'), await server.signIn('admin')]
})
afterAll(() => server.close())

describe('recorded events', () => {
  it('are listed page by page, the newest first, also when no page is asked for [5.19, P24]', async () => {
    const { data, total } = await root.call(audit.list, {})
    expect([data.length, (total ?? 0) > failures]).toEqual([10, true])
    expect(data[0]).toMatchObject({ event: 'SignedIn', actorEmail: 'admin@north.example', outcome: 'success' })
    expect(data.map(({ at }) => at)).toEqual(
      data
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    )
    expect((await root.call(audit.list, { page: 2 })).data[0]?.id).not.toBe(data[0]?.id)
  })

  it('are exported as a whole, and the export is an event [P24]', async () => {
    const reply = await root.call(audit.exportRows, { event: 'SignInFailed' })
    expect([reply.status, reply.data.length]).toEqual([200, failures])
    expect((await root.call(audit.list, { event: 'AuditExported' })).data).toMatchObject([
      {
        actorEmail: 'super@dmp.example',
        subject: expect.arrayContaining([
          { key: 'rows', value: String(failures) },
          { key: 'event', value: 'SignInFailed' },
        ]),
      },
    ])
  })

  it('are exported in turn: who asks for much keeps no other customer waiting [P18]', async () => {
    const south = await server.signIn('admin@south.example')
    for (const who of [south, admin]) await who.call(account.validateToken, {})
    const [begun, opened] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const locked = server.deps.db.transaction().execute(async (trx) => {
      await sql`lock table audit in access exclusive mode`.execute(trx)
      begun.resolve()
      await opened.promise
    })
    await begun.promise
    const ended: string[] = []
    const take = async (who: SignedIn, name: string) => {
      const { status, headers } = await who.call(audit.exportRows, {})
      ended.push(`${name} ${status} ${headers['retry-after'] ?? ''}`.trim())
    }
    const working: string[] = []
    const { run } = FairTurns.prototype
    const turns = jest.spyOn(FairTurns.prototype, 'run').mockImplementation(function (this: FairTurns, turn, work) {
      return run.call(this, turn, (stepAside) => {
        working.push(turn.person)
        return work(stepAside)
      }) as ReturnType<typeof work>
    })
    const ofSouth = Array.from({ length: 4 }, () => take(south, 'south'))
    const ofNorth = take(admin, 'north')
    while (turns.mock.calls.length < 5) await new Promise((again) => setTimeout(again, 5))
    // One is read and two wait; the fourth is told to come later. That of the other customer is read meanwhile.
    await Promise.race(ofSouth)
    expect(ended).toEqual(['south 503 5'])
    expect(working.toSorted()).toEqual([south.userId, admin.userId].toSorted())
    turns.mockRestore()
    opened.resolve()
    await Promise.all([locked, ofNorth, ...ofSouth])
    expect(ended.toSorted()).toEqual(['north 200', 'south 200', 'south 200', 'south 200', 'south 503 5'])
  })

  it('leave views of lists out where that is asked for, and nothing else [P24]', async () => {
    await admin.call(scan.list, { page: 1 })
    await admin.call(scan.list, { page: 2 })
    const events = async (input: object) => (await admin.call(audit.list, { pageSize: 50, ...input })).data
    const [all, some] = [await events({}), await events({ lists: 'hidden' })]
    const views = all.filter(({ event }) => event === 'ScansQueried')
    expect(views).toHaveLength(2)
    expect(some).toEqual(all.filter((row) => !views.includes(row)))
  })

  it('are those of an outcome, and of a time from its first instant until before its last [5.19, P24]', async () => {
    const list = async (input: object) => (await root.call(audit.list, { pageSize: 100, ...input })).data
    const all = await list({})
    for (const outcome of ['refused', 'success'] as const) {
      const expected = all.filter((row) => row.outcome === outcome)
      expect([await list({ outcome }), expected.length > 0]).toEqual([expected, true])
    }
    const [from, to] = [all.at(-3)?.at ?? '', all.at(2)?.at ?? '']
    const between = all.filter(({ at }) => at >= from && at < to)
    expect([await list({ from, to }), between.length > 0]).toEqual([between, true])
  })

  it('of others do not exist for an organization, in lists, exports and details [P02, P24]', async () => {
    const exported = (await admin.call(audit.exportRows, {})).data
    expect([exported.length > 0, new Set(exported.map(({ organization }) => organization))]).toEqual([
      true,
      new Set([northClinic.name]),
    ])
    const [foreign] = (await root.call(audit.list, { event: 'SignInFailed' })).data
    expect((await admin.call(audit.get, { id: foreign?.id ?? '' })).status).toBe(404)
  })

  it('say whether somebody changed the table behind them [P24]', async () => {
    const rows = (await root.call(audit.exportRows, { event: 'SignInFailed' })).data
    const of = async (at: number) => (await root.call(audit.get, { id: rows.at(at)?.id ?? '' })).data
    const [last, first] = [await of(0), await of(-1)]
    expect([first.isIntact, last.isIntact, last.position - first.position]).toEqual([true, true, failures - 1])
    await sql`alter table audit disable trigger user`.execute(server.deps.db)
    await server.deps.db.updateTable('audit').set({ address: '10.0.0.99' }).where('id', '=', first.id).execute()
    expect([(await of(-1)).isIntact, (await of(0)).isIntact]).toEqual([false, true])
    await server.deps.db
      .updateTable('audit')
      .set({ address: first.address, hash: 'f'.repeat(64) })
      .where('id', '=', first.id)
      .execute()
    // Neither the row that was given another hash, nor the one that follows it.
    expect([(await of(-1)).isIntact, (await of(-2)).isIntact]).toEqual([false, false])
    await sql`alter table audit enable trigger user`.execute(server.deps.db)
  })
})
