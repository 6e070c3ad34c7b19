import { overrideParameter, type Override } from '@dmp/contract/override'
import { snapshot } from './snapshot.ts'

/** Where a link's question waits for whoever has to sign in first. */
export const questionKey = 'dmp-override'

/** What this browser gets in place of what is live; the server put it into the page, and let it in. */
export const overrides = (): readonly Override[] => snapshot().overrides ?? []

/** The override of a part. */
export const findOverride = (part: string): Override | undefined =>
  overrides().find((override) => override.part === part)

/** Origins of development servers that scripts of this page may come from. */
export const devServerOrigins = (): readonly string[] =>
  overrides().flatMap(({ address }) => (address === undefined ? [] : [new URL(address).origin]))

/** Whether anything here is about overrides; what shows and does it is loaded only then. */
export function hasOverridesOrQuestion(): boolean {
  return overrides().length > 0 || new URLSearchParams(location.search).has(overrideParameter) || hasStoredQuestion()
}

function hasStoredQuestion(): boolean {
  try {
    return sessionStorage.getItem(questionKey) !== null
  } catch {
    return false
  }
}
