import type { Release } from '@dmp/contract/release'
import { satisfies } from 'semver'

/** Why two parts cannot be live together, and what to do about it. */
export interface Incompatibility {
  readonly parties: readonly [string, string]
  readonly reason: string
  readonly cure: string
}

/** Every reason why these exact releases cannot be live together; empty if there is none. */
export function findIncompatibilities(host: Release, remotes: readonly Release[]): Incompatibility[] {
  return [...remotes.flatMap((remote) => findUnmetNeeds(host, remote)), ...findRouteCollisions([host, ...remotes])]
}

/** Needs of a remote that the host does not meet. */
export function findUnmetNeeds(host: Release, remote: Release): Incompatibility[] {
  const declared = remote.declaration
    ? { '@dmp/contract': remote.declaration.needs.contract, '@dmp/kit': remote.declaration.needs.kit }
    : {}
  const needs = [...Object.entries(remote.consumes), ...Object.entries(declared)]
  const provided = (module: string): string | undefined =>
    Object.hasOwn(host.provides, module) ? host.provides[module] : undefined
  const unmet = needs.filter(([module, range]) => !satisfies(provided(module) ?? '0.0.0', range))
  return [...new Map(unmet)].map(([module, range]) => ({
    parties: [remote.name, host.name],
    reason:
      provided(module) === undefined
        ? `${remote.name} needs ${module} ${range}, which the host ${host.releaseId} does not provide.`
        : `${remote.name} needs ${module} ${range}; the host ${host.releaseId} provides ${provided(module)}.`,
    cure: `Build ${remote.name} against what the live host provides, or activate it together with a host that provides ${module} ${range}: npm run release -- activate host --release <id> --with ${remote.name}@${remote.releaseId}.`,
  }))
}

/** Routes that two parts claim. */
export function findRouteCollisions(parts: readonly Release[]): Incompatibility[] {
  const owners = new Map<string, string>()
  const collisions: Incompatibility[] = []
  for (const part of parts) {
    for (const { prefix } of part.declaration?.routes ?? []) {
      const owner = owners.get(prefix)
      if (owner === undefined) owners.set(prefix, part.name)
      else
        collisions.push({
          parties: [owner, part.name],
          reason: `${owner} and ${part.name} both claim ${prefix}.`,
          cure: `Remove ${prefix} from one remote.json; a part may own a longer path below another part's where that part lends it.`,
        })
    }
  }
  return collisions
}
