import type { Release } from '@dmp/contract/release'
import { satisfies } from '../satisfies.ts'

/** Why parts cannot be live together: who, with whom, and what to do about it. */
export interface Incompatibility {
  readonly parties: readonly [string, string]
  readonly reason: string
  readonly cure: string
}

/** Everything that speaks against these exact releases being live together; empty when nothing does. */
export function findIncompatibilities(host: Release, remotes: readonly Release[]): Incompatibility[] {
  return [...remotes.flatMap((remote) => findUnmetNeeds(host, remote)), ...findRouteCollisions([host, ...remotes])]
}

/** What a remote needs and the host does not provide. */
export function findUnmetNeeds(host: Release, remote: Release): Incompatibility[] {
  const declared = remote.declaration
    ? { '@dmp/contract': remote.declaration.needs.contract, '@dmp/kit': remote.declaration.needs.kit }
    : {}
  const wants = [...Object.entries(remote.consumes), ...Object.entries(declared)]
  const refused = wants.filter(([module, range]) => !satisfies(host.provides[module] ?? '0.0.0', range))
  return [...new Map(refused)].map(([module, range]) => ({
    parties: [remote.name, host.name],
    reason:
      host.provides[module] === undefined
        ? `${remote.name} needs ${module} ${range}, which the host ${host.releaseId} does not provide.`
        : `${remote.name} needs ${module} ${range}; the host ${host.releaseId} provides ${host.provides[module]}.`,
    cure: `Build ${remote.name} against what the live host provides, or activate a host that provides ${module} ${range} with it.`,
  }))
}

/** Addresses that two parts claim. */
export function findRouteCollisions(parts: readonly Release[]): Incompatibility[] {
  const owners = new Map<string, string>()
  const found: Incompatibility[] = []
  for (const part of parts) {
    for (const { prefix } of part.declaration?.routes ?? []) {
      const owner = owners.get(prefix)
      if (owner === undefined) owners.set(prefix, part.name)
      else
        found.push({
          parties: [owner, part.name],
          reason: `${owner} and ${part.name} both claim ${prefix}.`,
          cure: `Take ${prefix} out of one remote.json; a longer prefix may lie below another part's.`,
        })
    }
  }
  return found
}
