import type { Canary, RegistryMove } from '@dmp/contract/release'

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
