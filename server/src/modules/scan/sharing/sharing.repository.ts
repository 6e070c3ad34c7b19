import type { scan } from '@dmp/contract'
import { sql, type Insertable, type Selectable, type Transaction } from 'kysely'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { ScanShareTable } from '../../../db/tables/scan.ts'
import type { StoredScan } from '../scan.repository.ts'
import { isSharedByActiveUser, openUntilDate } from './shareExpiry.ts'

export type NewShare = Omit<Insertable<ScanShareTable>, 'blocked_until' | 'last_used_date' | 'revoked_date'>

/** Adds a link to the series of its row and to further ones; returns its id. */
export async function addShare(
  trx: Transaction<Tables>,
  alsoSeriesUIDs: readonly string[],
  share: NewShare,
): Promise<string> {
  const { id } = await trx
    .insertInto('scan_shares')
    .values({ ...share, blocked_until: null, last_used_date: null, revoked_date: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (alsoSeriesUIDs.length > 0)
    await trx
      .insertInto('scan_share_series')
      .values(
        alsoSeriesUIDs.map((seriesUID) => ({
          share_id: id,
          organization_id: share.organization_id,
          series_uid: seriesUID,
        })),
      )
      .execute()
  return id
}

const visitsListed = 20

/** Links that open a scan, the newest first, with those that no longer work. */
export async function listShares(db: Db, { store, series }: StoredScan): Promise<scan.ShareLink[]> {
  const rows = await db
    .selectFrom('scan_shares')
    .innerJoin('shared_series', 'shared_series.share_id', 'scan_shares.id')
    .selectAll('scan_shares')
    .select([
      countScans.as('scans'),
      sql<boolean>`not ${isSharedByActiveUser}`.as('is_paused'),
      openUntilDate.as('open_until_date'),
    ])
    .where('shared_series.organization_id', '=', store.organizationId)
    .where('shared_series.series_uid', '=', series.series_uid)
    .orderBy('created_date', 'desc')
    .orderBy('id')
    .execute()
  const visits = await listVisits(
    db,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => toShare(row, visits.get(row.id) ?? []))
}

const countScans = sql<number>`(select count(*)::int from shared_series s where s.share_id = scan_shares.id)`

/** The newest visits of each link. */
async function listVisits(db: Db, shareIds: readonly string[]): Promise<Map<string, scan.ShareLink['visits']>> {
  const { rows } = await sql<{ share_id: string; opened_date: Date; email: string | null }>`
    select visit.share_id, visit.opened_date, visit.email from unnest(${[...shareIds]}::uuid[]) as link (id)
    cross join lateral (select share_id, opened_date, email from scan_share_visits
      where share_id = link.id order by opened_date desc limit ${visitsListed}) visit
    order by visit.opened_date desc`.execute(db)
  const visits = new Map<string, scan.ShareLink['visits']>()
  for (const { share_id: id, opened_date: openedDate, email } of rows)
    visits.set(id, [...(visits.get(id) ?? []), { openedDate: openedDate.toISOString(), email }])
  return visits
}

interface ShareRow extends Selectable<ScanShareTable> {
  readonly scans: number
  readonly is_paused: boolean
  readonly open_until_date: Date | null
}

const toShare = (row: ShareRow, visits: scan.ShareLink['visits']): scan.ShareLink => ({
  id: row.id,
  createdByUser: row.created_by_user,
  createdDate: row.created_date.toISOString(),
  expireDate: row.expire_date.toISOString(),
  hasPassword: row.password_hash !== null,
  maxUses: row.max_uses,
  uses: row.uses,
  lastUsedDate: row.last_used_date?.toISOString() ?? null,
  revokedDate: row.revoked_date?.toISOString() ?? null,
  allowsDownload: row.allows_download,
  recipient: row.recipient,
  hasCode: row.has_code,
  isPaused: row.is_paused,
  openUntilDate: row.open_until_date?.toISOString() ?? null,
  scans: row.scans,
  visits,
})

/** Which scan a link opens; whether the caller may know it is for the caller of this function to decide. */
export async function getSharedScan(db: Db, id: string): Promise<{ organization_id: string; series_uid: string }> {
  const share = await db
    .selectFrom('scan_shares')
    .select(['organization_id', 'series_uid'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!share) throw notFound()
  return share
}

export async function revokeShare(trx: Transaction<Tables>, id: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('scan_shares')
    .set({ revoked_date: new Date() })
    .where('id', '=', id)
    .where('revoked_date', 'is', null)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw new Refusal(409, 'UNCHANGED', 'This link has been revoked already.')
}

/**
 * Before scans are deleted: links that open others, too, go on with those. Returns the links that change or end, for
 * open pages.
 */
export async function detachShares(
  trx: Transaction<Tables>,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct share_id as id from shared_series
    where organization_id = ${organizationId} and series_uid = any(${[...seriesUIDs]}::text[])`.execute(trx)
  const ids = rows.map(({ id }) => id)
  await sql`update scan_shares set series_uid = next.series_uid
    from (select share_id, min(series_uid) as series_uid from scan_share_series
      where share_id = any(${ids}::uuid[]) and series_uid <> all(${[...seriesUIDs]}::text[]) group by share_id) next
    where scan_shares.id = next.share_id and scan_shares.series_uid = any(${[...seriesUIDs]}::text[])`.execute(trx)
  return ids
}
