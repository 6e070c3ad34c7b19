import { overrideParameter, parseOverride, remove } from '@dmp/contract/override'
import { call } from '@dmp/kit'
import { useSyncExternalStore } from 'react'
import { questionKey } from './activeOverrides.ts'

/** An override that took itself out. */
export interface RemovedOverride {
  readonly part: string
  readonly reason: string
}

export interface OverrideState {
  /** What a link asks to put in; nothing happens before the person agrees. */
  readonly question: { readonly part: string; readonly source: string } | null
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

/** Takes the question of a link out of the address, so that it is asked once and is in no bookmark. It waits through a sign-in. */
export function readQuestion(): void {
  const { href } = location
  const url = new URL(href)
  const given = url.searchParams.get(overrideParameter)
  if (given !== null) {
    url.searchParams.delete(overrideParameter)
    history.replaceState(history.state, '', url)
    if (parseOverride(given)) sessionStorage.setItem(questionKey, given)
  }
  change({ question: parseOverride(sessionStorage.getItem(questionKey) ?? '') ?? null })
}

/** Asks as a link would: the status page's button. */
export function ask(part: string, source: string): void {
  sessionStorage.setItem(questionKey, `${part}@${source}`)
  change({ question: { part, source } })
}

/** The question was answered, either way. */
export function dismissQuestion(): void {
  sessionStorage.removeItem(questionKey)
  change({ question: null })
}

/** An override that does not work takes itself out and says so; the next page has what is live. */
export function removeOverride(part: string, reason: string): void {
  if (state.removed.some((removed) => removed.part === part)) return
  change({ removed: [...state.removed, { part, reason }] })
  // Without an answer it is tried, and taken out, again at the next page.
  void call(remove, { part }).catch(() => undefined)
}

/** For tests. */
export const resetOverrideState = (): void => change({ question: null, removed: [] })
