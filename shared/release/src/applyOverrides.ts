import type { Override } from '@dmp/contract/override'
import type { ReleaseRef, Snapshot } from '@dmp/contract/release'
import { replaceReleases } from './move.ts'
import { composeSnapshot, type Composition } from './composition.ts'
import { hasRelease, type ReleaseStore } from './store/ReleaseStore.ts'

/**
 * The composition of a browser that gets other releases of some parts. A development server is only named: its scripts are not known
 * here, so the page asks for none of that part, and the host loads it. The name of the snapshot stays: what is live is as new as before.
 */
export async function applyOverrides(
  store: ReleaseStore,
  composition: Composition,
  overrides: readonly Override[],
): Promise<Composition> {
  const known = await Promise.all(
    overrides.map(
      async (override) =>
        override.address !== undefined || (await hasRelease(store, override.part, override.releaseId ?? '')),
    ),
  )
  // A release that the store does not have any more is as if it had not been asked for.
  const active = overrides.filter((_, index) => known[index])
  if (active.length === 0) return composition
  const refs = active.flatMap(({ part, releaseId }): ReleaseRef[] =>
    releaseId === undefined ? [] : [{ name: part, releaseId }],
  )
  const { page, host, viewer, remotes } =
    refs.length === 0
      ? composition
      : await composeSnapshot(store, replaceReleases(snapshotOf(composition), refs), composition.page.id)
  const versions = new Map([host, ...remotes.values()].map((release) => [release.name, release.declaration?.version]))
  const served = new Set(active.flatMap(({ part, address }) => (address === undefined ? [] : [part])))
  return {
    host,
    viewer,
    remotes: new Map([...remotes].filter(([name]) => !served.has(name))),
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

function snapshotOf({ host, viewer, page }: Composition): Snapshot {
  const refOf = ({ name, releaseId }: { name: string; releaseId: string }): ReleaseRef => ({ name, releaseId })
  return {
    host: refOf(host),
    remotes: page.remotes.map(({ declaration, releaseId, previous }) => ({
      name: declaration.name,
      releaseId,
      ...(previous ? { previous: previous.releaseId } : {}),
    })),
    ...(viewer ? { viewer: refOf(viewer) } : {}),
  }
}
