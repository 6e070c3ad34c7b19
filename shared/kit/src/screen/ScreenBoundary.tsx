import { CallError, forgetFailures, reportError } from '@dmp/kit'
import { Component, Suspense, type ReactNode } from 'react'
import { ErrorAlert } from './ErrorAlert.tsx'
import { useContent } from '../firstContent.ts'
import { Waiting } from './Waiting.tsx'

interface Props {
  /** The place named in the error report: 'scan/detail'. */
  readonly name?: string
  readonly children: ReactNode
}

/**
 * Shows a skeleton while its children wait, and the error with a retry when they fail. Errors outside of calls are
 * reported.
 */
export class ScreenBoundary extends Component<Props, { error: unknown }> {
  override state: { error: unknown } = { error: null }

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override componentDidCatch(error: unknown): void {
    if (!(error instanceof CallError)) reportError(error, this.props.name ?? 'screen')
  }

  override componentDidMount(): void {
    addEventListener('online', this.retryWhenOnline)
    addEventListener('dmp:updated', this.retryWhenUpdated)
  }

  override componentWillUnmount(): void {
    removeEventListener('online', this.retryWhenOnline)
    removeEventListener('dmp:updated', this.retryWhenUpdated)
  }

  // A page that failed without a connection retries once it is back (P28).
  retryWhenOnline = (): void => {
    if (this.state.error instanceof CallError && this.state.error.status === 0) this.retry()
  }

  // Under `npm run dev` an edit may have mended what failed.
  retryWhenUpdated = (): void => {
    if (this.state.error !== null) this.retry()
  }

  retry = (): void => {
    forgetFailures()
    this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error !== null) return <ErrorAlert error={toShown(error)} onRetry={this.retry} />
    return (
      <Suspense fallback={<Waiting name={this.props.name} />}>
        {this.props.children}
        <Content />
      </Suspense>
    )
  }
}

/** Stands beside the screen's content, and is there when that is. */
function Content() {
  useContent()
  return null
}

/** What a screen reads it names by its address: one that is no id leads nowhere, and ids are not people's business. */
function toShown(error: unknown): unknown {
  if (!(error instanceof CallError)) return new Error('This part of the page could not be shown.')
  return error.code === 'INVALID' ? new Error('This does not exist, or you have no access to it.') : error
}
