import type { RemoteOnPage } from '@dmp/contract/release'
import { isAsking, reportError } from '@dmp/kit'
import { Waiting } from '@dmp/kit/screen'
import { Component, Suspense, useEffect, useLayoutEffect, useState, type ReactNode } from 'react'
import { carryOver, settleDrawn } from './drawnPage.ts'
import { noteEnd, type Module } from './beginnings.ts'
import { ground } from './ground.ts'
import { findMissingFile, forgetRemote, msSinceLoaded } from './loadRemote.ts'
import { renewFile } from './loadScript.ts'
import { markDrawn, markPart } from './pageMarks.ts'
import { isFrameHidden, isPlaceEmpty, showFrame } from './onPage.ts'
import { RemoteCard } from './RemoteCard.tsx'
import { isOutdatedFile, reloadOutdatedPage } from './reloadOutdatedPage.ts'
import { RemoteError } from './RemoteError.ts'
import { recordObservation } from './releaseReports.ts'
import { snapshot } from './snapshot.ts'

/** A part that is loaded and draws nothing for this long gets a card; its screens draw a frame before their data. */
export const patienceMs = 12_000
/** A page that answers this long after a part was drawn is not held up by it. */
const answersAfterMs = 1000

interface Props {
  readonly remote: RemoteOnPage
  /** Renders the failure; by default the page-wide card. */
  readonly failure?: (error: RemoteError, retry: () => void) => ReactNode
  readonly waiting?: ReactNode
  /** What of the remote is drawn; a card shows nothing of its own while it is late. */
  readonly module?: Module
  readonly children: ReactNode
}

interface State {
  readonly error: RemoteError | null
  /** The page is checking whether a reload would help. */
  readonly isRecovering: boolean
  /** Counts the tries: another one is drawn from the beginning. */
  readonly round: number
}

/**
 * The boundary around a remote: shows loading and failure in the remote's place and offers a retry. The rest of the
 * page keeps working.
 */
export class RemoteBoundary extends Component<Props, State> {
  override state: State = { error: null, isRecovering: false, round: 0 }

  static getDerivedStateFromError(error: unknown): Partial<State> {
    const remoteError =
      error instanceof RemoteError
        ? error
        : new RemoteError(
            isChunkLoadError(error) ? 'chunk' : 'render',
            { remote: '', release: '', url: '' },
            { cause: error },
          )
    return { error: remoteError, isRecovering: isOutdatedFile(remoteError.fault) }
  }

  override componentDidCatch(error: unknown): void {
    const { declaration, releaseId } = this.props.remote
    noteEnd(declaration.name, this.#module)
    settleDrawn()
    reportError(error, `${declaration.name}@${releaseId}`)
    const file = findMissingFile(error)
    if (file !== undefined) void renewFile(file)
    // A dashboard card is not worth a reload; the newer version is only offered.
    if (this.state.isRecovering && !this.props.failure)
      void reloadOutdatedPage().then((isLeaving) => isLeaving || this.setState({ isRecovering: false }))
  }

  retry = (): void => {
    // A screen that failed to render is rendered again; a remote that failed to load is loaded again.
    if (this.state.error?.fault !== 'render') forgetRemote(this.props.remote)
    this.setState(({ round }) => ({ error: null, isRecovering: false, round: round + 1 }))
  }

  // Under `npm run dev` an edit may have mended what failed.
  retryWhenUpdated = (): void => {
    if (this.state.error?.fault === 'render') this.retry()
  }

  get #module(): Module {
    return this.props.module ?? './App'
  }

