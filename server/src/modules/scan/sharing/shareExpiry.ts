import { sharedNow } from '../../../core/clock.ts'
import { sql } from 'kysely'

const dayMs = 86_400_000

/** When a share link of so many whole days ends (5.13). */
export const toExpireDate = (days: number): Date => new Date(sharedNow() + days * dayMs)

/** What a deactivated person shared is shared no longer. */
export const isSharedByActiveUser = sql<boolean>`exists (
  select 1 from users creator where creator.id = scan_shares.created_by and creator.status = 'Activated')`

/** Whether a link goes on, to the second: not expired, not revoked, its creator and organization active (P25). */
export const isShareAlive = sql<boolean>`scan_shares.revoked_date is null and scan_shares.expire_date > now()
  and ${isSharedByActiveUser}
  and exists (select 1 from organizations o where o.id = scan_shares.organization_id and o.status = 'Activated')`

/** Whether a further browser may open it: alive, and uses left. */
export const isShareUsable = sql<boolean>`${isShareAlive}
  and (scan_shares.max_uses is null or scan_shares.uses < scan_shares.max_uses)`

/** Until when those who opened it go on, by a visit or the address of a download; null where nobody does. */
export const openUntilDate = sql<Date | null>`(select max(expires_date) from (
    select expires_date from scan_share_visits where share_id = scan_shares.id
    union all select expires_date from scan_downloads where share_id = scan_shares.id) opened
  where expires_date > now())`

/** Whether anybody may look by it: one whose uses are spent goes on for those who spent them. */
export const isShareOpen = sql<boolean>`${isShareAlive} and (scan_shares.max_uses is null
  or scan_shares.uses < scan_shares.max_uses or ${openUntilDate} is not null)`
