import type { ChangeKind } from '@dmp/contract/changes'
import { sql } from 'kysely'
import type { Source } from './client.ts'
import { prepared } from './prepared.ts'

/** What programs are told of a series: ids and a number, nobody's name. */
export interface ScanChange {
  readonly kind: ChangeKind
  readonly studyUID: string
  readonly seriesUID: string
  /** How many the series has by now. */
  readonly instances: number
}

/**
 * Numbers changes and writes them down, at the end of the transaction of what they tell: its organization's feed is
 * locked until the commit, so that numbers appear in their order and none behind a greater one. Everything else is
 * locked after the feed.
 *
 * While a series goes on growing there is one change that says so: it moves to the end each time, because a series that
 * arrives image by image would otherwise fill the feed.
 */
export async function recordChanges(
  source: Source,
  organizationId: string,
  changes: readonly ScanChange[],
): Promise<void> {
  if (changes.length === 0) return
  await writeChanges(source, [
    organizationId,
    changes.length,
    ...(['kind', 'studyUID', 'seriesUID', 'instances'] as const).map((name) => changes.map((change) => change[name])),
  ])
}

const writeChanges = prepared(`
  with feed as (
    insert into change_feeds (organization_id, last_number) values ($1, $2::int)
      on conflict (organization_id) do update set last_number = change_feeds.last_number + excluded.last_number
      returning organization_id, last_number - $2::int as first_number),
  given as (
    select feed.organization_id, feed.first_number + place as number, kind, study_uid, series_uid, instances
    from feed, unnest($3::text[], $4::text[], $5::text[], $6::int[])
      with ordinality as named (kind, study_uid, series_uid, instances, place)),
  moved as (
    delete from changes using given, growing_series grown
      where given.kind = 'SeriesGrown' and grown.organization_id = given.organization_id
        and grown.series_uid = given.series_uid and changes.organization_id = grown.organization_id
        and changes.number = grown.grown_number),
  ended as (
    delete from growing_series using given
      where given.kind = 'SeriesDeleted' and growing_series.organization_id = given.organization_id
        and growing_series.series_uid = given.series_uid),
  growing as (
    insert into growing_series (organization_id, series_uid, study_uid, changed_date, grown_number)
      select organization_id, series_uid, study_uid, clock_timestamp(),
        case kind when 'SeriesGrown' then number end
      from given where kind in ('SeriesCreated', 'SeriesGrown')
      on conflict (organization_id, series_uid) do update set
        changed_date = excluded.changed_date,
        grown_number = coalesce(excluded.grown_number, growing_series.grown_number))
  insert into changes (organization_id, number, kind, study_uid, series_uid, instances)
    select organization_id, number, kind, study_uid, series_uid, instances from given order by number`)

/** Tells of series to which nothing was added for so long; returns the organizations that have such. */
export async function recordQuiet(db: Source, quietSeconds: number): Promise<string[]> {
  const pause = sql`make_interval(secs => ${quietSeconds})`
  // A time to come is one from before the clock was set back.
  const isQuiet = sql<boolean>`(growing.changed_date <= now() - ${pause} or growing.changed_date > now() + ${pause})`
  const { rows: due } = await sql<{ organization_id: string }>`
    select distinct organization_id from growing_series growing where ${isQuiet}`.execute(db)
  for (const { organization_id: organizationId } of due)
    await db.transaction().execute(async (trx) => {
      await trx
        .selectFrom('change_feeds')
        .select('last_number')
        .where('organization_id', '=', organizationId)
        .forUpdate()
        .execute()
      // What arrived while the feed was waited for is judged by what it says now.
      const { rows } = await sql<{ study_uid: string; series_uid: string; instances: number }>`
        with quiet as (
          delete from growing_series growing where organization_id = ${organizationId} and ${isQuiet}
            returning organization_id, series_uid)
        select series.study_uid, series.series_uid, series.instances
        from quiet join series using (organization_id, series_uid) order by series.series_uid`.execute(trx)
      await recordChanges(
        trx,
        organizationId,
        rows.map((row) => ({
          kind: 'SeriesQuiet',
          studyUID: row.study_uid,
          seriesUID: row.series_uid,
          instances: row.instances,
        })),
      )
    })
  return due.map((row) => row.organization_id)
}

/** Deletes what is older, and keeps in mind up to where. */
export const forgetChanges = (days: number) => sql`
  with feed as (
    select organization_id from change_feeds where exists (select 1 from changes
      where changes.organization_id = change_feeds.organization_id
        and changes.created_date < now() - make_interval(days => ${days}))
    order by organization_id for update),
  gone as (
    delete from changes using feed where changes.organization_id = feed.organization_id
      and changes.created_date < now() - make_interval(days => ${days})
    returning changes.organization_id, changes.number, changes.created_date),
  newest as (select organization_id, max(number) as number, max(created_date) as date from gone group by 1)
  update change_feeds set forgotten_number = greatest(forgotten_number, newest.number),
    forgotten_date = greatest(forgotten_date, newest.date)
  from newest where newest.organization_id = change_feeds.organization_id`
