import { useUser } from '@dmp/kit'
import { Screen } from '@dmp/kit/screen'
import { listCards } from './listCards.ts'
import { ContributedCard } from './ContributedCard.tsx'
import { remotes } from '../remotes/snapshot.ts'
import './dashboard.css'

/** 2.09, and below it what the viewer can act on: each card from the remote that owns it, each failing alone. */
export function DashboardScreen() {
  const { roleDisplayName, policy } = useUser()
  return (
    <Screen title="Dashboard">
      <p>This is the {roleDisplayName} dashboard</p>
      <div className="dmp-cards">
        {listCards(remotes(), policy).map(({ remote, card }) => (
          <ContributedCard key={`${remote.declaration.name} ${card.name}`} remote={remote} card={card} />
        ))}
      </div>
    </Screen>
  )
}
