import { audit } from '@dmp/contract'
import type { AuditCheck } from '@dmp/contract/audit'
import { northClinic, southClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../testing/server.ts'
import type { Viewer } from '../../core/context.ts'
import type { Job } from '../../db/jobs.ts'
import { findLastCheck, runCheck } from './chainCheck.ts'
import { asOwner } from './chainInTests.ts'

let server: TestServer
let root: SignedIn
let admin: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[root, admin] = [await server.signIn('super_admin'), await server.signIn('admin')]
  await server.signIn('admin@south.example')
})
afterAll(() => server.close())

/** Asks as the screen does, until the walk is over. */
async function checkAs(viewer: SignedIn): Promise<AuditCheck> {
  expect((await viewer.call(audit.check, {})).status).toBe(200)
  for (let tries = 0; tries < 300; tries += 1) {
    const { check } = (await viewer.call(audit.getLastCheck, {})).data
    if (check && check.state !== 'running') return check
    await new Promise((again) => setTimeout(again, 20))
  }
  throw new Error('The walk did not end.')
}
const changeAddress = (chain: string, address: string) =>
  asOwner(server.deps.db, () =>
    server.deps.db.updateTable('audit').set({ address }).where('chain', '=', chain).where('position', '=', 1).execute(),
  )

describe('a check of the audit chain', () => {
  it('was never done at first, and is refused to those who may not ask for it [P01, P24]', async () => {
    expect((await admin.call(audit.getLastCheck, {})).data).toEqual({ check: null })
    for (const role of ['staff', 'sys_admin', 'service_user'] as const) {
      const viewer = await server.signIn(role)
      expect([(await viewer.call(audit.check, {})).status, (await viewer.call(audit.getLastCheck, {})).status]).toEqual(
        [403, 403],
      )
    }
  })

  it('says who asked for it, when it ended and over how much it went, and is recorded [P24]', async () => {
    const [whole, own] = [await checkAs(root), await checkAs(admin)]
    expect(whole).toMatchObject({
      state: 'intact',
      isWhole: true,
      breaks: [],
      finishedAt: expect.any(String) as unknown,
    })
    expect(own).toMatchObject({ state: 'intact', isWhole: false, chains: 1, requestedBy: expect.stringContaining(' ') })
    expect([whole.chains, own.rows > 0, whole.rows > own.rows]).toEqual([3, true, true])
    expect((await root.call(audit.list, { event: 'AuditChecked' })).total).toBe(2)
  })

  it('names the first break to the provider, and to an organization only its own [P02, P24]', async () => {
    const [row] = await server.deps.db
      .selectFrom('audit')
      .select('address')
      .where('chain', '=', southClinic.id)
      .execute()
    await changeAddress(southClinic.id, '10.9.9.9')
    expect(await checkAs(root)).toMatchObject({
      state: 'broken',
      breakCount: 1,
      breaks: [
        {
          organization: southClinic.name,
          position: 1,
          text: 'Record 1 was changed after it was written, or was not written by this platform.',
        },
      ],
    })
    expect((await checkAs(admin)).state).toBe('intact')
    await changeAddress(southClinic.id, row?.address ?? '')
    await changeAddress(northClinic.id, '10.9.9.9')
    expect(await checkAs(admin)).toMatchObject({ state: 'broken', breaks: [{ organization: northClinic.name }] })
  })

  it('counts for nothing when somebody wrote its verdict into the database [P24]', async () => {
    expect((await checkAs(admin)).state).toBe('broken')
    await server.deps.db
      .updateTable('audit_checks')
      .set({ verdict: JSON.stringify({ chains: 1, rows: 1, heads: 0, breakCount: 0, breaks: [] }) })
      .execute()
    expect((await admin.call(audit.getLastCheck, {})).data.check).toMatchObject({ state: 'stopped', finishedAt: null })
  })

  it.each(['requested_date', 'finished_date', 'requested_by'] as const)(
    'counts for nothing when somebody changed its %s, so that an old one cannot pass for the newest [P24]',
    async (column) => {
      await checkAs(admin)
      const value = column === 'requested_by' ? root.userId : new Date(Date.now() + 2000)
      await server.deps.db
        .updateTable('audit_checks')
        .set({ [column]: value })
        .where('chain', '=', northClinic.id)
        .execute()
      expect((await admin.call(audit.getLastCheck, {})).data.check).toMatchObject({
        state: 'stopped',
        finishedAt: null,
      })
      await server.deps.db.deleteFrom('audit_checks').where('chain', '=', northClinic.id).execute()
    },
  )

  it('counts for nothing when its request was moved into the future before it was walked [P24]', async () => {
    const { db } = server.deps
    const { id } = await db
      .insertInto('audit_checks')
      .values({
        chain: northClinic.id,
        requested_by: admin.userId,
        finished_date: null,
        verdict: null,
        verdict_mac: null,
        key_id: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .updateTable('audit_checks')
      .set({ requested_date: new Date(Date.now() + 3_600_000) })
      .where('id', '=', id)
      .execute()
    await runCheck(server.deps, { id, signal: new AbortController().signal } as Job)
    expect((await admin.call(audit.getLastCheck, {})).data.check).toMatchObject({ finishedAt: null })
    await db.deleteFrom('audit_checks').where('id', '=', id).execute()
  })

  it('counts for nothing where it ended in the future, by more than clocks may differ [P24]', async () => {
    const { finishedAt } = await checkAs(admin)
    const viewer = { isInternal: false, organizationId: northClinic.id } as Viewer
    const stateAt = async (msBefore: number) => {
      const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse(finishedAt ?? '') - msBefore)
      const found = await findLastCheck(server.deps, viewer)
      now.mockRestore()
      return found?.state
    }
    expect([await stateAt(5 * 60_000), await stateAt(5 * 60_000 + 1)]).toEqual(['broken', 'stopped'])
  })

  it('is done once: a job that comes again leaves what was found [P19, P24]', async () => {
    const { finishedAt } = await checkAs(admin)
    const { db } = server.deps
    const ids = await db.selectFrom('audit_checks').select('id').where('finished_date', 'is not', null).execute()
    for (const { id } of ids) await runCheck(server.deps, { id, signal: new AbortController().signal } as Job)
    expect((await admin.call(audit.getLastCheck, {})).data.check?.finishedAt).toBe(finishedAt)
  })

  it('is forgotten after a year, when somebody checks again', async () => {
    const { db } = server.deps
    const monthsAgo = (months: number) => sql<Date>`now() - make_interval(months => ${months}::int)`
    const unfinished = { finished_date: null, verdict: null, verdict_mac: null, key_id: null }
    const values = { chain: southClinic.id, requested_by: admin.userId, ...unfinished }
    for (const months of [13, 11])
      await db
        .insertInto('audit_checks')
        .values({ ...values, rows_walked: months, requested_date: monthsAgo(months), progress_date: monthsAgo(months) })
        .execute()
    await checkAs(admin)
    const kept = await db.selectFrom('audit_checks').select('rows_walked').where('chain', '=', southClinic.id).execute()
    expect(kept.map(({ rows_walked: months }) => months)).toEqual([11])
  })

  it('is begun once, however often it is asked for at the same time [P19]', async () => {
    const { db, jobs } = server.deps
    const countChecks = async () => (await db.selectFrom('audit_checks').select('id').execute()).length
    const before = await countChecks()
    // A walk of so few rows could be over before the last of the requests is read, which may begin another then.
    const add = jest.spyOn(jobs, 'add').mockResolvedValue()
    await Promise.all(Array.from({ length: 6 }, () => admin.call(audit.check, {})))
    expect(add).toHaveBeenCalledTimes(1)
    add.mockRestore()
    expect(await countChecks()).toBe(before + 1)
    expect((await admin.call(audit.getLastCheck, {})).data.check?.state).toBe('running')
  })
})
