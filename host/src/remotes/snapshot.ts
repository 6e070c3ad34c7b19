import type { PageSnapshot, RemoteOnPage } from '@dmp/contract/release'
import type { Declaration } from '@dmp/contract/remote'
import declared from '../../remote.json'

/** The host's own declaration: dashboard, terms, not-authorized. */
export const hostDeclaration = declared as Declaration

let cachedSnapshot: PageSnapshot | undefined

/**
 * Returns the snapshot that this page keeps for its life, from `#dmp-snapshot`. The server built it from validated
 * documents.
 */
export function snapshot(): PageSnapshot {
  cachedSnapshot ??= JSON.parse(
    document.getElementById('dmp-snapshot')?.textContent || '{"id":"","host":"","remotes":[]}',
  ) as PageSnapshot
  return cachedSnapshot
}

/** The remotes of this page. */
export const remotes = (): readonly RemoteOnPage[] => snapshot().remotes

/** Adds a remote from a development server, replacing the remote of the same name. */
export function putRemote(remote: RemoteOnPage): void {
  const current = snapshot()
  cachedSnapshot = {
    ...current,
    remotes: [...current.remotes.filter(({ declaration }) => declaration.name !== remote.declaration.name), remote],
  }
}

/** The declarations of the host and of every remote. */
export const declarations = (): readonly Declaration[] => [
  hostDeclaration,
  ...remotes().map(({ declaration }) => declaration),
]

/** For tests: makes the next call read the snapshot again. */
export function forgetSnapshot(): void {
  cachedSnapshot = undefined
}
