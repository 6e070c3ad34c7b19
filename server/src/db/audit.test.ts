import { account, audit, email } from '@dmp/contract'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../testing/server.ts'
import { hashAuditRow } from './auditHash.ts'

let server: TestServer
let staff: SignedIn
beforeEach(async () => {
  server = await startServer()
  staff = await server.signIn('staff')
})
afterEach(() => server.close())

const rows = () => server.deps.db.selectFrom('audit').selectAll().orderBy('chain').orderBy('position').execute()
const wrong = () =>
  server.call(
    account.login,
    { ClientId: 'dmp-web', email: 'staff@north.example', password: 'wrong' },
    { remoteAddress: '10.7.7.7' },
  )

describe('the audit rows', () => {
  it('say who did what, from where, in which request [P24]', async () => {
    const reply = await wrong()
    const row = (await rows()).find((one) => one.event === 'SignInFailed')
    expect(row).toMatchObject({
      outcome: 'refused',
      actor_id: staff.userId,
      subject: { reason: 'wrong password' },
      address: '10.7.7.7',
      request_id: reply.raw.json<{ requestId: string }>().requestId,
    })
  })

  it.each([
    ['0', '10.9.9.9', '10.7.7.7'],
    ['1', '10.9.9.9', '10.9.9.9'],
    ['1', '10.1.1.1, 10.9.9.9', '10.9.9.9'],
  ])('say behind %s proxies that who came for %s came from %s [P24]', async (proxies, forwarded, address) => {
    const behind = await startServer({ DMP_TRUST_PROXY: proxies })
    await behind.call(
      account.login,
      { ClientId: 'dmp-web', email: 'staff@north.example', password: 'wrong' },
      { remoteAddress: '10.7.7.7', headers: { 'x-forwarded-for': forwarded } },
    )
    const row = await behind.deps.db
      .selectFrom('audit')
      .select('address')
      .where('event', '=', 'SignInFailed')
      .executeTakeFirst()
    await behind.close()
    expect(row?.address).toBe(address)
  })

  it('record a failed sign-in to no account without what was typed [P23, P24]', async () => {
    await server.call(account.login, {
      ClientId: 'dmp-web',
      email: 'typed-my-password@here.example',
      password: 'wrong',
    })
    const row = (await rows()).find((one) => one.event === 'SignInFailed')
    expect(row).toMatchObject({ actor_id: null, organization_id: null, chain: 'platform' })
    expect(JSON.stringify(await rows())).not.toContain('typed-my-password')
  })

  it('form an unbroken chain for each organization, also under parallel writing [P24]', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, n) => (n % 2 ? wrong() : server.signIn('admin'))))
    await server.signIn('admin@south.example')
    const chains = Map.groupBy(await rows(), (row) => row.chain)
    expect(chains.size).toBeGreaterThanOrEqual(2)
    for (const chain of chains.values()) {
      chain.forEach((row, index) => {
        expect(row.position).toBe(index + 1)
        expect(row.previous_hash).toBe(chain[index - 1]?.hash ?? '')
        expect(hashAuditRow(row, server.deps.keys.audit)).toBe(row.hash)
      })
    }
  })

  it('say of each, to whoever looks at it, whether it still stands where it was written [P24]', async () => {
    await server.signIn('staff')
    const admin = await server.signIn('admin')
    const mine = (await rows()).filter((row) => row.organization_id !== null && row.position > 1)
    expect(mine.length).toBeGreaterThan(0)
    for (const row of mine)
      expect((await admin.call(audit.get, { id: row.id })).data).toMatchObject({
        position: row.position,
        previousHash: row.previous_hash,
        isIntact: true,
      })
  })

  it('show a change of any field in the hash [P24]', async () => {
    const [row] = await rows()
    if (!row) throw new Error('no row')
    const changes = [
      { event: 'SignedOut' },
      { outcome: 'refused' as const },
      { actor_id: null },
      { subject: { other: 1 } },
      { at: new Date(0) },
      { address: 'x' },
      { position: 9 },
      { organization_id: null },
    ]
    for (const change of changes) expect(hashAuditRow({ ...row, ...change }, server.deps.keys.audit)).not.toBe(row.hash)
    const hashWith = (subject: Record<string, unknown>) => hashAuditRow({ ...row, subject }, server.deps.keys.audit)
    const subjects = [
      {},
      { a: 1 },
      { a: 2 },
      { a: '1' },
      { a: true },
      { a: null },
      { a: [] },
      { a: {} },
      { a: ['x', 'y'] },
      { a: ['y', 'x'] },
      { a: { b: 1 } },
      { b: { a: 1 } },
    ]
    expect(new Set(subjects.map(hashWith)).size).toBe(subjects.length)
    // The order of its parts is not kept with it, so it counts for nothing.
    expect(hashWith({ a: { c: 1, b: [2, null] }, d: 'x', e: undefined })).toBe(
      hashWith({ d: 'x', a: { b: [2, null], c: 1 } }),
    )
  })

  it.each([
    ['update', sql`update audit set event = 'SignedOut'`],
    ['delete', sql`delete from audit`],
    ['truncate', sql`truncate audit`],
  ])('cannot be changed by %s [P24]', async (_what, statement) => {
    await expect(statement.execute(server.deps.db)).rejects.toThrow('append-only')
  })

  it('are written or it did not happen: without its row a change is rolled back [P24]', async () => {
    await sql`alter table audit add constraint no_more check (event <> 'PreferencesChanged')`.execute(server.deps.db)
    const reply = await staff.call(account.updatePreferences, { mfaEnabled: true })
    expect([reply.status, reply.code, reply.message]).toEqual([
      500,
      'INTERNAL',
      'Something went wrong. Please try again later.',
    ])
    expect((await staff.call(account.getPreferences, {})).data).toEqual({ mfaEnabled: false })
  })

  it('are demanded of every write: one that records nothing is rolled back [P24]', async () => {
    const change = server.deps.write({ viewer: null, request: { id: 'x', ip: 'x' } }, ({ trx }) =>
      trx.updateTable('users').set({ first_name: 'Changed' }).execute(),
    )
    await expect(change).rejects.toThrow('without an audit row')
    expect(await server.deps.db.selectFrom('users').select('id').where('first_name', '=', 'Changed').execute()).toEqual(
      [],
    )
  })

  it('hold error reports without names, tokens and search terms [3.17, 7.39, P23]', async () => {
    const stackTrace = `TypeError at /scan?search=Doe%5EJohn of 1.2.840.113619.2.5.1 by anna@clinic.example ${staff.tokens.accessToken}\n  in DOE^JOHN ADAM\n^JOHN ADAM DOE\n  at App.tsx:1`
    expect(
      (
        await staff.call(email.sendApplicationError, {
          applicationName: 'DMP',
          applicationComponent: 'scan',
          version: 'v1.1.0',
          stackTrace,
        })
      ).status,
    ).toBe(200)
    const row = (await rows()).find((one) => one.event === 'ApplicationErrorReported')
    expect(row?.subject.stackTrace).toBe(
      'TypeError at /scan?[query] of [uid] by [email] [token]\n  in [name]\n[name]\n  at App.tsx:1',
    )
    expect(server.logs.join('')).not.toMatch(/DOE|ADAM|anna@clinic/)
  })

  it('give equal error reports one fingerprint, whatever the line numbers [7.39]', async () => {
    for (const line of [10, 2000])
      await staff.call(email.sendApplicationError, {
        applicationName: 'DMP',
        applicationComponent: 'scan',
        version: 'v1.1.0',
        stackTrace: `Error: x\n  at App.tsx:${line}`,
      })
    const prints = (await rows())
      .filter((row) => row.event === 'ApplicationErrorReported')
      .map((row) => row.subject.fingerprint)
    expect(new Set(prints).size).toBe(1)
    expect(prints).toHaveLength(2)
  })
})
