import { overrideParameter } from '@dmp/contract/override'
import { reportError } from '@dmp/kit'
import { Component, type ReactNode } from 'react'
import { settleDrawn } from '../remotes/drawnPage.ts'
import { overrides } from '../remotes/activeOverrides.ts'
import { reloadOutdatedPage } from '../remotes/reloadOutdatedPage.ts'

/** The outermost error boundary. Uses plain elements only, because anything else may be the cause of the failure. */
export class HostBoundary extends Component<{ readonly children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true }
  }

  override componentDidCatch(error: unknown): void {
    settleDrawn()
    reportError(error, 'host')
    if (error instanceof Error && error.name === 'ChunkLoadError') void reloadOutdatedPage()
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children
    return (
      <main className="dmp-host-failure" role="alert">
        <h1>Something went wrong</h1>
        <p>The application stopped because of an error. Reload the page to continue. Nothing you saved is lost.</p>
        <button type="button" onClick={() => location.reload()}>
          Reload the page
        </button>
        {overrides().length > 0 && (
          <p>
            This browser does not use the live release. <a href={`?${overrideParameter}=off`}>Turn the override off</a>
          </p>
        )}
      </main>
    )
  }
}
