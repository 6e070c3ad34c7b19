import { sql, type Selectable } from 'kysely'
import type { Cookies } from '../../../core/context.ts'
import { Refusal } from '../../../core/errors.ts'
import type { Db } from '../../../db/client.ts'
import type { ScanShareTable } from '../../../db/tables/scan.ts'
import { hashLinkToken, isLinkToken } from '../linkTokens.ts'
import { isShareAlive, isShareUsable } from './shareExpiry.ts'
import { findVisit, type ShareVisit } from './shareVisits.ts'

export interface ShareLink {
  readonly row: Selectable<ScanShareTable>
  /** Of the browser that asks, if it opened the link before. */
  readonly visit: ShareVisit | undefined
}

/** Wrong, expired, revoked, used up and deleted links are answered alike (P25). */
export const linkGone = (): Refusal =>
  new Refusal(404, 'LINK_GONE', 'This link is invalid or has expired. Ask the sender for a new one.')

/** The link that a token opens. One whose uses are spent goes on for the browsers that spent them. */
export async function getShareLink(db: Db, token: string, cookies: Cookies): Promise<ShareLink> {
  const found = await db
    .selectFrom('scan_shares')
    .selectAll()
    .select(isShareUsable.as('is_usable'))
    .where('token_hash', '=', hashLinkToken(isLinkToken(token) ? token : ''))
    .where(isShareAlive)
    .executeTakeFirst()
  if (!found) throw linkGone()
  const { is_usable: isUsable, ...row } = found
  const visit = await findVisit(db, row.id, cookies)
  if (!isUsable && !visit) throw linkGone()
  return { row, visit }
}

/** How many milliseconds a link goes on; 0 once it has ended. */
export async function findRestOfShare(db: Db, id: string): Promise<number> {
  const row = await db
    .selectFrom('scan_shares')
    .select(sql<number>`(extract(epoch from expire_date - clock_timestamp()) * 1000)::float8`.as('rest'))
    .where('id', '=', id)
    .where(isShareAlive)
    .executeTakeFirst()
  return Math.max(0, row?.rest ?? 0)
}
