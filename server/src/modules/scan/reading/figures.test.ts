import { limits, scan } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { sql } from 'kysely'
import { startServer, type SignedIn, type TestServer } from '../../../testing/server.ts'
import { storeStudies } from '../sharing/shareInTests.ts'

let server: TestServer
let staff: SignedIn
let south: SignedIn
beforeAll(async () => {
  server = await startServer()
  ;[staff, south] = await Promise.all([server.signIn('staff'), server.signIn('admin@south.example')])
  await storeStudies(server, staff, '1.531', 'Day^A')
  await storeStudies(server, staff, '1.532', 'Day^B')
  await storeStudies(server, south, '1.533', 'Day^C')
})
afterAll(() => server.close())

const arrive = (study: string, ago: string) =>
  sql`update study_summaries set arrived_date = now() - ${ago}::interval where study_uid = ${study}`.execute(
    server.deps.db,
  )
const sumOf = (days: readonly { readonly studies: number }[]): number =>
  days.reduce((sum, { studies }) => sum + studies, 0)

describe('arrivals', () => {
  it.each(['Pacific/Kiritimati', 'Asia/Kathmandu', 'UTC', 'Pacific/Pago_Pago'])(
    'are as many each day as the worklist then lists, in the days of %s [P53]',
    async (timeZone) => {
      await arrive('1.531.2', '25 hours')
      await arrive('1.532.1', '6 days')
      await arrive('1.532.2', '20 days')
      const { days, modalities, isMore } = (await staff.call(scan.getArrivals, { timeZone })).data
      expect(days).toHaveLength(14)
      expect(days.map(({ day }) => day)).toEqual(days.map(({ day }) => day).toSorted())
      for (const { day, studies } of days) {
        const listed = await staff.call(scan.countStudies, { receivedFrom: day, receivedTo: day, timeZone })
        expect(listed.data.count).toBe(studies)
      }
      expect(sumOf(days)).toBe(3)
      const week = { receivedFrom: days.at(-7)?.day ?? '', receivedTo: days.at(-1)?.day ?? '', timeZone }
      expect(modalities.map(({ modality }) => modality)).toEqual(['CT', 'MR'])
      for (const { modality, studies } of modalities)
        expect((await staff.call(scan.countStudies, { ...week, modality })).data.count).toBe(studies)
      expect(isMore).toBe(false)
    },
  )

  it.each(['Pacific/Kiritimati', 'Asia/Kathmandu', 'UTC', 'Pacific/Pago_Pago'])(
    'begin with the first moment of the oldest day, and not before it, in %s [P53]',
    async (timeZone) => {
      for (const study of ['1.531.1', '1.531.2', '1.532.1', '1.532.2']) await arrive(study, '20 days')
      const [oldest] = (await staff.call(scan.getArrivals, { timeZone })).data.days
      const arriveAt = (study: string, later: string) =>
        sql`update study_summaries set arrived_date =
          (${oldest?.day}::date::timestamp at time zone ${timeZone}::text) + ${later}::interval
          where study_uid = ${study}`.execute(server.deps.db)
      await arriveAt('1.531.1', '0 seconds')
      await arriveAt('1.531.2', '-1 milliseconds')
      const { days } = (await staff.call(scan.getArrivals, { timeZone })).data
      expect(days[0]).toEqual({ day: oldest?.day, studies: 1 })
      expect(sumOf(days)).toBe(1)
    },
  )

  it('are those of the own organization, and of no other [P02, P53]', async () => {
    expect(sumOf((await south.call(scan.getArrivals, {})).data.days)).toBe(2)
    expect((await south.call(scan.getArrivals, { organizationId: northClinic.id })).status).toBe(404)
  })

  it('are refused in a time zone that there is not', async () => {
    expect((await staff.call(scan.getArrivals, { timeZone: "Mars/'; select 1" })).status).toBe(400)
  })

  it('stop at a number however many came, and say so [P53]', async () => {
    const organizationId = await server.organizationOf(south)
    const count = limits.countedArrivals + 50
    const { db } = server.deps
    await sql`insert into studies (organization_id, study_uid, patient_id, patient_name, study_date, accession_number,
        attributes) select ${organizationId}, '1.534.' || i, '', '', '', '', '{}'
      from generate_series(1, ${count}::int) i`.execute(db)
    await sql`insert into study_summaries (organization_id, study_uid, patient_name, patient_id, study_date,
        description, modalities, body_parts, sources, compatible_saas, series, arrived_date, words)
      select ${organizationId}, '1.534.' || i, '', '', '', '', '{CT}', '{}', '{}', '{}', 1, now(), ''
      from generate_series(1, ${count}::int) i`.execute(db)
    const { days, isMore } = (await south.call(scan.getArrivals, {})).data
    expect(isMore).toBe(true)
    expect(sumOf(days)).toBe(limits.countedArrivals + 1)
  })
})

describe('share links', () => {
  it('are counted while they work, not when revoked, used up or over [P53]', async () => {
    const organizationId = await server.organizationOf(staff)
    const share = async (change: string): Promise<void> => {
      const made = await staff.call(scan.share, { organizationId, seriesUID: '1.531.1.1', expireInDay: 7 })
      expect(made.status).toBe(200)
      await sql`update scan_shares set ${sql.raw(change)}
        where created_date = (select max(created_date) from scan_shares)`.execute(server.deps.db)
    }
    expect((await staff.call(scan.countShares, {})).data).toEqual({ open: 0, endSoon: 0, unopened: 0, isMore: false })
    await share('uses = 0')
    await share('uses = 2, max_uses = 3')
    await share("expire_date = now() + interval '2 hours'")
    await share("expire_date = now() - interval '1 minute'")
    await share('revoked_date = now()')
    await share('uses = 1, max_uses = 1')
    expect((await staff.call(scan.countShares, {})).data).toEqual({ open: 3, endSoon: 1, unopened: 2, isMore: false })
    expect((await south.call(scan.countShares, {})).data.open).toBe(0)
  })

  it('are not counted while whoever made them is deactivated: nobody can open them [P25, P53]', async () => {
    const admin = await server.signIn('admin')
    const ofStaff = (status: string) =>
      sql`update users set status = ${status} where id = ${staff.userId}`.execute(server.deps.db)
    await ofStaff('Deactivated')
    expect((await admin.call(scan.countShares, {})).data).toEqual({ open: 0, endSoon: 0, unopened: 0, isMore: false })
    await ofStaff('Activated')
    expect((await admin.call(scan.countShares, {})).data.open).toBe(3)
  })
})

it('says what there is room for, with the pictures of complaints, where there is a bound [P53]', async () => {
  expect((await staff.call(scan.getStorage, {})).data).not.toHaveProperty('quotaBytes')
  const bounded = await startServer({ DMP_ORGANIZATION_QUOTA_GB: '2' })
  try {
    const { data } = await (await bounded.signIn('staff')).call(scan.getStorage, {})
    expect(data).toEqual({ scans: 0, images: 0, bytes: 0, quotaBytes: 2 * 2 ** 30, complaintBytes: expect.any(Number) })
    expect(data.complaintBytes).toBeGreaterThan(0)
  } finally {
    await bounded.close()
  }
})
