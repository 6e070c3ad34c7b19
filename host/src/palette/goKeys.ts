import { dataWord } from '@dmp/kit/language'
import type { Policy } from '@dmp/contract/endpoint'
import { navigationFor, type Declaration } from '@dmp/contract/remote'

/** The pages that a letter after g leads to. Of two pages with one letter, the upper one of the navigation has it. */
export function goKeys(
  declarations: readonly Declaration[],
  policy: Policy,
): readonly { readonly keys: string; readonly title: string; readonly to: string }[] {
  const entries = navigationFor(declarations, policy).flatMap(({ key, alias, routerLink }) =>
    key === undefined ? [] : [{ keys: `g ${key}`, title: dataWord(alias), to: routerLink }],
  )
  return entries.filter(({ keys }, at) => entries.findIndex((other) => other.keys === keys) === at)
}
