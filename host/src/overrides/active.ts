import { overrideParameter, type Override } from '@dmp/contract/override'
import { snapshot } from '../composition/snapshot.ts'

/** Where a link's question waits for whoever has to sign in first. */
export const askedKey = 'dmp-override'

/** What this browser gets in place of what is live; the server put it into the page, and let it in. */
export const overrides = (): readonly Override[] => snapshot().overrides ?? []

/** The override of a part. */
export const overrideOf = (part: string): Override | undefined => overrides().find((override) => override.part === part)

/** Origins of development servers that scripts of this page may come from. */
export const localOrigins = (): readonly string[] =>
  overrides().flatMap(({ address }) => (address === undefined ? [] : [new URL(address).origin]))

/** Whether anything here is about overrides; what shows and does it is loaded only then. */
export function concernsOverrides(): boolean {
  return overrides().length > 0 || new URLSearchParams(location.search).has(overrideParameter) || isWaiting()
}

function isWaiting(): boolean {
  try {
    return sessionStorage.getItem(askedKey) !== null
  } catch {
    return false
  }
}
