import type { PageSnapshot, Release, RemoteSource } from '@dmp/contract/release'
import { hasRelease, readRelease, readSnapshot, StoreError, type Store } from './store.ts'

/** URL path of a file of a release. The folder's name is in it, so that what is behind it never changes. */
export const releaseUrl = (name: string, releaseId: string, file: string): string => `/releases/${name}/${releaseId}/${file}`

/** What a page is made of: the host's release, the remotes' by name, and the snapshot as the page carries it. */
export interface Composition {
  readonly host: Release
  readonly remotes: ReadonlyMap<string, Release>
  readonly viewer: Release | undefined
  readonly page: PageSnapshot
}

/** Puts a snapshot together from the documents of its releases. */
export function compose(store: Store, id: string): Composition {
  const snapshot = readSnapshot(store, id)
  const remotes = snapshot.remotes.map((ref) => ({ ref, release: readRelease(store, ref.name, ref.releaseId) }))
  const page: PageSnapshot = {
    id,
    host: snapshot.host.releaseId,
    remotes: remotes.map(({ ref, release }) => {
      if (release.declaration === undefined) throw new StoreError(`Release ${release.releaseId} of ${release.name} has no declaration. Build and publish it again.`)
      const previous = ref.previous !== undefined && hasRelease(store, ref.name, ref.previous) ? sourceOf(readRelease(store, ref.name, ref.previous)) : undefined
      return { ...sourceOf(release), declaration: release.declaration, ...(previous ? { previous } : {}) }
    }),
  }
  return {
    host: readRelease(store, 'host', snapshot.host.releaseId),
    remotes: new Map(remotes.map(({ release }) => [release.name, release])),
    viewer: snapshot.viewer && readRelease(store, 'viewer', snapshot.viewer.releaseId),
    page,
  }
}

function sourceOf(release: Release): RemoteSource {
  return { releaseId: release.releaseId, entry: releaseUrl(release.name, release.releaseId, release.entry), integrity: integrityOfFile(release, release.entry) }
}

/** The hash that the release's document gives for one of its files. */
export function integrityOfFile(release: Release, file: string): string {
  const found = release.files.find(({ path }) => path === file)
  if (found === undefined) throw new StoreError(`Release ${release.releaseId} of ${release.name} has no file ${file}.`)
  return found.integrity
}
