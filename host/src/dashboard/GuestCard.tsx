import { dataWord } from '@dmp/kit/language'
import { Link } from '@dmp/kit/router'
import type { Contribution } from './listCards.ts'

/** A guest's card: its code does not run on the dashboard, so the shell draws its title and the way to it. */
export function GuestCard({ remote, card }: Contribution) {
  const { title, navigation, routes } = remote.declaration
  const to = navigation[0]?.routerLink ?? routes[0]?.prefix ?? '/'
  return (
    <section className="dmp-card" aria-label={dataWord(card.title)} data-card={card.name}>
      <h2>{dataWord(card.title)}</h2>
      <div className="dmp-card-body">
        <Link to={to}>Open {dataWord(title)}</Link>
      </div>
    </section>
  )
}
