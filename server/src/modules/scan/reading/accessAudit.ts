import type { AuditEntry } from '../../../db/audit.ts'
import type { WriteContext } from '../../../db/write.ts'
import { BoundedMap } from '../../../core/BoundedMap.ts'
import type { Dependencies } from '../../../dependencies.ts'

/**
 * Repeated access to the same thing within this time is one event: the image viewer asks for a series hundreds of
 * times.
 */
const sameEventMs = 60_000
const maxRecentEvents = 20_000

/**
 * Records who saw what (P24). Await it before anything is shown: what cannot be recorded is not shown. What
 * `refuseMissing` refuses is not recorded, because nobody sees it.
 */
export type RecordAccess = (
  context: WriteContext,
  entry: AuditEntry,
  refuseMissing?: () => Promise<void>,
) => Promise<void>

export function createAccessAudit(deps: Pick<Dependencies, 'write'>): RecordAccess {
  const recentEvents = new BoundedMap<string, number>(maxRecentEvents)
  return async (context, entry, refuseMissing) => {
    const key = JSON.stringify([context.viewer?.userId, entry])
    const now = performance.now()
    if (now - (recentEvents.get(key) ?? -Infinity) < sameEventMs) return
    await refuseMissing?.()
    await deps.write(context, ({ audit }) => audit(entry))
    recentEvents.set(key, now)
  }
}