  override componentDidMount(): void {
    addEventListener('dmp:updated', this.retryWhenUpdated)
    if (this.#module !== './App') return
    const { declaration, releaseId } = this.props.remote
    ground()?.enter(declaration.name)
    markPart(declaration.name, releaseId)
  }

  override componentWillUnmount(): void {
    removeEventListener('dmp:updated', this.retryWhenUpdated)
    noteEnd(this.props.remote.declaration.name, this.#module)
    if (this.#module !== './App') return
    leave(this.props.remote)
    markPart('host', snapshot().host)
  }

  /** The part took the page away from the user: what it draws goes, and its styles with it. */
  stop = (): void => {
    const { declaration, releaseId, entry } = this.props.remote
    showFrame(declaration.name)
    const error = new RemoteError('hides', { remote: declaration.name, release: releaseId, url: entry })
    recordObservation(declaration.name, releaseId, 'error')
    reportError(error, `${declaration.name}@${releaseId}`)
    this.setState({ error })
  }

  override render(): ReactNode {
    const { remote, failure, waiting = <Waiting />, children } = this.props
    const { error, isRecovering, round } = this.state
    if (error !== null && isRecovering && !failure) return waiting
    if (error !== null)
      return failure ? failure(error, this.retry) : <RemoteCard remote={remote} error={error} onRetry={this.retry} />
    const late = this.#module === './cards' ? waiting : <Late remote={remote} waiting={waiting} onRetry={this.retry} />
    return (
      <Suspense key={round} fallback={late}>
        {children}
        <Drawn remote={remote} module={this.#module} onRetry={this.retry} onHidden={this.stop} />
      </Suspense>
    )
  }
}

/** What a part's effects do not take away when it is left is taken away this much later, and its team is told. */
const leavingMs = 1000

function leave({ declaration: { name }, releaseId }: RemoteOnPage): void {
  const undo = ground()?.leave(name)
  if (undo === undefined) return
  setTimeout(() => {
    const undone = undo()
    if (undone.length > 0)
      reportError(new Error(`It was left and kept on the page: ${undone.join(', ')}.`), `${name}@${releaseId}`)
  }, leavingMs)
}

/**
 * Stands beside what a remote draws, and is there when that is. A part's screens may also be nothing at all, which
 * gets the same card as if they never came, or hide the page around them.
 */
function Drawn({
  remote,
  module,
  onRetry,
  onHidden,
}: {
  remote: RemoteOnPage
  module: Module
  onRetry: () => void
  onHidden: () => void
}) {
  const [isNothing, setNothing] = useState(false)
  const part = remote.declaration.name
  useLayoutEffect(() => carryOver(), [])
  useEffect(() => {
    settleDrawn()
    const timers = [setTimeout(() => noteEnd(part, module), answersAfterMs)]
    if (module === './App') {
      markDrawn(part)
      timers.push(
        setTimeout(() => isFrameHidden() && onHidden(), answersAfterMs),
        setTimeout(() => {
          if (!isPlaceEmpty() || isAsking()) return
          recordObservation(part, remote.releaseId, 'unready')
          setNothing(true)
        }, patienceMs),
      )
    }
    return () => timers.forEach(clearTimeout)
  }, [part, module, remote.releaseId, onHidden])
  return isNothing ? <UnreadyCard remote={remote} onRetry={onRetry} /> : null
}

/** What is shown while a remote draws nothing: first the skeleton, then a card with a way out. */
function Late({ remote, waiting, onRetry }: { remote: RemoteOnPage; waiting: ReactNode; onRetry: () => void }) {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setInterval(() => {
      // While a call is under way it is the server that is waited for.
      if ((msSinceLoaded(remote) ?? 0) < patienceMs || isAsking()) return
      recordObservation(remote.declaration.name, remote.releaseId, 'unready')
      setLate(true)
    }, 1000)
    return () => clearInterval(timer)
  }, [remote])
  if (!isLate) return waiting
  return <UnreadyCard remote={remote} onRetry={onRetry} />
}

function UnreadyCard({ remote, onRetry }: { remote: RemoteOnPage; onRetry: () => void }) {
  const origin = { remote: remote.declaration.name, release: remote.releaseId, url: remote.entry }
  return <RemoteCard remote={remote} error={new RemoteError('unready', origin)} onRetry={onRetry} />
}

/** Webpack's error for a script of the remote that it could not fetch. */
const isChunkLoadError = (error: unknown): boolean => error instanceof Error && error.name === 'ChunkLoadError'
