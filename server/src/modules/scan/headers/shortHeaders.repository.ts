import { sql, type Transaction } from 'kysely'
import type { Db, Source } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import { readingLimits } from '../../../dicom/limits.ts'
import { shortMark } from '../../../dicom/packedHeader.ts'
import type { CommonHeader } from '../intake/sealedHeaders.ts'

export interface SeriesKey {
  readonly organizationId: string
  readonly seriesUID: string
}

/** The tables that hold headers: what is stored, and what lies in the bin. */
export const headerTables = ['instances', 'bin_instances'] as const
export type HeaderTable = (typeof headerTables)[number]

/** Of a column `header`. */
export const isShort = sql<boolean>`substring(header from 1 for 1) = ${Buffer.of(shortMark)}::bytea`

/** Longer ones gain little and are rare: they stay whole. */
const mostHeaderBytes = 64 * 1024
const rowsAtOnce = 200
/** The search for them goes on with the next series after so many. */
const seriesAtOnce = 200

export interface WaitingSeries extends SeriesKey {
  readonly images: number
}

/** Series of which an image came or went since their headers were gone through, in the order of their keys. */
export async function listWaiting(db: Source, after: SeriesKey | undefined): Promise<readonly WaitingSeries[]> {
  const { rows } = await sql<WaitingSeries>`
    select n.organization_id as "organizationId", n.series_uid as "seriesUID", n.images
    from series_image_counts n
    left join series_headers c on c.organization_id = n.organization_id and c.series_uid = n.series_uid
    where n.images > 1 and c.images is distinct from n.images
      ${after ? sql`and (n.organization_id, n.series_uid) > (${after.organizationId}::uuid, ${after.seriesUID})` : sql``}
    order by n.organization_id, n.series_uid limit ${seriesAtOnce}`.execute(db)
  return rows
}

/** Series that have, or had, headers in common, in the order of their keys. */
export async function listShortened(db: Source, after: SeriesKey | undefined): Promise<readonly SeriesKey[]> {
  const { rows } = await sql<SeriesKey>`
    select organization_id as "organizationId", series_uid as "seriesUID" from series_headers
    ${after ? sql`where (organization_id, series_uid) > (${after.organizationId}::uuid, ${after.seriesUID})` : sql``}
    order by organization_id, series_uid limit ${seriesAtOnce}`.execute(db)
  return rows
}

/** Those whose series is neither stored nor in the bin: of two that emptied the bin at once, none saw the end of it. */
export async function listForgotten(db: Source, after: SeriesKey | undefined): Promise<readonly SeriesKey[]> {
  const { rows } = await sql<SeriesKey>`
    select organization_id as "organizationId", series_uid as "seriesUID" from series_headers c
    where not exists (select from series s where s.organization_id = c.organization_id and s.series_uid = c.series_uid)
      and not exists (select from bin_entries e
        where e.organization_id = c.organization_id and e.series_uid = c.series_uid)
      ${after ? sql`and (organization_id, series_uid) > (${after.organizationId}::uuid, ${after.seriesUID})` : sql``}
    order by organization_id, series_uid limit ${seriesAtOnce}`.execute(db)
  return rows
}

/** Whether an image came within the last minutes. */
export async function isGrowing(db: Db, { organizationId, seriesUID }: SeriesKey, minutes: number): Promise<boolean> {
  const { rows } = await sql<{ isGrowing: boolean | null }>`
    select max(created_date) > now() - make_interval(mins => ${minutes}::int) as "isGrowing" from instances
    where organization_id = ${organizationId} and series_uid = ${seriesUID}`.execute(db)
  return rows[0]?.isGrowing ?? false
}

export interface HeaderRow {
  readonly sop_instance_uid: string
  readonly instance_number: number
  readonly object_key: string
  readonly header: Uint8Array
  readonly key_id: string | null
}

/** Headers of a series that are whole, or those that are short, in the order of the images. */
export async function listHeaders(
  db: Db,
  { organizationId, seriesUID }: SeriesKey,
  which: 'whole' | 'short',
  after: HeaderRow | undefined,
): Promise<readonly HeaderRow[]> {
  const { rows } = await sql<HeaderRow>`
    select sop_instance_uid, instance_number, object_key, header, key_id from (
      select found.*, sum(octet_length(header)) over (order by instance_number, sop_instance_uid) as bytes from (
        select sop_instance_uid, instance_number, object_key, header, key_id from instances
        where organization_id = ${organizationId} and series_uid = ${seriesUID}
          and octet_length(header) <= ${mostHeaderBytes} and ${which === 'short' ? isShort : sql`not (${isShort})`}
          ${after ? sql`and (instance_number, sop_instance_uid) > (${after.instance_number}, ${after.sop_instance_uid})` : sql``}
        order by instance_number, sop_instance_uid limit ${rowsAtOnce}
      ) found
    ) page where bytes - octet_length(header) < ${readingLimits.headerPageBytes}
    order by instance_number, sop_instance_uid`.execute(db)
  return rows
}

