import { useEffect, useId } from 'react'
import { create } from 'zustand'

/** Ids of the components that hold something typed and unsaved. */
const useDirtyStore = create<{ readonly ids: readonly string[] }>()(() => ({ ids: [] }))

const remove = (id: string) => useDirtyStore.setState(({ ids }) => ({ ids: ids.filter((other) => other !== id) }))

// The browser's own question; its text cannot be chosen.
function askBrowser(event: BeforeUnloadEvent): void {
  if (hasUnsaved()) event.preventDefault()
}
if (typeof window !== 'undefined') window.addEventListener('beforeunload', askBrowser)

/**
 * Says that this component holds something typed and unsaved: leaving, reloading and the end of the session then ask first (P27).
 * `SchemaForm` does it by itself. Answers a function that lets go at once, for leaving right after a save.
 */
export function useUnsaved(isDirty: boolean): () => void {
  const id = useId()
  // The registry lives outside React, because the end of a session asks it.
  useEffect(() => {
    if (!isDirty) return
    useDirtyStore.setState(({ ids }) => ({ ids: [...ids, id] }))
    return () => remove(id)
  }, [id, isDirty])
  return () => remove(id)
}

/** Whether anything on the page is typed and unsaved. */
export function hasUnsaved(): boolean {
  return useDirtyStore.getState().ids.length > 0
}

/** Follows `hasUnsaved`. */
export function useHasUnsaved(): boolean {
  return useDirtyStore(({ ids }) => ids.length > 0)
}

/** Nothing is worth asking about any more: the person chose to leave, or the account changed. */
export function forgetUnsaved(): void {
  useDirtyStore.setState({ ids: [] })
}
