import { overrideParameter, previewParameter, type Override } from '@dmp/contract/override'
import { snapshot } from './snapshot.ts'

/** Keeps a link's question in the tab until the user has signed in. */
export const questionKey = 'dmp-override'
/** The same for the address of a preview. */
export const previewQuestionKey = 'dmp-preview'

/** The overrides of this browser. The server checked them and put them into the page. */
export const overrides = (): readonly Override[] => snapshot().overrides ?? []

/** Returns the override of a part. */
export const findOverride = (part: string): Override | undefined =>
  overrides().find((override) => override.part === part)

/** Origins of development servers that scripts of this page may come from. */
export const devServerOrigins = (): readonly string[] =>
  overrides().flatMap(({ address }) => (address === undefined ? [] : [new URL(address).origin]))

/** Returns whether this page has overrides or a link asks for one. The code for them is loaded only then. */
export function hasOverridesOrQuestion(): boolean {
  const query = new URLSearchParams(location.search)
  const isAsked = query.has(overrideParameter) || query.has(previewParameter)
  return overrides().length > 0 || isAsked || hasStoredQuestion()
}

function hasStoredQuestion(): boolean {
  try {
    return [questionKey, previewQuestionKey].some((key) => sessionStorage.getItem(key) !== null)
  } catch {
    return false
  }
}
