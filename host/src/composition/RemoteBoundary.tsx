import type { RemoteOnPage } from '@dmp/contract/release'
import { reportError } from '@dmp/kit'
import { Skeleton } from '@dmp/kit/ui'
import { Component, Suspense, type ReactNode } from 'react'
import { forgetRemote } from './loadRemote.ts'
import { RemoteCard } from './RemoteCard.tsx'
import { RemoteError } from './RemoteError.ts'

interface Props {
  readonly remote: RemoteOnPage
  /** Draws the failure; the page-wide card when absent. */
  readonly failure?: (error: RemoteError, retry: () => void) => ReactNode
  readonly waiting?: ReactNode
  readonly children: ReactNode
}

/** The ring around a remote: shows its wait and its failure in its own place, and lets it be tried again. The rest of the page lives on. */
export class RemoteBoundary extends Component<Props, { error: RemoteError | null }> {
  override state: { error: RemoteError | null } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: RemoteError } {
    return { error: error instanceof RemoteError ? error : new RemoteError('render', { remote: '', release: '', url: '' }, { cause: error }) }
  }

  override componentDidCatch(error: unknown): void {
    const { declaration, releaseId } = this.props.remote
    reportError(error, `${declaration.name}@${releaseId}`)
  }

  retry = (): void => {
    // What failed while drawing is drawn again; what failed to load is loaded again.
    if (this.state.error?.fault !== 'render') forgetRemote(this.props.remote)
    this.setState({ error: null })
  }

  override render(): ReactNode {
    const { remote, failure, waiting = <Waiting />, children } = this.props
    const { error } = this.state
    if (error !== null) return failure ? failure(error, this.retry) : <RemoteCard remote={remote} error={error} onRetry={this.retry} />
    return <Suspense fallback={waiting}>{children}</Suspense>
  }
}

function Waiting() {
  return (
    <div className="dmp-waiting" role="status" aria-label="Loading">
      <Skeleton rows={6} />
    </div>
  )
}
