import { join, resolve } from 'node:path'
import { BucketError } from '@dmp/bucket'
import { cachedStore } from '@dmp/release/storeCached'
import { isBucket, storeAt } from '@dmp/release/storeAt'
import { openStore } from '@dmp/release/storeFolder'
import { registryVersion, StoreError, type Store } from '@dmp/release/store'
import type { Settings } from '../settings/settings.ts'
import { StartFailure } from '../core/StartFailure.ts'
import { toBucketAccess } from './openObjectStore.ts'

/**
 * Where the settings say that releases lie. What comes from a bucket is kept in the data folder: it never changes. A
 * bucket is tried once, so that a wrong setting ends the start with a sentence.
 */
export async function openReleaseStore(settings: Settings): Promise<Store> {
  const { releases, dataDir } = settings
  if (releases === undefined || !isBucket(releases))
    return openStore(releases === undefined ? join(dataDir, 'releases') : resolve(releases))
  try {
    const store = cachedStore(storeAt(releases, toBucketAccess(settings)), openStore(join(dataDir, 'release-cache')))
    await registryVersion(store)
    return store
  } catch (error) {
    if (error instanceof BucketError || error instanceof StoreError) throw new StartFailure(error.message)
    throw error
  }
}
