import { join, resolve } from 'node:path'
import { BucketError } from '@dmp/bucket'
import { createCachedStore } from '@dmp/release/store/cachedStore'
import { isBucketAddress, openStore } from '@dmp/release/store/openStore'
import { openFolderStore } from '@dmp/release/store/folderStore'
import { registryVersion, StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { Settings } from '../settings/settings.ts'
import { StartFailure } from '../core/StartFailure.ts'
import { toBucketAccess } from './openObjectStore.ts'

/**
 * The release store that the settings name. Files from a bucket are kept in the data folder: they never change. A
 * bucket is tried once, so that a wrong setting ends the start with a sentence.
 */
export async function openReleaseStore(settings: Settings): Promise<ReleaseStore> {
  const { releases, dataDir } = settings
  if (releases === undefined || !isBucketAddress(releases))
    return openFolderStore(releases === undefined ? join(dataDir, 'releases') : resolve(releases))
  try {
    const store = createCachedStore(
      openStore(releases, toBucketAccess(settings)),
      openFolderStore(join(dataDir, 'release-cache')),
    )
    await registryVersion(store)
    return store
  } catch (error) {
    if (error instanceof BucketError || error instanceof StoreError) throw new StartFailure(error.message)
    throw error
  }
}
