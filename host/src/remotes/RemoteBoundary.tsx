import type { RemoteOnPage } from '@dmp/contract/release'
import { reportError } from '@dmp/kit'
import { Skeleton } from '@dmp/kit/ui'
import { Component, Suspense, type ReactNode } from 'react'
import { forgetRemote } from './loadRemote.ts'
import { RemoteCard } from './RemoteCard.tsx'
import { isOutdatedFile, reloadOutdatedPage } from './reloadOutdatedPage.ts'
import { RemoteError } from './RemoteError.ts'

interface Props {
  readonly remote: RemoteOnPage
  /** Renders the failure; by default the page-wide card. */
  readonly failure?: (error: RemoteError, retry: () => void) => ReactNode
  readonly waiting?: ReactNode
  readonly children: ReactNode
}

interface State {
  readonly error: RemoteError | null
  /** The page is checking whether a reload would help. */
  readonly isRecovering: boolean
}

/**
 * The boundary around a remote: shows loading and failure in the remote's place and offers a retry. The rest of the
 * page keeps working.
 */
export class RemoteBoundary extends Component<Props, State> {
  override state: State = { error: null, isRecovering: false }

  static getDerivedStateFromError(error: unknown): State {
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
    reportError(error, `${declaration.name}@${releaseId}`)
    // A dashboard card is not worth a reload; the newer version is only offered.
    if (this.state.isRecovering && !this.props.failure)
      void reloadOutdatedPage().then((isLeaving) => isLeaving || this.setState({ isRecovering: false }))
  }

  retry = (): void => {
    // A screen that failed to render is rendered again; a remote that failed to load is loaded again.
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

/** Webpack's error for a script of the remote that it could not fetch. */
const isChunkLoadError = (error: unknown): boolean => error instanceof Error && error.name === 'ChunkLoadError'

function Waiting() {
  return (
    <div className="dmp-waiting" role="status" aria-label="Loading">
      <Skeleton rows={6} />
    </div>
  )
}
