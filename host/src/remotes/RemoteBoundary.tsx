import type { RemoteOnPage } from '@dmp/contract/release'
import { reportError } from '@dmp/kit'
import { Skeleton } from '@dmp/kit/ui'
import { Component, Suspense, type ReactNode } from 'react'
import { forgetRemote } from './loadRemote.ts'
import { RemoteCard } from './RemoteCard.tsx'
import { isOutdatedFile, reloadOutdatedPage } from './recovery.ts'
import { RemoteError } from './RemoteError.ts'

interface Props {
  readonly remote: RemoteOnPage
  /** Draws the failure; the page-wide card when absent. */
  readonly failure?: (error: RemoteError, retry: () => void) => ReactNode
  readonly waiting?: ReactNode
  readonly children: ReactNode
}

interface State {
  readonly error: RemoteError | null
  /** It is being found out whether loading the page again would help. */
  readonly isRecovering: boolean
}

/**
 * The ring around a remote: shows its wait and its failure in its own place, and lets it be tried again. The rest of
 * the page lives on.
 */
export class RemoteBoundary extends Component<Props, State> {
  override state: State = { error: null, isRecovering: false }

  static getDerivedStateFromError(error: unknown): State {
    const known =
      error instanceof RemoteError
        ? error
        : new RemoteError(isChunk(error) ? 'chunk' : 'render', { remote: '', release: '', url: '' }, { cause: error })
    return { error: known, isRecovering: isOutdatedFile(known.fault) }
  }

  override componentDidCatch(error: unknown): void {
    const { declaration, releaseId } = this.props.remote
    reportError(error, `${declaration.name}@${releaseId}`)
    // A card among others is not worth a reload: there the newer version is offered only.
    if (this.state.isRecovering && !this.props.failure)
      void reloadOutdatedPage().then((isLeaving) => isLeaving || this.setState({ isRecovering: false }))
  }

  retry = (): void => {
    // What failed while drawing is drawn again; what failed to load is loaded again.
    if (this.state.error?.fault !== 'render') forgetRemote(this.props.remote)
    this.setState({ error: null, isRecovering: false })
  }

  override render(): ReactNode {
    const { remote, failure, waiting = <Waiting />, children } = this.props
    const { error, isRecovering } = this.state
    if (error !== null && isRecovering && !failure) return waiting
    if (error !== null)
      return failure ? failure(error, this.retry) : <RemoteCard remote={remote} error={error} onRetry={this.retry} />
    return <Suspense fallback={waiting}>{children}</Suspense>
  }
}

/** Webpack's word for a screen of the remote that it could not fetch. */
const isChunk = (error: unknown): boolean => error instanceof Error && error.name === 'ChunkLoadError'

function Waiting() {
  return (
    <div className="dmp-waiting" role="status" aria-label="Loading">
      <Skeleton rows={6} />
    </div>
  )
}
