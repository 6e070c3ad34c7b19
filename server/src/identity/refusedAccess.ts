import type { FastifyRequest } from 'fastify'
import type { Writer } from '../db/write.ts'
import { toCaller } from '../core/caller.ts'
import type { Viewer } from '../core/context.ts'

/** The same person and the same call are recorded once in this time … */
const againAfterMs = 600_000
/** … and of one person no more kinds of calls than this, so that a flood of refused calls is not a flood of rows. */
const mostPerViewer = 20
/** People that are remembered; the oldest go first. */
const mostViewers = 10_000

/**
 * Records that somebody tried what their policy does not permit; after the answer, and bounded against floods (P24).
 */
export type RefusedAccess = (viewer: Viewer, request: FastifyRequest, what: string) => void

export function createRefusedAccess({
  write,
  background,
}: {
  write: Writer
  background: (work: Promise<unknown>) => void
}): RefusedAccess {
  const viewers = new Map<string, Map<string, number>>()

  const isNews = (userId: string, what: string): boolean => {
    const now = Date.now()
    const tried = viewers.get(userId) ?? new Map<string, number>()
    for (const [one, at] of tried) if (now - at >= againAfterMs) tried.delete(one)
    if (tried.has(what) || tried.size >= mostPerViewer) return false
    tried.set(what, now)
    viewers.delete(userId)
    viewers.set(userId, tried)
    const [oldest] = viewers.keys()
    if (viewers.size > mostViewers && oldest !== undefined) viewers.delete(oldest)
    return true
  }

  return (viewer, request, what) => {
    if (!isNews(viewer.userId, what)) return
    const caller = toCaller(request)
    background(
      write({ viewer, request: caller }, ({ audit }) =>
        audit({ event: 'AccessRefused', outcome: 'refused', subject: { call: what } }),
      ),
    )
  }
}
