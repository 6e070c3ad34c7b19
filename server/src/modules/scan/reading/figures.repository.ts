import { limits, type Answer, type scan } from '@dmp/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { hasQuota, quotaBytes, type QuotaSettings } from '../intake/quota.ts'
import type { Datastore } from '../scan.repository.ts'
import { isShareOpen } from '../sharing/shareExpiry.ts'

const days = 14
const daysOfModalities = 7
const mostModalities = 8

/**
 * What arrived lately. The newest studies are read through their index by arrival, as many as are counted at most:
 * however much an organization has, a figure costs what the last days brought.
 */
export async function getArrivals(
  db: Db,
  { organizationId }: Datastore,
  timeZone = 'UTC',
): Promise<Answer<typeof scan.getArrivals>> {
  const most = limits.countedArrivals
  const { rows } = await sql<{ kind: string; name: string; studies: number }>`
    with today as (select (now() at time zone ${timeZone}::text)::date as day),
    counted as materialized (
      select (m.arrived_date at time zone ${timeZone}::text)::date as day, m.modalities from study_summaries m
      where m.organization_id = ${organizationId}
        and m.arrived_date >= (select (day - ${days - 1}::int)::timestamp at time zone ${timeZone}::text from today)
      order by m.arrived_date desc, m.study_uid desc limit ${most + 1}::int)
    select 'all' as kind, '' as name, count(*)::int as studies from counted
    union all select 'day', to_char(known.day, 'YYYY-MM-DD'), count(counted.day)::int
      from (select day - back as day from today, generate_series(0, ${days - 1}::int) back) known
      left join counted on counted.day = known.day group by known.day
    union all select 'modality', modality, count(*)::int from counted, today, unnest(counted.modalities) modality
      where counted.day > today.day - ${daysOfModalities}::int group by modality`.execute(db)
  const of = (wanted: string) => rows.filter(({ kind }) => kind === wanted)
  return {
    days: of('day')
      .map(({ name, studies }) => ({ day: name, studies }))
      .sort((a, b) => (a.day < b.day ? -1 : 1)),
    modalities: of('modality')
      .map(({ name, studies }) => ({ modality: name, studies }))
      .sort((a, b) => b.studies - a.studies || (a.modality < b.modality ? -1 : 1))
      .slice(0, mostModalities),
    isMore: (of('all')[0]?.studies ?? 0) > most,
  }
}

/** The share links by which somebody may look. One that is used up ends with the visits to it, within hours. */
export async function countShares(db: Db, { organizationId }: Datastore): Promise<Answer<typeof scan.countShares>> {
  const most = limits.countedRows
  const { rows } = await sql<{ open: number; end_soon: number; unopened: number }>`select count(*)::int as open,
      count(*) filter (where expire_date <= now() + interval '1 day' or uses >= max_uses)::int as end_soon,
      count(*) filter (where uses = 0)::int as unopened
    from (select expire_date, uses, max_uses from scan_shares where organization_id = ${organizationId}
      and ${isShareOpen}
      order by expire_date limit ${most + 1}::int) working`.execute(db)
  const { open = 0, end_soon: endSoon = 0, unopened = 0 } = rows[0] ?? {}
  return { open: Math.min(open, most), endSoon, unopened, isMore: open > most }
}

/** How much an organization stores. */
export async function getStorage(
  db: Db,
  settings: QuotaSettings,
  { organizationId }: Datastore,
): Promise<Answer<typeof scan.getStorage>> {
  const totals = await db
    .selectFrom('scan_totals')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  const bin = await db
    .selectFrom('bin_totals')
    .select('byte_size')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  const binBytes = Number(bin?.byte_size ?? 0)
  const stored = {
    scans: totals?.series ?? 0,
    images: Number(totals?.instances ?? 0),
    bytes: Number(totals?.byte_size ?? 0),
    ...(binBytes > 0 && { binBytes }),
  }
  if (!hasQuota(settings)) return stored
  const pictures = await db
    .selectFrom('complaint_picture_totals')
    .select('byte_size')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  return { ...stored, quotaBytes: quotaBytes(settings), complaintBytes: Number(pictures?.byte_size ?? 0) }
}
