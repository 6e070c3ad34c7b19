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
