import type { Canary, RegistryMove } from '@dmp/contract/release'

/** The move that made a part's live release live; undefined where the history does not reach so far back. */
export function findActivation(history: readonly RegistryMove[], name: string): RegistryMove | undefined {
  return history.find(({ parts, snapshot }, index) => parts.includes(name) && snapshot !== history[index + 1]?.snapshot)
}

/** The move that began a canary. */
export function findCanaryStart(
  history: readonly RegistryMove[],
  { name, releaseId }: Pick<Canary, 'name' | 'releaseId'>,
): RegistryMove | undefined {
  return history.find(
    ({ change, canary }) => change === 'canary' && canary?.name === name && canary.releaseId === releaseId,
  )
}
