import type { PageSnapshot, RemoteOnPage } from '@dmp/contract/release'
import type { Declaration } from '@dmp/contract/remote'
import declared from '../../remote.json'

/** What the host itself owns: dashboard, terms, not-authorized. */
export const hostDeclaration = declared as Declaration

let read: PageSnapshot | undefined

/**
 * The snapshot that this page is pinned to for its life, from `#dmp-snapshot`. The server made it from checked
 * documents.
 */
export function snapshot(): PageSnapshot {
  read ??= JSON.parse(
    document.getElementById('dmp-snapshot')?.textContent || '{"id":"","host":"","remotes":[]}',
  ) as PageSnapshot
  return read
}

/** The remotes of this page. */
export const remotes = (): readonly RemoteOnPage[] => snapshot().remotes

/**
 * Puts a remote in place of the one of the same name, or beside the others: what a development server on this computer
 * serves.
 */
export function putRemote(remote: RemoteOnPage): void {
  const now = snapshot()
  read = {
    ...now,
    remotes: [...now.remotes.filter(({ declaration }) => declaration.name !== remote.declaration.name), remote],
  }
}

/** What the host and every remote declare. */
export const declarations = (): readonly Declaration[] => [
  hostDeclaration,
  ...remotes().map(({ declaration }) => declaration),
]

/** For tests: the page's snapshot is read again. */
export function forgetSnapshot(): void {
  read = undefined
}
