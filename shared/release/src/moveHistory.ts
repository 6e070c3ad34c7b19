import type { Canary, Registry, RegistryMove } from '@dmp/contract/release'
import { listReleaseRefs } from './move.ts'
import { readRegistry, readSnapshot, unlessDamaged, type ReleaseStore } from './store/ReleaseStore.ts'

/**
 * The move that made a part's release live; undefined if it is older than the history. A part that becomes a guest, or
 * is trusted again, keeps its release: that move is none.
 */
export async function findActivation(
  store: ReleaseStore,
  { history }: Pick<Registry, 'history'>,
  part: string,
): Promise<RegistryMove | undefined> {
  for (const [index, move] of history.entries()) {
    const before = history[index + 1]
    if (!move.parts.includes(part) || move.snapshot === before?.snapshot) continue
    if (before === undefined) return move
    const [is, was] = await Promise.all([move, before].map(({ snapshot }) => findReleaseId(store, snapshot, part)))
    if (is === undefined || is !== was) return move
  }
  return undefined
}

/** Undefined where the part was not live, or nobody can say. */
async function findReleaseId(store: ReleaseStore, snapshotId: string, part: string): Promise<string | undefined> {
  const snapshot = await readSnapshot(store, snapshotId).catch(unlessDamaged)
  return snapshot && listReleaseRefs(snapshot).find(({ name }) => name === part)?.releaseId
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
