import { startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { isDrawn } from './remotes/drawnPage.ts'
import { askBeforeLeaving } from './remotes/askBeforeLeaving.ts'
import { findRemote } from './remotes/prefetch.ts'
import { loadRemote } from './remotes/loadRemote.ts'
import { recordError, observePage } from './remotes/releaseReports.ts'
import { hasOverridesOrQuestion } from './remotes/activeOverrides.ts'

/**
 * The page requests the remote's scripts together with the host's. A remote that arrives within this time is drawn
 * without a skeleton first.
 */
const patienceMs = 250

/** Draws the application into the page. */
export async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root.')
  observePage()
  askBeforeLeaving()
  // From here on the host reports errors; until now the page's own script did.
  root.dataset.watched = ''
  if (hasOverridesOrQuestion()) await prepareOverrides()
  const remote = findRemote(location.pathname === '/' ? '/login' : location.pathname)
  if (remote)
    await Promise.race([
      loadRemote(remote, './App').catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, patienceMs)),
    ])
  // A transition renders in slices, so clicks and keys are handled in between.
  startTransition(() =>
    isDrawn(root)
      ? void hydrateRoot(root, <App />, { onCaughtError: noteCaught, onRecoverableError: noteAnew })
      : createRoot(root, { onCaughtError: noteCaught }).render(<App />),
  )
  whenIdle(() => void import('./remotes/pageTimes.ts').then(({ observeTimes }) => observeTimes(), ignore))
}

/** What only measures comes behind what people wait for; the browser remembers until then. */
const whenIdle = (run: () => void): void =>
  globalThis.requestIdleCallback === undefined
    ? void setTimeout(run, idleMs)
    : void requestIdleCallback(run, { timeout: idleMs })
const idleMs = 5000
const ignore = (): undefined => undefined

/** An error that reaches a boundary is one that the screen's code did not expect. */
function noteCaught(error: unknown, { componentStack }: { componentStack?: string | undefined }): void {
  console.error(error)
  recordError(error, componentStack ?? '')
}

/** The markup was not what this code draws, which is drawn in its place; nothing that was typed is lost. */
function noteAnew(error: unknown): void {
  console.warn('The page was drawn anew.', error)
}

/** Runs before the first render: the declaration of a development server decides which addresses exist. */
async function prepareOverrides(): Promise<void> {
  try {
    const [{ readQuestion }, { adoptDevServers }] = await Promise.all([
      import('./remotes/overrideState.ts'),
      import('./remotes/devServers.ts'),
    ])
    readQuestion()
    await adoptDevServers()
  } catch (error) {
    console.warn('Overrides could not be prepared, so the live release is shown.', error)
  }
}
