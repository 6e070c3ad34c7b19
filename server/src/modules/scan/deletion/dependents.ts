import type { Answer, scan } from '@dmp/contract'
import { sql } from 'kysely'
import type { Db } from '../../../db/client.ts'
import { isShareAlive } from '../sharing/shareExpiry.ts'

type Dependents = Answer<typeof scan.listDependents>

/** What ends, or shrinks, with series: links that still open, and transfers that have not sent them yet. */
export async function listDependents(
  db: Db,
  organizationId: string,
  seriesUIDs: readonly string[],
): Promise<Dependents> {
  const chosen = sql`any(${[...seriesUIDs]}::text[])`
  const links = await db
    .selectFrom('scan_shares')
    .select(['id', 'created_by_user', 'recipient', 'expire_date'])
    .select(
      sql<boolean>`exists (select 1 from shared_series other where other.share_id = scan_shares.id
        and other.series_uid <> all(${[...seriesUIDs]}::text[]))`.as('goes_on'),
    )
    .where('organization_id', '=', organizationId)
    .where(
      sql<boolean>`scan_shares.id in (select share_id from shared_series
        where organization_id = ${organizationId} and series_uid = ${chosen})`,
    )
    .where(isShareAlive)
    .orderBy('expire_date', 'desc')
    .orderBy('id')
    .execute()
  const { rows: transfers } = await sql<{ id: string; name: string; by: string; scans: number }>`
    select transfers.id, transfers.destination_name as name, concat_ws(' ', civility, first_name, last_name) as by,
      count(*)::int as scans
    from transfers join transfer_scans on transfer_scans.transfer_id = transfers.id
      left join users on users.id = transfers.user_id
    where transfers.organization_id = ${organizationId} and transfers.finished_date is null
      and transfer_scans.state in ('Queued', 'Running', 'Held') and transfer_scans.series_uid = ${chosen}
    group by transfers.id, users.id order by transfers.created_date, transfers.id`.execute(db)
  return {
    links: links.map((row) => ({
      id: row.id,
      createdByUser: row.created_by_user,
      recipient: row.recipient,
      expireDate: row.expire_date.toISOString(),
      goesOn: row.goes_on,
    })),
    transfers: transfers.map(({ id, name, by, scans }) => ({
      id,
      createdByUser: by,
      dstOrganizationName: name,
      scans,
    })),
  }
}
