import { refusalsOf, replaced } from '@dmp/release/move'
import { hasRelease, readRegistry, readRelease, readSnapshot, releasesOf, type Store } from '@dmp/release/store'
import type { override } from '@dmp/contract'
import { isAddress, type Override } from '@dmp/contract/override'
import type { Release } from '@dmp/contract/release'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { grantSeconds, sealGrant, openGrant } from './grant.ts'

/** Overrides bring code that was not judged, so in production they are for those who may put it live anyway. */
export const mayOverride = (isDemo: boolean, viewer: Pick<Viewer, 'role'> | undefined): boolean =>
  isDemo || viewer?.role === 'super_admin'

export const overrideHandlers = (
  { keys, settings, write }: Pick<Dependencies, 'keys' | 'settings' | 'write'>,
  store: Store,
): Handlers<typeof override> => ({
  add: async ({ part, source }, context) => {
    const { viewer, cookies } = context
    if (!mayOverride(settings.isDemo, viewer))
      throw new Refusal(403, 'NOT_ALLOWED', 'Only a super administrator may put another release into this browser.')
    const found = await foundIn(store, part, source)
    await write(context, ({ audit }) =>
      audit({ event: 'ReleaseOverridden', subject: { part, source: found.releaseId ?? source } }),
    )
    const before = openGrant(keys, cookies.read('dmp-overrides'))
    const overrides = { ...before?.overrides, [part]: found.releaseId ?? source }
    cookies.set(
      'dmp-overrides',
      sealGrant(keys, {
        overrides,
        family: viewer.sessionId,
        userId: viewer.userId,
        expires: Date.now() + grantSeconds * 1000,
      }),
      grantSeconds,
    )
    return found
  },

  remove: ({ part }, { cookies }) => {
    const before = openGrant(keys, cookies.read('dmp-overrides'))
    const { [part ?? '']: _out, ...left } = before?.overrides ?? {}
    if (before === undefined || part === undefined || Object.keys(left).length === 0) cookies.clear('dmp-overrides')
    else
      cookies.set(
        'dmp-overrides',
        sealGrant(keys, { ...before, overrides: left }),
        Math.ceil((before.expires - Date.now()) / 1000),
      )
    return Promise.resolve(null)
  },
})

/** The release or development server that is meant, judged against the host that is live. */
async function foundIn(store: Store, part: string, source: string): Promise<Override> {
  if (isAddress(source)) {
    if (!part.startsWith('remote-'))
      throw new Refusal(422, 'ONLY_REMOTES', 'A development server can stand in for a remote only.')
    return { part, address: source }
  }
  const release = source.includes('.')
    ? (await releasesOf(store, part)).find(({ declaration }) => declaration?.version === source)
    : (await hasRelease(store, part, source))
      ? await readRelease(store, part, source)
      : undefined
  if (release === undefined) throw new Refusal(404, 'NO_RELEASE', `The release store has no ${part}@${source}.`)
  const [against] = await unfit(store, release)
  if (against) throw new Refusal(409, 'DOES_NOT_FIT', `${against.reason} ${against.cure}`)
  return {
    part,
    releaseId: release.releaseId,
    ...(release.declaration ? { version: release.declaration.version } : {}),
  }
}

/** What speaks against this release in place of the live one of the same part. */
async function unfit(store: Store, { name, releaseId }: Release) {
  const registry = await readRegistry(store)
  if (registry === undefined) return []
  const found = await refusalsOf(store, replaced(await readSnapshot(store, registry.live), [{ name, releaseId }]))
  return found.filter(({ parties }) => parties.includes(name))
}
