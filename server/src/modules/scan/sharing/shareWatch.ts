import { toAddressKey } from '../../../core/addressKey.ts'
import type { News } from '../../../db/bus.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { findRestOfShare } from './shareLink.ts'

/** Below what proxies wait for an answer. */
const longestMs = 25_000
/** Pages that may wait for news of one link, behind one address, and for all links of an organization. */
const most = { link: 500, address: 500, organization: 2500 }

/**
 * Resolves when something about the link may have changed, when it ends, or after a while; at once when it has ended
 * already. The request stays open meanwhile, so that a page knows within a moment; one whose reader left stays no
 * longer than others.
 */
export async function waitForChange(deps: Dependencies, shareId: string, address: string): Promise<void> {
  // Neither of them ever changes.
  const share = await deps.db
    .selectFrom('scan_shares')
    .select(['id', 'created_by', 'organization_id'])
    .where('id', '=', shareId)
    .executeTakeFirst()
  if (!share) return
  const wait = deps.newsWaits.begin((news) => isAboutShare(news, share), longestMs, [
    { key: `link ${share.id}`, most: most.link },
    { key: `address ${toAddressKey(address)}`, most: most.address },
    { key: `organization ${share.organization_id}`, most: most.organization },
  ])
  const rest = await findRestOfShare(deps.db, shareId)
  // Timers drop fractions of a millisecond: the answer must not come just before the end.
  const timer = setTimeout(wait.stop, Math.min(Math.ceil(rest) + 1, longestMs))
  try {
    await wait.ended
  } finally {
    clearTimeout(timer)
  }
}

/** A link ends with its sender and with the organization, too. */
export function isAboutShare(news: News, share: { id: string; created_by: string; organization_id: string }): boolean {
  if (news.kind === 'sharesChanged') return news.shareIds.includes(share.id)
  if (news.kind !== 'viewersChanged') return false
  return !!news.userIds?.includes(share.created_by) || !!news.organizationIds?.includes(share.organization_id)
}