/** Short headers of a series in the bin. */
export async function listBinned(db: Db, { organizationId, seriesUID }: SeriesKey): Promise<readonly HeaderRow[]> {
  const { rows } = await sql<HeaderRow>`
    select sop_instance_uid, instance_number, object_key, header, key_id from bin_instances
    where entry_id in (select id from bin_entries
      where organization_id = ${organizationId} and series_uid = ${seriesUID}) and ${isShort}
    order by sop_instance_uid limit ${rowsAtOnce}`.execute(db)
  return rows
}

/** What the headers of a series have in common; empty where that is nothing. */
export async function findCommonHeader(
  db: Db,
  { organizationId, seriesUID }: SeriesKey,
): Promise<CommonHeader | undefined> {
  return db
    .selectFrom('series_headers')
    .select(['common', 'key_id'])
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', seriesUID)
    .executeTakeFirst()
}

/** Whether it is there still, or was not there and is now: until the end of the transaction nobody removes it. */
export async function holdCommonHeader(
  trx: Transaction<Tables>,
  { organizationId, seriesUID }: SeriesKey,
  { common, key_id }: CommonHeader,
): Promise<boolean> {
  await sql`insert into series_headers (organization_id, series_uid, common, key_id, images)
    values (${organizationId}::uuid, ${seriesUID}, ${Buffer.from(common)}::bytea, ${key_id}::uuid, 0)
    on conflict (organization_id, series_uid) do update set common = excluded.common, key_id = excluded.key_id
      where octet_length(series_headers.common) = 0`.execute(trx)
  const row = await trx
    .selectFrom('series_headers')
    .select('common')
    .where('organization_id', '=', organizationId)
    .where('series_uid', '=', seriesUID)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined && Buffer.compare(row.common, common) === 0
}

export interface HeaderChange {
  readonly row: HeaderRow
  readonly header: Uint8Array
}

/**
 * Writes headers anew, but none that somebody else wrote meanwhile, nor of an image that is gone. They are locked in
 * the order of every upload.
 */
export async function replaceHeaders(
  trx: Transaction<Tables>,
  table: HeaderTable,
  organizationId: string,
  changes: readonly HeaderChange[],
): Promise<void> {
  const next = changes.map(({ row, header }) => ({
    uid: row.sop_instance_uid,
    key: row.object_key,
    key_id: row.key_id,
    bytes: row.header.length,
    header: Buffer.from(header).toString('base64'),
  }))
  await sql`with next as (
      select * from jsonb_to_recordset(${JSON.stringify(next)}::jsonb)
        as next (uid text, key text, key_id uuid, bytes int, header text)),
    held as materialized (
      select i.sop_instance_uid, i.object_key, next.header from next
      join ${sql.table(table)} i on i.organization_id = ${organizationId} and i.sop_instance_uid = next.uid
        and i.object_key = next.key and i.key_id is not distinct from next.key_id
        and octet_length(i.header) = next.bytes
      order by i.sop_instance_uid for update of i)
    update ${sql.table(table)} i set header = decode(held.header, 'base64') from held
    where i.organization_id = ${organizationId} and i.sop_instance_uid = held.sop_instance_uid
      and i.object_key = held.object_key`.execute(trx)
}

/** The headers of a series with so many images have been gone through. */
export async function markGoneThrough(db: Db, { organizationId, seriesUID, images }: WaitingSeries): Promise<void> {
  await sql`insert into series_headers (organization_id, series_uid, common, images)
    values (${organizationId}::uuid, ${seriesUID}, ''::bytea, ${images}::int)
    on conflict (organization_id, series_uid) do update set images = excluded.images`.execute(db)
}

/**
 * Once images are gone: removes what no header lacks any more, and has the other series gone through again, because
 * as many images may come anew. Whoever shortens a header holds what it lacks: that is locked first, and looked at
 * afterwards, so that what was shortened meanwhile is seen.
 */
export async function removeUnusedCommon(
  trx: Transaction<Tables>,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<void> {
  const uids = sql`${[...seriesUIDs]}::text[]`
  const { rows } = await sql`select from series_headers where organization_id = ${organizationId}
    and series_uid = any(${uids}) order by series_uid for update`.execute(trx)
  if (rows.length === 0) return
  await sql`delete from series_headers c where organization_id = ${organizationId} and series_uid = any(${uids})
    and not exists (select from instances i
      where i.organization_id = c.organization_id and i.series_uid = c.series_uid and ${isShort})
    and not exists (select from bin_entries e join bin_instances b on b.entry_id = e.id
      where e.organization_id = c.organization_id and e.series_uid = c.series_uid and ${isShort})`.execute(trx)
  await sql`update series_headers set images = 0 where organization_id = ${organizationId}
    and series_uid = any(${uids}) and images <> 0`.execute(trx)
}
