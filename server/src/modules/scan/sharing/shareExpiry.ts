import { sharedNow } from '../../../core/clock.ts'
import { sql } from 'kysely'

const dayMs = 86_400_000

/** When a share link of so many whole days ends (5.13). */
export const toExpireDate = (days: number): Date => new Date(sharedNow() + days * dayMs)

/** What a deactivated person shared is shared no longer. */
export const isSharedByActiveUser = sql<boolean>`exists (
  select 1 from users creator where creator.id = scan_shares.created_by and creator.status = 'Activated')`

/**
 * Whether a link works, to the second: not expired, not revoked, uses left, its creator and organization active (P25).
 */
export const isShareUsable = sql<boolean>`revoked_date is null and expire_date > now()
  and (max_uses is null or uses < max_uses) and ${isSharedByActiveUser}
  and exists (select 1 from organizations o where o.id = scan_shares.organization_id and o.status = 'Activated')`
