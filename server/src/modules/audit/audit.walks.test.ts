import { account, audit } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import { auditLimits, isAbout } from './audit.repository.ts'

let server: TestServer
let root: SignedIn
const failures = 20

beforeAll(async () => {
  server = await startServer()
  root = await server.signIn('super_admin')
  for (let n = 0; n < failures; n += 1)
    await server.call(account.login, { ClientId: 'dmp-web', email: `nobody${n}@north.example`, password: 'wrong' })
  jest.replaceProperty(auditLimits as { walked: number }, 'walked', failures)
  jest.replaceProperty(auditLimits as { slice: number }, 'slice', 3)
})
afterAll(async () => {
  jest.restoreAllMocks()
  await server.close()
})

const message = 'There are more than 20 events. Choose a period or an event first, then search or sort them.'

describe('an audit trail that is too long to be read whole [P18, P24]', () => {
  it.each([
    [{ search: 'SignInFailed' }, [audit.list, audit.listActivity]],
    [{ sort: 'actor', direction: 'asc' }, [audit.list]],
  ] as const)('is neither searched nor sorted at once, and says what to choose: %j', async (input, calls) => {
    expect((await root.call(audit.list, { page: 1 })).total).toBeGreaterThan(failures)
    for (const call of calls) {
      const reply = await root.call(call, { page: 1, ...input })
      expect([reply.status, reply.code, reply.fields]).toEqual([400, 'TOO_MANY', [{ path: 'search', message }]])
    }
    const chosen = await root.call(audit.list, { page: 1, event: 'SignInFailed', ...input })
    expect([chosen.status, chosen.total]).toEqual([200, failures])
  })

  it('is paged by time as ever', async () => {
    for (const direction of ['asc', 'desc'] as const)
      expect((await root.call(audit.list, { page: 1, sort: 'at', direction })).status).toBe(200)
  })

  it.each([{}, { sort: 'at', direction: 'asc' }, { sort: 'at', direction: 'desc' }] as const)(
    'is paged from both ends, and says what to choose in the middle: %j',
    async (order) => {
      const input = { event: 'SignInFailed', ...order }
      const all = (await root.call(audit.list, { ...input, page: 1, pageSize: 100 })).data.map(({ id }) => id)
      const [walked, pageSize] = [4, 3]
      jest.replaceProperty(auditLimits as { walked: number }, 'walked', walked)
      for (const call of [audit.list, audit.listActivity])
        for (let page = 1; page <= Math.ceil(failures / pageSize) + 1; page += 1) {
          const reply = await root.call(call, { ...input, page, pageSize })
          const [first, behind] = [(page - 1) * pageSize, failures - page * pageSize]
          if (first < walked || behind < walked)
            expect([reply.total, reply.data.map(({ id }) => id)]).toEqual([
              failures,
              all.slice(first, first + pageSize),
            ])
          else expect([reply.status, reply.code, reply.fields?.[0]?.path]).toEqual([400, 'TOO_MANY', 'page'])
        }
      expect((await root.call(audit.list, { ...input, page: 4, pageSize })).message).toContain('Choose a period')
      jest.replaceProperty(auditLimits as { walked: number }, 'walked', failures)
    },
  )

  it('is not walked where somebody asks about a study: the index has it', async () => {
    const plan = await server.deps.db.transaction().execute(async (trx) => {
      // Of few events the database reads all.
      await sql`set local enable_seqscan = off`.execute(trx)
      const { rows } = await sql<{ 'QUERY PLAN': string }>`explain select from audit
        where ${isAbout(northClinic.id, sql`array['1.2.3'::text]`)} order by at desc limit 20`.execute(trx)
      return rows.map((line) => line['QUERY PLAN']).join(' ')
    })
    expect(plan).toContain('Index Cond: (audit_scans(subject) &&')
  })

  it('is exported in slices: each event once, also of those that happened together', async () => {
    const newestFirst = (await root.call(audit.exportRows, {})).data.map(({ at }) => at)
    expect(newestFirst).toEqual(newestFirst.toSorted().toReversed())
    const listed = await root.call(audit.list, { page: 1, pageSize: 100, event: 'SignInFailed' })
    await sql`alter table audit disable trigger user`.execute(server.deps.db)
    const together = { at: new Date(listed.data[10]?.at ?? '') }
    await server.deps.db.updateTable('audit').set(together).where('event', '=', 'SignInFailed').execute()
    const { data } = await root.call(audit.exportRows, { event: 'SignInFailed' })
    expect(new Set(data.map(({ id }) => id))).toEqual(new Set(listed.data.map(({ id }) => id)))
    expect(data).toHaveLength(failures)
    expect((await root.call(audit.exportRows, { search: 'SignInFailed' })).code).toBe('TOO_MANY')
  })
})
