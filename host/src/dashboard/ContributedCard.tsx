import { readPromise } from '../remotes/readPromise.ts'
import { loadRemote } from '../remotes/loadRemote.ts'
import { useTexts } from '../remotes/useTexts.ts'
import { RemoteBoundary } from '../remotes/RemoteBoundary.tsx'
import { RemoteError } from '../remotes/RemoteError.ts'
import { dataWord } from '@dmp/kit/language'
import { ErrorAlert, ScreenBoundary } from '@dmp/kit/screen'
import { Skeleton } from '@dmp/kit/ui'
import type { Contribution } from './listCards.ts'

const toClass = ({ mayBeEmpty = false, isWide = false }: Contribution['card']): string =>
  `dmp-card${mayBeEmpty ? ' dmp-card--may-be-empty' : ''}${isWide ? ' dmp-card--wide' : ''}`

/** One card of the dashboard in its own error boundary. */
export function ContributedCard({ remote, card }: Contribution) {
  const failure = (error: RemoteError, retry: () => void) => (
    <ErrorAlert error={new Error(error.sentence)} onRetry={retry} />
  )
  return (
    <section className={toClass(card)} aria-label={dataWord(card.title)} data-card={card.name}>
      <h2>{dataWord(card.title)}</h2>
      <div className="dmp-card-body">
        <RemoteBoundary
          remote={remote}
          module="./cards"
          failure={failure}
          waiting={<Skeleton rows={3} title={false} />}
        >
          <Loaded remote={remote} card={card} />
        </RemoteBoundary>
      </div>
    </section>
  )
}

function Loaded({ remote, card }: Contribution) {
  useTexts()
  const Card = readPromise(loadRemote(remote, './cards'))[card.name]
  if (Card === undefined)
    throw new RemoteError('module', { remote: remote.declaration.name, release: remote.releaseId, url: remote.entry })
  return (
    <ScreenBoundary name={`${remote.declaration.name}/${card.name}`}>
      <Card />
    </ScreenBoundary>
  )
}
