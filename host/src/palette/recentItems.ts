import type { Policy } from '@dmp/contract/endpoint'
import { isFor } from '@dmp/contract/remote'
import { onPersonChange } from '@dmp/kit'
import type { Item } from './Item.ts'

const shown = 6

/** The newest first. They may name patients: only this tab knows them, and only for this person (P23). */
let items: readonly Item[] = []
onPersonChange(() => {
  items = []
})

export const recentItems = {
  /** Those that the policy still shows. */
  list: (policy: Policy): readonly Item[] => items.filter(({ needs }) => isFor(policy, needs)),
  add(item: Item): void {
    if (item.to === undefined) return
    items = [item, ...items.filter(({ id }) => id !== item.id)].slice(0, shown)
  },
}
