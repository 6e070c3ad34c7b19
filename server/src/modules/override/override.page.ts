import { isAddress, overrideParameter, type Override } from '@dmp/contract/override'
import { createCookies } from '../../core/caller.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { OverrideReader } from '../../gateway/gateway.ts'
import { findPerson } from '../../identity/personCookie.ts'
import { findPreviewFor } from '../release/preview/previewAccess.ts'
import { openGrant, readPreviewSource, type Grant } from './grant.ts'
import { mayOverride } from './override.handlers.ts'

/**
 * Reads the overrides of the browser that asks for a page. Outside the demo their session must still live and belong to
 * a super administrator; that of a preview to somebody who may open it, and be the one that signed in last on this
 * browser. `?dmp-override=off` removes them all, even where no screen can be shown.
 */
export function createOverrideReader(deps: Dependencies): OverrideReader {
  return async (request, reply) => {
    const cookies = createCookies(request, reply, deps)
    const cookie = cookies.read('dmp-overrides')
    if (cookie === undefined) return []
    const grant = openGrant(deps.keys, cookie)
    const isOff = (request.query as Record<string, unknown>)[overrideParameter] === 'off'
    const usable =
      grant === undefined || isOff ? [] : await listUsable(deps, grant, findPerson(deps, request, reply)?.sessionId)
    if (usable.length === 0) cookies.clear('dmp-overrides')
    return usable
  }
}

/** Of the overrides of a grant, those that count now. */
async function listUsable(
  deps: Dependencies,
  { overrides, isTrial, family, userId }: Grant,
  sessionOfBrowser: string | undefined,
): Promise<Override[]> {
  const viewer = isTrial ? undefined : await deps.viewers.ofSession(family, userId)
  const mayAll = isTrial === true || deps.settings.isDemo || mayOverride(false, viewer)
  const found = await Promise.all(
    Object.entries(overrides).map(async ([part, source]): Promise<Override[]> => {
      const agreed = readPreviewSource(source)
      if (agreed === undefined)
        return mayAll ? [{ part, ...(isAddress(source) ? { address: source } : { releaseId: source }) }] : []
      if (viewer === undefined || sessionOfBrowser !== family) return []
      const open = await findPreviewFor({ db: deps.db, store: deps.releases }, viewer, { part, id: agreed.id })
      // Another release than the one that the person agreed to waits for their word.
      if (open?.preview.releaseId !== agreed.releaseId) return []
      return [{ part, releaseId: agreed.releaseId, preview: { id: agreed.id, endsDate: open.preview.ends } }]
    }),
  )
  return found.flat()
}
