import { useSessionStore } from './store.ts'

const prefix = 'draft:'
// Per tab, so that a shared machine keeps nothing after the window closes.
const toKey = (name: string): string => `${prefix}${useSessionStore.getState().user?.email ?? ''}:${name}`

/** Values typed into forms and not sent yet, for the same user in the same tab (P27). Never secrets. */
export const drafts = {
  read(name: string): Record<string, unknown> | null {
    try {
      const value: unknown = JSON.parse(sessionStorage.getItem(toKey(name)) ?? 'null')
      return typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as Record<string, unknown>)
        : null
    } catch {
      return null
    }
  },
  write(name: string, values: Record<string, unknown>): void {
    try {
      sessionStorage.setItem(toKey(name), JSON.stringify(values))
    } catch {
      // Storage is full (images are large); an older draft would be misleading.
      drafts.remove(name)
    }
  },
  remove(name: string): void {
    try {
      sessionStorage.removeItem(toKey(name))
    } catch {
      // Blocked storage holds no draft either.
    }
  },
  /** Removes all drafts, as at a sign-out. */
  removeAll(): void {
    try {
      for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
    } catch {
      // Blocked storage holds no draft either.
    }
  },
}
