import { useEffect, useId } from 'react'
import { create } from 'zustand'

/** The components that hold something typed and unsaved, and whether it comes back after a reload. */
const useDirtyStore = create<{ readonly held: readonly { readonly id: string; readonly isKept: boolean }[] }>()(() => ({
  held: [],
}))

const remove = (id: string) => useDirtyStore.setState(({ held }) => ({ held: held.filter((other) => other.id !== id) }))

// The browser's own question; its text cannot be chosen.
function askBrowser(event: BeforeUnloadEvent): void {
  if (hasUnsaved()) event.preventDefault()
}
if (typeof window !== 'undefined') window.addEventListener('beforeunload', askBrowser)

/**
 * Says that this component holds something typed and unsaved: leaving, reloading and the end of the session then ask
 * first (P27). `SchemaForm` does it by itself. Answers a function that lets go at once, for leaving right after a save.
 *
 * @param isKept all of it is there again after a reload, as a draft
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

/** Whether anything on the page is typed and unsaved. */
export function hasUnsaved(): boolean {
  return useDirtyStore.getState().held.length > 0
}

/** Whether a reload would lose something typed. */
export function hasUnkept(): boolean {
  return useDirtyStore.getState().held.some(({ isKept }) => !isKept)
}

/** Follows `hasUnsaved`. */
export function useHasUnsaved(): boolean {
  return useDirtyStore(({ held }) => held.length > 0)
}

/** Nothing is worth asking about any more: the person chose to leave, or the account changed. */
export function forgetUnsaved(): void {
  useDirtyStore.setState({ held: [] })
}
