import type { GuestPage } from '@dmp/contract/guest'

const prefix = 'preference:'

/** A guest's frame has no storage; its page has the choices that count while it is shown. */
function readGiven(name: string): string | null {
  const text = globalThis.document?.getElementById('dmp-guest')?.textContent
  if (!text) return null
  const { preferences } = JSON.parse(text) as GuestPage
  return Object.hasOwn(preferences, name) ? (preferences[name] ?? null) : null
}

/** Small choices that a browser remembers for its user and that are not secret, such as the theme. */
export const preferences = {
  /** The key in the local storage, as other tabs hear of it. */
  key: (name: string): string => prefix + name,
  read(name: string): string | null {
    try {
      return localStorage.getItem(prefix + name)
    } catch {
      return readGiven(name)
    }
  },
  write(name: string, value: string): void {
    try {
      localStorage.setItem(prefix + name, value)
    } catch {
      // Without storage, the choice lasts as long as the page.
    }
  },
}
