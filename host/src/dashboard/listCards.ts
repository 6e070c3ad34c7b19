import type { Policy } from '@dmp/contract/endpoint'
import type { RemoteOnPage } from '@dmp/contract/release'
import { isFor, type DashboardCard } from '@dmp/contract/remote'

export interface Contribution {
  readonly remote: RemoteOnPage
  readonly card: DashboardCard
}

/** Returns the cards that the remotes declare for this policy, in order. */
export function listCards(remotes: readonly RemoteOnPage[], policy: Policy): Contribution[] {
  return remotes
    .flatMap((remote) => remote.declaration.cards.map((card) => ({ remote, card })))
    .filter(({ card }) => isFor(policy, card.needs))
    .sort((a, b) => a.card.order - b.card.order)
}
