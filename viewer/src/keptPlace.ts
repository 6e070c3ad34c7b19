import type { WorkspacePlace } from './ui/Workspace.ts'

/** What somebody looks at. */
export interface Place extends WorkspacePlace {
  readonly isHelpOpen: boolean
}

const name = 'viewer-place'

/**
 * For whoever works on the viewer: keeps what they look at until the page is there again after an edit, replaced in
 * place or loaded anew. Only `npm run dev` calls it, so that no release keeps in the browser what somebody looked at.
 *
 * @returns a function that keeps it now, when the page is left by other means
 */
export function keepPlace(read: () => Place): () => void {
  const keep = (): void => sessionStorage.setItem(name, JSON.stringify({ search: location.search, place: read() }))
  addEventListener('pagehide', keep)
  return () => {
    keep()
    removeEventListener('pagehide', keep)
  }
}

/** The place that was kept, once; nothing where another study was looked at. */
export function takePlace(): Place | undefined {
  const text = sessionStorage.getItem(name)
  sessionStorage.removeItem(name)
  const kept = text === null ? undefined : (JSON.parse(text) as { search: string; place: Place })
  return kept?.search === location.search ? kept.place : undefined
}
