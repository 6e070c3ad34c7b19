import type { Override } from '@dmp/contract/override'
import type { ReleaseRef } from '@dmp/contract/release'
import { composeSnapshot, type Composition } from './composition.ts'
import { replaceReleases } from './move.ts'
import { hasRelease, type ReleaseStore } from './store/ReleaseStore.ts'

/**
 * Composes the page of a browser that overrides some releases. A part that a development server serves is left out of
 * the scripts, because its files are unknown here: the host loads it by its address. The page keeps the id of the live
 * snapshot, so it is offered a newer version like any other page.
 */
export async function applyOverrides(
  store: ReleaseStore,
  composition: Composition,
  overrides: readonly Override[],
): Promise<Composition> {
  const active = await findActive(store, overrides)
  if (active.length === 0) return composition
  const refs = active.flatMap(({ part, releaseId }): ReleaseRef[] =>
    releaseId === undefined ? [] : [{ name: part, releaseId }],
  )
  const overridden =
    refs.length === 0
      ? composition
      : await composeSnapshot(store, replaceReleases(composition.snapshot, refs), composition.page.id)
  const { page, host, remotes } = overridden
  const versions = new Map([host, ...remotes.values()].map((release) => [release.name, release.declaration?.version]))
  const servedParts = new Set(active.flatMap(({ part, address }) => (address === undefined ? [] : [part])))
  return {
    ...overridden,
    remotes: new Map([...remotes].filter(([part]) => !servedParts.has(part))),
    page: {
      ...page,
      overrides: active.map((override) => ({
        ...override,
        ...(override.address === undefined && versions.get(override.part) !== undefined
          ? { version: versions.get(override.part) }
          : {}),
      })),
    },
  }
}

/** Overrides of releases that have left the store are ignored. */
async function findActive(store: ReleaseStore, overrides: readonly Override[]): Promise<Override[]> {
  const isAvailable = await Promise.all(
    overrides.map(
      async ({ address, part, releaseId }) => address !== undefined || (await hasRelease(store, part, releaseId ?? '')),
    ),
  )
  return overrides.filter((_override, index) => isAvailable[index])
}
