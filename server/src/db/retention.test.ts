import { account } from '@dmp/contract'
import { sql } from 'kysely'
import { startServer, type TestServer } from '../testing/server.ts'
import { startRetention } from './retention.ts'

let server: TestServer
beforeAll(async () => {
  server = await startServer()
})
afterAll(() => server.close())

const counts = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<Record<string, number>>`
    select (select count(*)::int from sessions) as sessions, (select count(*)::int from refresh_tokens) as tokens,
    (select count(*)::int from challenges) as challenges,
      (select count(*)::int from login_attempts) as attempts, (select count(*)::int from mails) as mails, (select
      count(*)::int from audit) as audit`.execute(server.deps.db)
  return rows[0] ?? {}
}

describe('housekeeping', () => {
  it('removes what is long over, keeps what goes on, and never touches the audit rows [P24]', async () => {
    const { db } = server.deps
    const going = await server.signIn('staff')
    const over = await server.signIn('admin')
    await server.call(account.login, { ClientId: 'dmp-web', email: 'mfa@north.example', password: 'wrong' })
    await server.call(account.forgotPassword, { Email: 'staff@north.example', ClientId: 'dmp-web' })
    await server.mailTo('staff@north.example')
    await sql`update sessions set ended_date = now() - interval '31 days' where user_id = ${over.userId}`.execute(db)
    await sql`update challenges set expires_date = now() - interval '2 days'`.execute(db)
    await sql`update login_attempts set updated_date = now() - interval '2 days', blocked_until = now() - interval '2 days'`.execute(
      db,
    )
    await sql`update mails set sent_date = now() - interval '31 days'`.execute(db)
    // That one left is how the first run knows that mail works, however long ago.
    await sql`insert into mails (recipient, subject, text, html, links, sent_date)
      values ('a@north.example', 'old', '', '', '{}', now() - interval '40 days')`.execute(db)
    const before = await counts()

    const house = startRetention(db, server.deps.settings, (error) => {
      throw error
    })
    await house.close()
    expect(await counts()).toEqual({
      sessions: 1,
      tokens: 1,
      challenges: 0,
      attempts: 0,
      mails: 1,
      audit: before.audit,
    })
    expect((await going.call(account.profile, {})).status).toBe(200)
  })

  // At any hour, the day of one of the two is not that of UTC.
  it.each(['Pacific/Kiritimati', 'Etc/GMT+12'])(
    'counts days by UTC where the database is in %s, and keeps the last of each',
    async (zone) => {
      const { db, settings } = server.deps
      const day = (ago: number) => sql`(now() at time zone 'utc')::date - ${ago}::int`
      const left = await db.connection().execute(async (line) => {
        await sql`select set_config('timezone', ${zone}, false)`.execute(line)
        try {
          await sql`delete from release_errors`.execute(line)
          await sql`delete from release_times`.execute(line)
          await sql`insert into release_errors (part, id, name, message, stack)
            values ('remote-scan', 'a', 'TypeError', '', '[]')`.execute(line)
          for (const ago of [0, 1])
            await sql`insert into release_error_people (part, id, day, person_hash)
              values ('remote-scan', 'a', ${day(ago)}, 'b')`.execute(line)
          for (const ago of [30, 31]) {
            await sql`insert into release_error_counts (part, id, day, what, count)
              values ('remote-scan', 'a', ${day(ago)}, 'people', 1)`.execute(line)
            await sql`insert into release_times (part, release_id, day, what, step, pages)
              values ('remote-scan', ${zone.slice(0, 1)}, ${day(ago)}, 'drawn', 1, 1)`.execute(line)
          }
          const house = startRetention(line, settings, (error) => {
            throw error
          })
          await house.close()
          const ages = async (table: string) =>
            (
              await sql<{ ago: number }>`select (now() at time zone 'utc')::date - day as ago
                from ${sql.table(table)}`.execute(line)
            ).rows.map(({ ago }) => ago)
          return [await ages('release_error_people'), await ages('release_error_counts'), await ages('release_times')]
        } finally {
          await sql`select set_config('timezone', 'UTC', false)`.execute(line)
        }
      })
      expect(left).toEqual([[0], [30], [30]])
    },
  )

  it('looks again every hour', async () => {
    const { db } = server.deps
    const { user_id: userId } = await db.selectFrom('sessions').select('user_id').executeTakeFirstOrThrow()
    const add = () =>
      db
        .insertInto('challenges')
        .values({
          hash: 'over',
          purpose: 'MFA',
          user_id: userId,
          client_id: 'dmp-web',
          code_hash: null,
          expires_date: new Date(Date.now() - 48 * 3_600_000),
          used_date: null,
        })
        .execute()
    const timers = jest.spyOn(globalThis, 'setInterval')
    const house = startRetention(db, server.deps.settings, (error) => {
      throw error
    })
    const [again, ms] = timers.mock.lastCall ?? []
    timers.mockRestore()
    expect(ms).toBe(3_600_000)
    await house.close()
    await add()
    again?.()
    await house.close()
    expect((await counts()).challenges).toBe(0)
  })
})
