import type { FastifyRequest } from 'fastify'
import { BoundedMap } from '../core/BoundedMap.ts'
import type { Writer } from '../db/write.ts'
import { toCaller } from '../core/caller.ts'
import type { Viewer } from '../core/context.ts'

/** The same person and the same call are recorded once in this time … */
const againAfterMs = 600_000
/** … and of one person no more kinds of calls than this, so that a flood of refused calls is not a flood of rows. */
const maxPerViewer = 20
/** People that are remembered. */
const maxViewers = 10_000

/**
 * Records that a viewer tried what the policy does not permit; after the answer, and bounded against floods (P24).
 */
export type RefusedAccess = (viewer: Viewer, request: FastifyRequest, what: string) => void

export function createRefusedAccess({
  write,
  background,
}: {
  write: Writer
  background: (work: Promise<unknown>) => void
}): RefusedAccess {
  const viewers = new BoundedMap<string, Map<string, number>>(maxViewers)

  const isNews = (userId: string, what: string): boolean => {
    const now = performance.now()
    const tried = viewers.get(userId) ?? new Map<string, number>()
    for (const [call, at] of tried) if (now - at >= againAfterMs) tried.delete(call)
    if (tried.has(what) || tried.size >= maxPerViewer) return false
    tried.set(what, now)
    viewers.set(userId, tried)
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
