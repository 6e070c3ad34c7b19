import { overrideParameter, parseOverride, parsePreview, previewParameter, remove } from '@dmp/contract/override'
import { call } from '@dmp/kit'
import { useSyncExternalStore } from 'react'
import { previewQuestionKey, questionKey } from './activeOverrides.ts'
import { isBeingLeft } from './pageLeaving.ts'

/** An override that was removed because it does not work. */
export interface RemovedOverride {
  readonly part: string
  readonly reason: string
}

export interface OverrideState {
  /** The override or the preview that a link asks for. Nothing happens before the user agrees. */
  readonly question:
    | { readonly part: string; readonly source: string }
    | { readonly part: string; readonly id: string }
    | null
  readonly removed: readonly RemovedOverride[]
}

let state: OverrideState = { question: null, removed: [] }
const listeners = new Set<() => void>()

function change(over: Partial<OverrideState>): void {
  state = { ...state, ...over }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOverrideState = (): OverrideState => useSyncExternalStore(subscribe, () => state)

/**
 * Moves the question of a link from the address into the tab's storage, so that it is asked once, is in no bookmark and
 * survives a sign-in.
 */
export function readQuestion(): void {
  const { href } = location
  const url = new URL(href)
  const override = url.searchParams.get(overrideParameter)
  const preview = url.searchParams.get(previewParameter)
  if (override !== null || preview !== null) {
    url.searchParams.delete(overrideParameter)
    url.searchParams.delete(previewParameter)
    history.replaceState(history.state, '', url)
    if (override !== null && parseOverride(override)) sessionStorage.setItem(questionKey, override)
    if (preview !== null && parsePreview(preview)) sessionStorage.setItem(previewQuestionKey, preview)
  }
  change({
    question:
      parseOverride(sessionStorage.getItem(questionKey) ?? '') ??
      parsePreview(sessionStorage.getItem(previewQuestionKey) ?? '') ??
      null,
  })
}

/** Asks as a link would: the status page's button. */
export function ask(part: string, source: string): void {
  sessionStorage.setItem(questionKey, `${part}@${source}`)
  change({ question: { part, source } })
}

/** Called when the user has answered, either way. */
export function dismissQuestion(): void {
  sessionStorage.removeItem(questionKey)
  sessionStorage.removeItem(previewQuestionKey)
  change({ question: null })
}

/**
 * Removes an override that does not work and says so. The next page gets the live release. A development server reloads
 * the page where it cannot update it: that is no failure of what was being loaded.
 */
export function removeOverride(part: string, reason: string): void {
  if (isBeingLeft()) return
  if (state.removed.some((removed) => removed.part === part)) return
  change({ removed: [...state.removed, { part, reason }] })
  // If the call fails, the next page tries the override and removes it again.
  void call(remove, { part }).catch(() => undefined)
}

/** For tests. */
export const resetOverrideState = (): void => change({ question: null, removed: [] })
