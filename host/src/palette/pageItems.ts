import { dataWord } from '@dmp/kit/language'
import type { Policy } from '@dmp/contract/endpoint'
import { getRoute, isFor, navigationFor, type Declaration } from '@dmp/contract/remote'
import { goKeys } from './goKeys.ts'
import type { Item } from './Item.ts'

/** The pages of the navigation. */
export function listPages(declarations: readonly Declaration[], policy: Policy): readonly Item[] {
  return navigationFor(declarations, policy).map((entry) => ({
    id: `page ${entry.routerLink}`,
    text: dataWord(entry.alias),
    note: entry.group && dataWord(entry.group),
    words: getRoute(declarations, entry.routerLink)?.owner.title,
    keys: goKeys(declarations, policy).find(({ to }) => to === entry.routerLink)?.keys,
    needs: entry,
    to: entry.routerLink,
  }))
}

/** The actions and settings that the parts declare. */
export function listCommands(declarations: readonly Declaration[], policy: Policy): readonly Item[] {
  return declarations
    .flatMap(({ commands = [] }) => commands)
    .filter(({ needs, routerLink }) => isFor(policy, needs) && getRoute(declarations, routerLink) !== undefined)
    .map(({ title, routerLink, needs, words }) => ({
      id: `command ${title}`,
      text: dataWord(title),
      words,
      needs,
      to: routerLink,
    }))
}
