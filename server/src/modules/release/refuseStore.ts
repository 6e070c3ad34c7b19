import { ReleaseRefused } from '@dmp/release/ReleaseRefused'
import { RegistryConflict, StoreError, Superseded, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import { Refusal } from '../../core/errors.ts'

/** Where the store lies is the server's own matter: its folder or bucket does not go out with a sentence. */
export const withoutPlace = (store: ReleaseStore, sentence: string): string =>
  sentence.replaceAll(store.location, 'releases')

/** Turns errors of the release store into refusals. */
export const createRefuse =
  (store: ReleaseStore) =>
  (error: unknown): never => {
    if (error instanceof Superseded || error instanceof RegistryConflict)
      throw new Refusal(
        409,
        'CHANGED_MEANWHILE',
        'Someone else changed this release. The page now shows its current state.',
      )
    if (error instanceof ReleaseRefused) throw new Refusal(409, 'DOES_NOT_FIT', withoutPlace(store, error.message))
    if (error instanceof StoreError) throw new Refusal(409, 'NOT_POSSIBLE', withoutPlace(store, error.message))
    throw error
  }
