import { checkCompatibility, replaceReleases } from '@dmp/release/move'
import { findTrust } from '@dmp/release/signing/signatures'
import {
  hasRelease,
  readRegistry,
  readRelease,
  readSnapshot,
  listReleases,
  type ReleaseStore,
} from '@dmp/release/store/ReleaseStore'
import type { override } from '@dmp/contract'
import { isAddress, type Override } from '@dmp/contract/override'
import type { Release } from '@dmp/contract/release'
import { sharedNow } from '../../core/clock.ts'
import type { Viewer } from '../../core/context.ts'
import type { Handlers } from '../../core/handlers.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { addToGrant, openGrant, sealGrant } from './grant.ts'

/** Overrides run code that passed no preflight, so in production they need the right to make releases live. */
export const mayOverride = (isDemo: boolean, viewer: Pick<Viewer, 'role'> | undefined): boolean =>
  isDemo || viewer?.role === 'super_admin'

export const overrideHandlers = (
  { keys, settings, write }: Pick<Dependencies, 'keys' | 'settings' | 'write'>,
  store: ReleaseStore,
): Handlers<typeof override> => ({
  add: async ({ part, source }, context) => {
    const { viewer } = context
    if (!mayOverride(settings.isDemo, viewer))
      throw new Refusal(403, 'NOT_ALLOWED', 'Only a super administrator may override releases in this browser.')
    const chosenOverride = await getOverride(store, part, source)
    await write(context, ({ audit }) =>
      audit({ event: 'ReleaseOverridden', subject: { part, source: chosenOverride.releaseId ?? source } }),
    )
    addToGrant({ keys }, context, part, chosenOverride.releaseId ?? source)
    return chosenOverride
  },

  remove: ({ part }, { cookies }) => {
    const previousGrant = openGrant(keys, cookies.read('dmp-overrides'))
    const { [part ?? '']: _removed, ...remainingOverrides } = previousGrant?.overrides ?? {}
    if (previousGrant === undefined || part === undefined || Object.keys(remainingOverrides).length === 0)
      cookies.clear('dmp-overrides')
    else
      cookies.set(
        'dmp-overrides',
        sealGrant(keys, { ...previousGrant, overrides: remainingOverrides }),
        Math.ceil((previousGrant.expires - sharedNow()) / 1000),
      )
    return Promise.resolve(null)
  },
})

/** Resolves the source to a release that is compatible with the live host, or to a development server. */
async function getOverride(store: ReleaseStore, part: string, source: string): Promise<Override> {
  if (isAddress(source)) {
    if (!part.startsWith('remote-'))
      throw new Refusal(422, 'ONLY_REMOTES', 'A development server can only replace a remote.')
    return { part, address: source }
  }
  const release = source.includes('.')
    ? (await listReleases(store, part)).find(({ declaration }) => declaration?.version === source)
    : (await hasRelease(store, part, source))
      ? await readRelease(store, part, source)
      : undefined
  if (release === undefined) throw new Refusal(404, 'NO_RELEASE', `The release store has no ${part}@${source}.`)
  const trust = await findTrust(store, release)
  const [incompatibility] = trust.by === 'nothing' ? [trust.problem] : await listIncompatibilities(store, release)
  if (incompatibility) throw new Refusal(409, 'DOES_NOT_FIT', `${incompatibility.reason} ${incompatibility.cure}`)
  return {
    part,
    releaseId: release.releaseId,
    ...(release.declaration ? { version: release.declaration.version } : {}),
  }
}

/** Lists what keeps this release from replacing the live one of the same part. */
async function listIncompatibilities(store: ReleaseStore, { name, releaseId }: Release) {
  const registry = await readRegistry(store)
  if (registry === undefined) return []
  const candidate = replaceReleases(await readSnapshot(store, registry.live), [{ name, releaseId }])
  return (await checkCompatibility(store, candidate)).filter(({ parties }) => parties.includes(name))
}
