import type { Release } from '@dmp/contract/release'
import { addRelease } from './addRelease.ts'
import { besideRelease } from './besideRelease.ts'
import { storeMaps } from './maps.ts'
import { createProvenance, signRelease } from './provenance.ts'
import { readBuild } from './readBuild.ts'
import type { Signer } from './signing/keyPair.ts'
import { releaseKey, type ReleaseStore } from './store/ReleaseStore.ts'

export interface PublishOptions {
  /** Source commit, recorded if the release is new. */
  readonly commit: string
  /** When it was published; now if absent. */
  readonly at?: string
  /** Signs the release with the team's key, a stored one too. */
  readonly signer?: Signer | undefined
}

/**
 * Adds a finished build to the store as an immutable release. Its id is a hash of its files and declaration, so
 * publishing twice adds nothing. Every file is hashed and compressed here, once.
 *
 * @param dist folder with the files, and the `build.json` of `@dmp/build` or what `plainBuild.ts` reads
 */
export async function publish(
  store: ReleaseStore,
  dist: string,
  { commit, at, signer }: PublishOptions,
): Promise<Release> {
  const build = await readBuild(dist)
  const addBeside = async (release: Release): Promise<void> => {
    const keyOf = (file: string): string => releaseKey(release.name, release.releaseId, file)
    if (build.billOfMaterials) await store.add(keyOf(besideRelease.billOfMaterials), build.billOfMaterials)
    const provenance = `${JSON.stringify(createProvenance(release), null, 1)}\n`
    await store.add(keyOf(besideRelease.provenance), Buffer.from(provenance))
  }
  const { release } = await addRelease(store, build, { commit, at, addBeside }, dist)
  // Also to a release that was published before without them.
  await storeMaps(store, release, build.maps)
  if (signer) await signRelease(store, release, signer)
  return release
}
