import { sql } from 'kysely'

const dayMs = 86_400_000

/** When a share link of so many whole days ends (5.13). */
export const toExpireDate = (days: number): Date => new Date(Date.now() + days * dayMs)

/** Whether a link works, to the second: not expired, not revoked, uses left, and its organization active (P25). */
export const isShareUsable = sql<boolean>`revoked_date is null and expire_date > now()
  and (max_uses is null or uses < max_uses)
  and exists (select 1 from organizations o where o.id = scan_shares.organization_id and o.status = 'Activated')`
