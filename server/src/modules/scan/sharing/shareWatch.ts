import type { Dependencies } from '../../../dependencies.ts'
import { findRestOfShare } from './shareLink.ts'

/** Below what proxies wait for an answer. */
const longestMs = 25_000

/**
 * Resolves when something about the link may have changed, when it ends, or after a while; at once when it has ended
 * already. The request stays open meanwhile, so that a page knows within a moment; one whose reader left stays no
 * longer than others.
 */
export async function waitForChange(deps: Dependencies, shareId: string): Promise<void> {
  const wait = deps.newsWaits.begin(
    (news) => news.kind === 'viewersChanged' || (news.kind === 'sharesChanged' && news.shareIds.includes(shareId)),
    longestMs,
  )
  const rest = await findRestOfShare(deps.db, shareId)
  const timer = setTimeout(wait.stop, Math.min(rest, longestMs))
  try {
    await wait.ended
  } finally {
    clearTimeout(timer)
  }
}
