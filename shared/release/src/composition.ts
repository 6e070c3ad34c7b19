import type { PageSnapshot, Release, ReleaseRef, RemoteSource, Snapshot } from '@dmp/contract/release'
import {
  hasRelease,
  readRelease,
  readSnapshot,
  snapshotId,
  StoreError,
  type ReleaseStore,
} from './store/ReleaseStore.ts'

/** URL path of a file of a release. The folder's name is in it, so that what is behind it never changes. */
export const releaseUrl = (name: string, releaseId: string, file: string): string =>
  `/releases/${name}/${releaseId}/${file}`

/** What a page is made of: the host's release, the remotes' by name, and the snapshot as the page carries it. */
export interface Composition {
  readonly host: Release
  readonly remotes: ReadonlyMap<string, Release>
  readonly viewer: Release | undefined
  readonly page: PageSnapshot
}

/** Puts the named snapshot together from the documents of its releases. */
export const compose = async (store: ReleaseStore, id: string): Promise<Composition> =>
  composeSnapshot(store, await readSnapshot(store, id), id)

/** Puts any snapshot together, whether or not it lies in the store. */
export async function composeSnapshot(
  store: ReleaseStore,
  snapshot: Snapshot,
  id = snapshotId(snapshot),
): Promise<Composition> {
  const [host, viewer, ...remotes] = await Promise.all([
    readRelease(store, 'host', snapshot.host.releaseId),
    snapshot.viewer && readRelease(store, 'viewer', snapshot.viewer.releaseId),
    ...snapshot.remotes.map(async (ref) => ({
      release: await readRelease(store, ref.name, ref.releaseId),
      previous: await findPreviousSource(store, ref),
    })),
  ])
  const page: PageSnapshot = {
    id,
    host: snapshot.host.releaseId,
    remotes: remotes.map(({ release, previous }) => {
      if (release.declaration === undefined)
        throw new StoreError(
          `Release ${release.releaseId} of ${release.name} has no declaration. Build and publish it again.`,
        )
      return { ...toSource(release), declaration: release.declaration, ...(previous ? { previous } : {}) }
    }),
  }
  return { host, remotes: new Map(remotes.map(({ release }) => [release.name, release])), viewer, page }
}

async function findPreviousSource(
  store: ReleaseStore,
  { name, previous }: ReleaseRef,
): Promise<RemoteSource | undefined> {
  return previous !== undefined && (await hasRelease(store, name, previous))
    ? toSource(await readRelease(store, name, previous))
    : undefined
}

function toSource(release: Release): RemoteSource {
  return {
    releaseId: release.releaseId,
    entry: releaseUrl(release.name, release.releaseId, release.entry),
    integrity: getIntegrity(release, release.entry),
  }
}

/** The hash that the release's document gives for one of its files. */
export function getIntegrity(release: Release, file: string): string {
  const found = release.files.find(({ path }) => path === file)
  if (found === undefined) throw new StoreError(`Release ${release.releaseId} of ${release.name} has no file ${file}.`)
  return found.integrity
}
