import { overrideParameter, parseOverride, remove } from '@dmp/contract/override'
import { call } from '@dmp/kit'
import { useSyncExternalStore } from 'react'
import { askedKey } from './active.ts'

/** An override that took itself out. */
export interface Gone {
  readonly part: string
  readonly reason: string
}

export interface OverrideState {
  /** What a link asks to put in; nothing happens before the person agrees. */
  readonly asked: { readonly part: string; readonly source: string } | null
  readonly gone: readonly Gone[]
}

let state: OverrideState = { asked: null, gone: [] }
const listeners = new Set<() => void>()

function change(over: Partial<OverrideState>): void {
  state = { ...state, ...over }
  for (const listener of listeners) listener()
}

const follow = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useOverrideState = (): OverrideState => useSyncExternalStore(follow, () => state)

/**
 * Takes the question of a link out of the address, so that it is asked once and is in no bookmark. It waits through a
 * sign-in.
 */
export function takeQuestion(): void {
  const { href } = location
  const url = new URL(href)
  const given = url.searchParams.get(overrideParameter)
  if (given !== null) {
    url.searchParams.delete(overrideParameter)
    history.replaceState(history.state, '', url)
    if (parseOverride(given)) sessionStorage.setItem(askedKey, given)
  }
  change({ asked: parseOverride(sessionStorage.getItem(askedKey) ?? '') ?? null })
}

/** Asks as a link would: the status page's button. */
export function ask(part: string, source: string): void {
  sessionStorage.setItem(askedKey, `${part}@${source}`)
  change({ asked: { part, source } })
}

/** The question was answered, either way. */
export function forgetQuestion(): void {
  sessionStorage.removeItem(askedKey)
  change({ asked: null })
}

/** An override that does not work takes itself out and says so; the next page has what is live. */
export function takeOut(part: string, reason: string): void {
  if (state.gone.some((gone) => gone.part === part)) return
  change({ gone: [...state.gone, { part, reason }] })
  // Without an answer it is tried, and taken out, again at the next page.
  void call(remove, { part }).catch(() => undefined)
}

/** For tests. */
export const forgetAll = (): void => change({ asked: null, gone: [] })
