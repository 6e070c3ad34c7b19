import type { Change, ChangeKind, ChangePage } from '@dmp/contract/changes'
import { sql, type RawBuilder } from 'kysely'
import { Refusal } from '../../core/errors.ts'
import type { Db } from '../../db/client.ts'

interface Asked {
  readonly since?: string | undefined
  readonly kinds?: readonly ChangeKind[] | undefined
  readonly pageSize: number
}

interface Row {
  readonly last_number: string
  readonly forgotten_number: string
  readonly forgotten_date: Date | null
  readonly start: string
  /** Where one read ends of the kinds that were asked for; null where it reaches the end. */
  readonly walked: string | null
  readonly number: string | null
  readonly kind: ChangeKind
  readonly created_date: Date
  readonly study_uid: string
  readonly series_uid: string
  readonly instances: number
  readonly modality: string | null
  readonly source: string | null
}

/** Changes that are read for one page of some kinds: there may be none of them for years (P18). */
export const changesRead = { most: 20_000 }

/**
 * A page of changes behind a cursor, or from a time on. One statement: what is forgotten between two would be missing
 * from the page, and nobody would know.
 */
export async function readChanges(db: Db, organizationId: string, asked: Asked): Promise<ChangePage> {
  const { kinds, pageSize } = asked
  const { cursor, date } = parseSince(asked.since)
  const start =
    date === undefined
      ? sql`coalesce(${cursor ?? null}::bigint, feed.last_number)`
      : sql`coalesce((${findFirstFrom(sql`feed.organization_id`, date)}) - 1, feed.last_number)`
  const rest = sql`from changes where changes.organization_id = feed.organization_id and changes.number > begin.start
    order by changes.number`
  const walked =
    kinds === undefined
      ? sql`null::bigint`
      : sql`(select changes.number ${rest} limit 1 offset ${changesRead.most - 1})`
  const { rows } = await sql<Row>`
    select feed.last_number, feed.forgotten_number, feed.forgotten_date, begin.start, ${walked} as walked, page.*
    from change_feeds feed
    cross join lateral (select ${start} as start) begin
    left join lateral (
      select c.number, c.kind, c.created_date, c.study_uid, c.series_uid, c.instances, series.modality, series.source
      from (select changes.* ${rest} limit ${kinds === undefined ? pageSize + 1 : changesRead.most}) c
      left join series on series.organization_id = c.organization_id and series.series_uid = c.series_uid
      where ${kinds === undefined} or c.kind = any(${kinds ?? []}::text[])
      order by c.number limit ${pageSize + 1}) page on true
    where feed.organization_id = ${organizationId} order by page.number`.execute(db)
  const [feed] = rows
  if (!feed) {
    // Nothing has happened yet.
    if (cursor !== undefined && cursor > 0) throw unknown()
    return { changes: [], next: '0', hasMore: false }
  }
  assertKept(feed, cursor, date)
  return toPage(rows, pageSize)
}

/** The first change from a time on. Whatever a clock that was set back wrote behind it is told as well. */
export const findFirstFrom = (organizationId: RawBuilder<unknown>, date: Date) => sql`
  select number from changes where organization_id = ${organizationId} and reached_date >= ${date}::timestamptz
  order by reached_date, number limit 1`

function parseSince(since: string | undefined): { readonly cursor?: number; readonly date?: Date } {
  if (since === undefined) return {}
  return /^\d+$/.test(since) ? { cursor: Number(since) } : { date: new Date(since) }
}

function assertKept(feed: Row, cursor: number | undefined, date: Date | undefined): void {
  const isForgotten = cursor !== undefined && cursor < Number(feed.forgotten_number)
  // Of another organization, or of a database that was restored since.
  const isUnknown = cursor !== undefined && cursor > Number(feed.last_number)
  if (isUnknown) throw unknown()
  const isTooEarly = date !== undefined && feed.forgotten_date !== null && date < feed.forgotten_date
  if (isForgotten || isTooEarly) throw gone(feed.forgotten_date)
}

function gone(from: Date | null): Refusal {
  const kept = from === null ? '' : ` Changes are kept from ${from.toISOString()} on.`
  return refuse(
    `The changes behind this cursor or time are not kept here (any more).${kept} ` +
      'Ask without since, read the scans once, and go on from the next of that answer.',
  )
}

/** A year alone reads as a cursor. */
const unknown = (): Refusal =>
  refuse(
    'This is not a cursor of this organization. ' +
      'Ask without since, read the scans once, and go on from the next of that answer. ' +
      'To begin at a time, write it as 2026-05-05T08:00:00Z: a number alone is a cursor.',
  )

const refuse = (sentence: string): Refusal =>
  new Refusal(410, 'CURSOR_GONE', sentence, [{ path: 'since', message: sentence }])

function toPage(rows: readonly Row[], pageSize: number): ChangePage {
  const found = rows.filter((row) => row.number !== null)
  const isFull = found.length > pageSize
  const changes = found.slice(0, pageSize).map(toChange)
  const last = changes.at(-1)
  const [feed] = rows
  const end = Math.max(Number(feed?.last_number ?? 0), Number(feed?.start ?? 0))
  if (isFull && last) return { changes, next: last.cursor, hasMore: true }
  // The driver of PostgreSQL gives text, the embedded database a number.
  const walked = Number(feed?.walked ?? end)
  return { changes, next: String(walked), hasMore: walked < end }
}

const toChange = (row: Row): Change => ({
  cursor: String(row.number),
  kind: row.kind,
  date: row.created_date.toISOString(),
  studyUID: row.study_uid,
  seriesUID: row.series_uid,
  instances: row.instances,
  modality: row.modality,
  source: row.source,
})
