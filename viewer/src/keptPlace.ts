import type { PicturePlace } from './imaging/look.ts'
import type { ToolName } from './imaging/tools.ts'

/** What the panes show, and what is in the hand. */
export interface WorkspacePlace {
  readonly panes: readonly { readonly seriesUid: string | undefined; readonly picture: PicturePlace }[]
  readonly chosen: number
  readonly tool: ToolName
  readonly frameRate: number
}

/** What somebody looks at. */
export interface Place extends WorkspacePlace {
  readonly isHelpOpen: boolean
}

const name = 'viewer-place'
let isKept = false

/** For whoever works on the viewer: releases never call it, and keep nothing of what somebody looked at. */
export function keepPlaces(): void {
  isKept = true
}

/**
 * Keeps what somebody looks at until the page is there again after an edit, put up in place or loaded anew.
 *
 * @returns a function that keeps it now, when the page is left by other means
 */
export function keepPlace(read: () => Place): () => void {
  if (!isKept) return () => undefined
  const keep = (): void => sessionStorage.setItem(name, JSON.stringify({ search: location.search, place: read() }))
  addEventListener('pagehide', keep)
  return () => {
    keep()
    removeEventListener('pagehide', keep)
  }
}

/** The place that was kept, once; nothing where another study was looked at. */
export function takePlace(): Place | undefined {
  if (!isKept) return undefined
  const text = sessionStorage.getItem(name)
  sessionStorage.removeItem(name)
  const kept = text === null ? undefined : (JSON.parse(text) as { search: string; place: Place })
  return kept?.search === location.search ? kept.place : undefined
}
