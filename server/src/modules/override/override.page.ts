import type { Override } from '@dmp/contract/override'
import { isAddress, overrideParameter } from '@dmp/contract/override'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookiesOf } from '../../http/caller.ts'
import type { Parts } from '../../parts.ts'
import { unsealed } from './grant.ts'
import { mayOverride } from './override.handlers.ts'

/** The overrides that count for a page. */
export type OverridesOf = (request: FastifyRequest, reply: FastifyReply) => Promise<readonly Override[]>

/**
 * What the browser that asks for a page may get in place of what is live. Outside of the demo the session that allowed
 * it has to live and be a super administrator's still. `?dmp-override=off` takes everything out, also where no screen
 * can be shown any more.
 */
export function overridesOf(parts: Parts): OverridesOf {
  return async (request, reply) => {
    const cookies = cookiesOf(request, reply, parts)
    const cookie = cookies.read('dmp-overrides')
    if (cookie === undefined) return []
    const grant = unsealed(parts.keys, cookie)
    const isOff = (request.query as Record<string, unknown>)[overrideParameter] === 'off'
    const viewer =
      grant && !parts.settings.isDemo ? await parts.viewers.ofFamily(grant.family, grant.userId) : undefined
    if (grant === undefined || isOff || !mayOverride(parts.settings.isDemo, viewer)) {
      cookies.clear('dmp-overrides')
      return []
    }
    return Object.entries(grant.overrides).map(([part, source]) => ({
      part,
      ...(isAddress(source) ? { address: source } : { releaseId: source }),
    }))
  }
}
