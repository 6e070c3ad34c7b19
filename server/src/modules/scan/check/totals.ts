import { sql, type Transaction } from 'kysely'
import type { Tables } from '../../../db/tables/index.ts'
import type { Db } from '../../../db/client.ts'
import type { Writer } from '../../../db/write.ts'
import type { Report } from './storedBytes.ts'

/** Series whose counts differ from their instances. */
const wrongSeries = sql<{ organization_id: string; series_uid: string }>`
  select s.organization_id, s.series_uid from series s
  left join (select organization_id, series_uid, count(*) as instances, sum(images) as images
    from instances group by 1, 2) i using (organization_id, series_uid)
  where s.instances <> coalesce(i.instances, 0) or s.images <> coalesce(i.images, 0)`

/** Organizations whose totals differ from their rows. */
const wrongTotals = sql<{ organization_id: string }>`
  select t.organization_id from scan_totals t
  left join (select organization_id, count(*) as series from series group by 1) s using (organization_id)
  left join (select organization_id, count(*) as instances, sum(byte_size) as bytes
    from instances group by 1) i using (organization_id)
  where t.series <> coalesce(s.series, 0) or t.instances <> coalesce(i.instances, 0)
    or t.byte_size <> coalesce(i.bytes, 0)
  union select t.organization_id from bin_totals t
  left join (select organization_id, sum(byte_size) as bytes from bin_entries group by 1) b using (organization_id)
  where t.byte_size <> coalesce(b.bytes, 0)`

const emptyStudies = sql<{ organization_id: string; study_uid: string }>`
  select organization_id, study_uid from studies s where not exists (select 1 from series e
    where e.organization_id = s.organization_id and e.study_uid = s.study_uid)
    and not exists (select 1 from instances i
    where i.organization_id = s.organization_id and i.study_uid = s.study_uid)`

interface TotalsCheck {
  readonly db: Db
  readonly write: Writer
  readonly repairs: boolean
  readonly report: Report
}

const context = { request: { id: 'fsck', ip: 'this machine' } } as const

/**
 * Compares the counts of series and organizations with what is counted. Each is counted again in the transaction that
 * mends it, because uploads go on meanwhile.
 */
export async function checkTotals({ db, write, repairs, report }: TotalsCheck): Promise<void> {
  for (const { organization_id, series_uid } of (await wrongSeries.execute(db)).rows) {
    if (repairs)
      await write(context, async ({ trx, audit }) => {
        await recountSeries(trx, organization_id, series_uid)
        await audit({ event: 'StoreRepaired', organizationId: organization_id, subject: { seriesUID: series_uid } })
      })
    report({
      kind: 'wrong count',
      what: `series ${series_uid} of organization ${organization_id}`,
      isRepaired: repairs,
    })
  }
  for (const { organization_id, study_uid } of (await emptyStudies.execute(db)).rows)
    report({
      kind: 'wrong count',
      what: `study ${study_uid} of organization ${organization_id} is empty`,
      isRepaired: false,
    })
  for (const { organization_id } of (await wrongTotals.execute(db)).rows) {
    if (repairs)
      await write(context, async ({ trx, audit }) => {
        await recountTotals(trx, organization_id)
        await audit({ event: 'StoreRepaired', organizationId: organization_id, subject: { totals: true } })
      })
    report({ kind: 'wrong count', what: `totals of organization ${organization_id}`, isRepaired: repairs })
  }
}

async function recountSeries(trx: Transaction<Tables>, organizationId: string, seriesUID: string): Promise<void> {
  // Uploads into the series change its row last, and wait for this one.
  await sql`select 1 from series where organization_id = ${organizationId} and series_uid = ${seriesUID}
    for update`.execute(trx)
  await sql`update series s set (instances, images) = (select count(*)::int, coalesce(sum(i.images), 0)::int
      from instances i where i.organization_id = s.organization_id and i.series_uid = s.series_uid)
    where organization_id = ${organizationId} and series_uid = ${seriesUID}`.execute(trx)
}

async function recountTotals(trx: Transaction<Tables>, organizationId: string): Promise<void> {
  await sql`select 1 from scan_totals where organization_id = ${organizationId} for update`.execute(trx)
  await sql`update scan_totals set
      series = (select count(*) from series where organization_id = ${organizationId}),
      instances = (select count(*) from instances where organization_id = ${organizationId}),
      byte_size = (select coalesce(sum(byte_size), 0) from instances where organization_id = ${organizationId})
    where organization_id = ${organizationId}`.execute(trx)
  await sql`select 1 from bin_totals where organization_id = ${organizationId} for update`.execute(trx)
  await sql`update bin_totals set
      byte_size = (select coalesce(sum(byte_size), 0) from bin_entries where organization_id = ${organizationId})
    where organization_id = ${organizationId}`.execute(trx)
}
