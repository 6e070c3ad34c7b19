import type { scan } from '@dmp/contract'
import type { Insertable, Selectable, Transaction } from 'kysely'
import { notFound } from '../../../core/errors.ts'
import type { Db } from '../../../db/client.ts'
import type { Tables } from '../../../db/tables/index.ts'
import type { ScanShareTable } from '../../../db/tables/scan.ts'
import type { StoredScan } from '../scan.repository.ts'

export type NewShare = Omit<Insertable<ScanShareTable>, 'blocked_until' | 'last_used_date' | 'revoked_date'>

export async function addShare(trx: Transaction<Tables>, share: NewShare): Promise<string> {
  const { id } = await trx
    .insertInto('scan_shares')
    .values({ ...share, blocked_until: null, last_used_date: null, revoked_date: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Links of one scan, the newest first, with those that no longer work. */
export async function listShares(db: Db, { store, series }: StoredScan): Promise<scan.ShareLink[]> {
  const rows = await db
    .selectFrom('scan_shares')
    .selectAll()
    .where('organization_id', '=', store.organizationId)
    .where('series_uid', '=', series.series_uid)
    .orderBy('created_date', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toShare)
}

const toShare = (row: Selectable<ScanShareTable>): scan.ShareLink => ({
  id: row.id,
  createdByUser: row.created_by_user,
  createdDate: row.created_date.toISOString(),
  expireDate: row.expire_date.toISOString(),
  hasPassword: row.password_hash !== null,
  maxUses: row.max_uses,
  uses: row.uses,
  lastUsedDate: row.last_used_date?.toISOString() ?? null,
  revokedDate: row.revoked_date?.toISOString() ?? null,
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
  await trx
    .updateTable('scan_shares')
    .set({ revoked_date: new Date() })
    .where('id', '=', id)
    .where('revoked_date', 'is', null)
    .execute()
}
