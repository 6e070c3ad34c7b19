import type { Canary, RegistryMove } from '@dmp/contract/release'
import { listReleaseRefs } from './move.ts'
import { readRegistry, readSnapshot, unlessDamaged, type ReleaseStore } from './store/ReleaseStore.ts'

/** The move that made a part's release live; undefined if it is older than the history. */
export function findActivation(history: readonly RegistryMove[], part: string): RegistryMove | undefined {
  return history.find(({ parts, snapshot }, index) => parts.includes(part) && snapshot !== history[index + 1]?.snapshot)
}

/** The move that started a canary. */
export function findCanaryStart(
  history: readonly RegistryMove[],
  { name, releaseId }: Pick<Canary, 'name' | 'releaseId'>,
): RegistryMove | undefined {
  return history.find(
    ({ change, canary }) => change === 'canary' && canary?.name === name && canary.releaseId === releaseId,
  )
}

/** The releases of a part that went live or to a canary, as far as the history knows. */
export async function listWentLive(store: ReleaseStore, part: string): Promise<string[]> {
  const registry = await readRegistry(store)
  const history = registry?.history ?? []
  // One that is damaged must not keep a stolen key alive.
  const snapshots = await Promise.all(
    [...new Set(history.map(({ snapshot }) => snapshot))].map((id) => readSnapshot(store, id).catch(unlessDamaged)),
  )
  const canaries = [...(registry?.canaries ?? []), ...history.flatMap(({ canary }) => canary ?? [])]
  const refs = [...snapshots.flatMap((snapshot) => (snapshot ? listReleaseRefs(snapshot) : [])), ...canaries].filter(
    ({ name }) => name === part,
  )
  return [
    ...new Set(
      refs.flatMap(({ releaseId, ...ref }) =>
        'previous' in ref && ref.previous !== undefined ? [releaseId, ref.previous] : [releaseId],
      ),
    ),
  ]
}
