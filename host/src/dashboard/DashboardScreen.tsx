import { useUser } from '@dmp/kit'
import { dataWord } from '@dmp/kit/language'
import { Screen } from '@dmp/kit/screen'
import { listCards } from './listCards.ts'
import { ContributedCard } from './ContributedCard.tsx'
import { GuestCard } from './GuestCard.tsx'
import { remotes } from '../remotes/snapshot.ts'
import './dashboard.css'

/**
 * 2.09: the role's sentence, and below it cards that the user can act on. Each card comes from its remote and fails
 * alone.
 */
export function DashboardScreen() {
  const { roleDisplayName: role, policy } = useUser()
  const roleDisplayName = dataWord(role)
  return (
    <Screen title="Dashboard">
      <p>This is the {roleDisplayName} dashboard</p>
      <div className="dmp-cards">
        {listCards(remotes(), policy).map(({ remote, card }) => {
          const Drawn = remote.guest ? GuestCard : ContributedCard
          return <Drawn key={`${remote.declaration.name} ${card.name}`} remote={remote} card={card} />
        })}
      </div>
    </Screen>
  )
}
