import type { Release, ReleaseRef, Snapshot } from '@dmp/contract/release'
import { getRoute, isUnder, type Declaration } from '@dmp/contract/remote'
import { readRegistry, readRelease, readSnapshot, StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'
import type { Incompatibility } from './compatibility.ts'

/**
 * Claims of an address below another part's that this part does not lend. What the live release of the claiming part
 * has already is nobody's news: its people would lose a screen that they have.
 */
export async function findUnlentClaims(store: ReleaseStore, releases: readonly Release[]): Promise<Incompatibility[]> {
  const declarations = releases.flatMap(({ declaration }) => declaration ?? [])
  const live = await readLive(store)
  const found = await Promise.all(
    releases.map(async (release) => {
      const before = live && (await readClaims(store, live, release))
      return listClaims(release)
        .filter((prefix) => before?.includes(prefix) !== true)
        .flatMap((prefix) => judgeClaim(release.name, prefix, declarations))
    }),
  )
  return found.flat()
}

function judgeClaim(part: string, prefix: string, declarations: readonly Declaration[]): Incompatibility[] {
  const above = declarations.map((declaration) => ({
    ...declaration,
    routes: declaration.routes.filter((claim) => claim.prefix !== prefix),
  }))
  const owner = getRoute(above, prefix)?.owner
  if (owner === undefined || owner.name === part) return []
  if (owner.lends?.some(({ prefix: lent, to }) => to === part && isUnder(prefix, lent))) return []
  return [
    {
      parties: [part, owner.name],
      reason: `${part} claims ${prefix}, which lies below an address of ${owner.name}; ${owner.name} does not lend it.`,
      cure: `Choose another address, or ask the team of ${owner.name} to write { "prefix": "${prefix}", "to": "${part}" } into lends of its remote.json and to release that first.`,
    },
  ]
}

const listClaims = ({ declaration }: Release): string[] => (declaration?.routes ?? []).map(({ prefix }) => prefix)

async function readLive(store: ReleaseStore): Promise<Snapshot | undefined> {
  const registry = await readRegistry(store)
  return registry && readSnapshot(store, registry.live)
}

/** What the live release of the part claims; one that cannot be read must not keep its part from coming back. */
async function readClaims(store: ReleaseStore, { host, remotes }: Snapshot, next: Release): Promise<string[]> {
  const ref: ReleaseRef | undefined = [host, ...remotes].find(({ name }) => name === next.name)
  if (ref === undefined) return []
  if (ref.releaseId === next.releaseId) return listClaims(next)
  try {
    return listClaims(await readRelease(store, ref.name, ref.releaseId))
  } catch (error) {
    if (error instanceof StoreError) return listClaims(next)
    throw error
  }
}
