import type { AuditEntry } from '../../../db/audit.ts'
import type { WriteContext } from '../../../db/write.ts'
import { BoundedMap } from '../../../core/BoundedMap.ts'
import type { Dependencies } from '../../../dependencies.ts'

/**
 * The same viewer seeing the same thing again within this time is one event: a viewer asks for a series hundreds of
 * times.
 */
const SAME_EVENT_MS = 60_000
const REMEMBERED = 20_000

/** Records who saw what (P24) before it is shown: if it cannot be recorded, it is not shown. */
export function createAccessAudit(
  deps: Pick<Dependencies, 'write'>,
): (context: WriteContext, entry: AuditEntry) => Promise<void> {
  const recent = new BoundedMap<string, number>(REMEMBERED)
  return async (context, entry) => {
    const key = JSON.stringify([context.viewer?.userId, entry])
    const now = Date.now()
    if (now - (recent.get(key) ?? -Infinity) < SAME_EVENT_MS) return
    await deps.write(context, ({ audit }) => audit(entry))
    recent.set(key, now)
  }
}
