import type { FastifyRequest } from 'fastify'
import { nameAsker } from '../core/asker.ts'
import { findSecret } from '../core/caller.ts'
import type { Viewer } from '../core/context.ts'
import type { OpenResponses } from '../core/openResponses.ts'
import type { Penalties } from '../core/penalties.ts'
import type { RateLimits } from '../core/rateLimits.ts'

/**
 * From now on the request counts as this person's: for the limits by person, for penalties, and for whose turn its work
 * takes (P18, P19). Throws 429, also to somebody who has to wait and came with a secret that was not known yet.
 */
export async function recognize(
  deps: { penalties: Penalties; openResponses: OpenResponses; limits: Pick<RateLimits, 'spend'> },
  request: FastifyRequest,
  viewer: Viewer,
  call: string,
): Promise<void> {
  nameAsker(request, viewer)
  const secret = findSecret(request)
  if (secret !== undefined) deps.penalties.remember(secret, viewer)
  await request.admit?.(viewer)
  await deps.limits.spend(call, undefined, viewer.userId)
  deps.openResponses.assign(request.raw, viewer.userId)
}
