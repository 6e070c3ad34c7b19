import { isAddress, overrideParameter } from '@dmp/contract/override'
import { createCookies } from '../../core/caller.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { OverrideReader } from '../../gateway/gateway.ts'
import { openGrant, type Grant } from './grant.ts'
import { mayOverride } from './override.handlers.ts'

/**
 * Reads the overrides of the browser that asks for a page. Outside the demo their session must still live and belong to
 * a super administrator. `?dmp-override=off` removes them all, even where no screen can be shown.
 */
export function createOverrideReader(deps: Dependencies): OverrideReader {
  return async (request, reply) => {
    const cookies = createCookies(request, reply, deps)
    const cookie = cookies.read('dmp-overrides')
    if (cookie === undefined) return []
    const grant = openGrant(deps.keys, cookie)
    const isOff = (request.query as Record<string, unknown>)[overrideParameter] === 'off'
    const mayUse = async ({ isTrial, family, userId }: Grant): Promise<boolean> => {
      if (isTrial || deps.settings.isDemo) return true
      return mayOverride(false, await deps.viewers.ofSession(family, userId))
    }
    if (grant === undefined || isOff || !(await mayUse(grant))) {
      cookies.clear('dmp-overrides')
      return []
    }
    return Object.entries(grant.overrides).map(([part, source]) => ({
      part,
      ...(isAddress(source) ? { address: source } : { releaseId: source }),
    }))
  }
}
