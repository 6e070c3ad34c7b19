import { findActivation } from '@dmp/release/moveHistory'
import { readRegistry, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { Viewer } from '../../../core/context.ts'
import { Refusal, tooManyRequests } from '../../../core/errors.ts'
import type { AuditEvent } from '@dmp/contract/auditEvents'

/** A machine does what its scopes say to the parts that its API token names, and to no other. */
export function assertMayPart({ ownerId, parts = [] }: Viewer, part: string): void {
  if (ownerId === undefined || parts.includes(part)) return
  throw new Refusal(403, 'NOT_ALLOWED', `This API token is for ${parts.join(', ') || 'no part'}, not for ${part}.`)
}

/** A pipeline makes a handful of moves; the history holds two hundred of all parts together. */
const movesInAnHour = 30
const hourMs = 3_600_000

/**
 * Throws where a machine has moved its part too often: the history would lose what others go back to, and when they
 * went live. And where it would take back what came by taking back: that goes forward, which is for `activate`.
 */
export async function assertMayMove(
  store: ReleaseStore,
  { ownerId }: Viewer,
  part: string,
  event: AuditEvent,
): Promise<void> {
  if (ownerId === undefined) return
  const { history = [] } = (await readRegistry(store)) ?? {}
  const recent = history.filter(({ parts, at }) => parts.includes(part) && Date.now() - Date.parse(at) < hourMs)
  if (recent.length >= movesInAnHour) throw tooManyRequests(600, `${part} was moved too often within an hour.`)
  if (event === 'ReleaseRolledBack' && (await findActivation(store, { history }, part))?.change === 'rollback')
    throw new Refusal(
      409,
      'NOT_POSSIBLE',
      `What is live of ${part} came by taking a release back. A machine makes a release live instead, with the scope "activate".`,
    )
}
