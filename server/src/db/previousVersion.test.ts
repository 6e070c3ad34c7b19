import { sql, type Kysely } from 'kysely'
import { bindSessionLabel, findSessionByLabel, takeExchange } from '../identity/sessionLabels.ts'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { previousLaunch, previousSession, type PreviousTables } from './testing/previousTables.ts'

let server: TestServer
let staff: SignedIn
/** The same database as a server of the version before sees it while a rolling upgrade goes on. */
let previous: Kysely<PreviousTables>

beforeAll(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
  previous = server.deps.db as unknown as Kysely<PreviousTables>
})
afterAll(() => server.close())

const addSession = async (): Promise<string> =>
  (
    await previous
      .insertInto('families')
      .values(previousSession(staff.userId))
      .returning('id')
      .executeTakeFirstOrThrow()
  ).id

describe('a server of the version before, on the same database', () => {
  it('begins, renews and ends sessions that this version knows [P21]', async () => {
    const { db } = server.deps
    const id = await addSession()
    await previous.insertInto('refresh_tokens').values({ hash: 'first', family_id: id, used_date: null }).execute()
    const used = await previous
      .updateTable('refresh_tokens')
      .set({ used_date: sql<Date>`now()` })
      .where('hash', '=', 'first')
      .where('used_date', 'is', null)
      .executeTakeFirst()
    expect(used.numUpdatedRows).toBe(1n)
    await previous.insertInto('refresh_tokens').values({ hash: 'next', family_id: id, used_date: null }).execute()
    expect(await db.selectFrom('refresh_tokens').select('hash').where('session_id', '=', id).execute()).toHaveLength(2)
    await sql`
      update families set last_seen_date = now(), active_date = greatest(active_date, seen.at)
      from (values (${id}::uuid, now())) as seen (family, at) where families.id = seen.family and ended_date is
      null`.execute(previous)
    const ended = await previous
      .updateTable('families')
      .set({ ended_date: sql<Date>`now()`, end_reason: 'signed out' })
      .where('id', 'in', [id])
      .where('user_id', 'in', (from) => from.selectFrom('users').select('id').where('id', '=', staff.userId))
      .returning('id')
      .execute()
    expect(ended).toEqual([{ id }])
    expect(await db.selectFrom('sessions').select('end_reason').where('id', '=', id).execute()).toEqual([
      { end_reason: 'signed out' },
    ])
    await sql`delete from families where id = ${id}`.execute(previous)
    expect(await db.selectFrom('refresh_tokens').select('hash').where('session_id', '=', id).execute()).toEqual([])
  })

  it('finds the sessions that this version began, with their tokens [P21]', async () => {
    const rows = await previous
      .selectFrom('refresh_tokens')
      .innerJoin('families', 'families.id', 'refresh_tokens.family_id')
      .innerJoin('users', 'users.id', 'families.user_id')
      .select(['families.id', 'families.user_id', 'refresh_tokens.used_date'])
      .where('families.ended_date', 'is', null)
      .execute()
    expect(rows).toEqual([{ id: expect.any(String), user_id: staff.userId, used_date: null }])
  })

  it('binds labels and lets apps exchange them [4.14, P21]', async () => {
    const { db } = server.deps
    const id = await addSession()
    const bind = (label: string) =>
      previous
        .insertInto('live_sessions')
        .values({ session_id: label, family_id: id })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    await bind('label-of-before')
    await bind('label-of-before')
    expect(await findSessionByLabel(db, 'label-of-before')).toMatchObject({ sessionId: id, userId: staff.userId })
    await sql`
      update live_sessions set exchanges = case when exchange_until > now() then least(exchanges + 1, 5::int) else 1
      end, exchange_until = now() + interval '2 minutes'
      where session_id = 'label-of-before'`.execute(previous)
    expect(await takeExchange(db, 'label-of-before')).toBe(true)
    await bindSessionLabel(db, 'label-of-now', id)
    const row = await previous
      .selectFrom('live_sessions')
      .innerJoin('families', 'families.id', 'live_sessions.family_id')
      .select(['families.id', 'exchanges'])
      .where('session_id', '=', 'label-of-now')
      .executeTakeFirst()
    expect(row).toEqual({ id, exchanges: 0 })
  })

  it('launches the image viewer again and again [7.42, P21]', async () => {
    const id = await addSession()
    const { organization_id: organizationId } = await previous
      .selectFrom('users')
      .select('organization_id')
      .where('id', '=', staff.userId)
      .executeTakeFirstOrThrow()
    const launch = () =>
      previous
        .insertInto('scan_launches')
        .values(previousLaunch(staff.userId, organizationId, id))
        .onConflict((on) =>
          on.columns(['token_hash', 'organization_id', 'study_uid']).doUpdateSet({ expires_date: new Date() }),
        )
        .execute()
    await launch()
    await launch()
    expect(await server.deps.db.selectFrom('scan_launches').select('session_id').execute()).toEqual([
      { session_id: id },
    ])
  })

  it('counts attempts to sign in and reports of releases in the same rows [P04, P21]', async () => {
    const { db } = server.deps
    for (let n = 0; n < 2; n += 1) {
      await sql`
        insert into guesses as g (key, failures, blocked_until, updated_date) values ('k', 1, now(), now())
        on conflict (key) do update set failures = g.failures + 1, updated_date = now()
        where g.blocked_until <= clock_timestamp() returning failures`.execute(previous)
      await previous
        .insertInto('release_sightings')
        .values({ part: 'scan', release_id: 'r', minute: new Date(0), what: 'loaded', pages: 1 })
        .onConflict((row) =>
          row
            .columns(['part', 'release_id', 'minute', 'what'])
            .doUpdateSet({ pages: sql<number>`release_sightings.pages + 1` }),
        )
        .execute()
      await previous
        .insertInto('release_witnesses')
        .values({ part: 'scan', release_id: 'r', witness: 'w' })
        .onConflict((row) => row.doNothing())
        .execute()
    }
    expect(await db.selectFrom('login_attempts').select('failures').where('key', '=', 'k').execute()).toEqual([
      { failures: 2 },
    ])
    expect(await db.selectFrom('release_reports').select('pages').execute()).toEqual([{ pages: 2 }])
    expect(await db.selectFrom('affected_users').select('user_hash').execute()).toEqual([{ user_hash: 'w' }])
  })
})
