import { useEffect, useId } from 'react'
import { create } from 'zustand'
import { onPersonChange } from './person.ts'

/** The components with unsaved input, and whether a reload restores it. */
const useDirtyStore = create<{ readonly held: readonly { readonly id: string; readonly isKept: boolean }[] }>()(() => ({
  held: [],
}))

const remove = (id: string) => useDirtyStore.setState(({ held }) => ({ held: held.filter((other) => other.id !== id) }))

// The browser asks in its own words.
function askBrowser(event: BeforeUnloadEvent): void {
  if (hasUnsaved()) event.preventDefault()
}
if (typeof window !== 'undefined') window.addEventListener('beforeunload', askBrowser)

/**
 * Registers that this component holds unsaved input, so that leaving, reloading and the end of the session ask first
 * (P27).
 * `SchemaForm` does so itself. Returns a function that releases the component at once, for leaving right after a save.
 *
 * @param isKept whether a draft restores all of it after a reload
 */
export function useUnsaved(isDirty: boolean, isKept = false): () => void {
  const id = useId()
  // The registry lives outside React, because the end of a session asks it.
  useEffect(() => {
    if (!isDirty) return
    useDirtyStore.setState(({ held }) => ({ held: [...held, { id, isKept }] }))
    return () => remove(id)
  }, [id, isDirty, isKept])
  return () => remove(id)
}

/** Whether anything on the page is unsaved. */
export function hasUnsaved(): boolean {
  return useDirtyStore.getState().held.length > 0
}

/** Whether a reload would lose unsaved input. */
export function hasUnkept(): boolean {
  return useDirtyStore.getState().held.some(({ isKept }) => !isKept)
}

/** Follows `hasUnsaved`. */
export function useHasUnsaved(): boolean {
  return useDirtyStore(({ held }) => held.length > 0)
}

/** Forgets all unsaved input, after the person chose to leave or the account changed. */
export function forgetUnsaved(): void {
  useDirtyStore.setState({ held: [] })
}
onPersonChange(forgetUnsaved)
