import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { findRemote } from './remotes/prefetch.ts'
import { loadRemote } from './remotes/loadRemote.ts'
import { recordError, observePage } from './remotes/releaseReports.ts'
import { hasOverridesOrQuestion } from './remotes/activeOverrides.ts'

/**
 * The page asks for the remote's scripts together with the host's. What is here within this time is drawn at once,
 * without a skeleton before it.
 */
const patienceMs = 250

/** Draws the application into the page. */
export async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root.')
  observePage()
  // From here on errors are told by the host; before, by the page that the server made.
  root.dataset.watched = ''
  if (hasOverridesOrQuestion()) await prepareOverrides()
  const remote = findRemote(location.pathname === '/' ? '/login' : location.pathname)
  if (remote)
    await Promise.race([
      loadRemote(remote, './App').catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, patienceMs)),
    ])
  // A transition is drawn in slices: whoever clicks or types meanwhile is answered in between.
  startTransition(() => createRoot(root, { onCaughtError: noteCaught }).render(<App />))
}

/** Whatever ring around a screen catches an error, it is one that its code did not expect. */
function noteCaught(error: unknown): void {
  console.error(error)
  recordError(error)
}

/** Before anything is drawn: what a development server declares decides which addresses there are. */
async function prepareOverrides(): Promise<void> {
  try {
    const [{ readQuestion }, { adoptDevServers }] = await Promise.all([
      import('./remotes/overrideState.ts'),
      import('./remotes/devServers.ts'),
    ])
    readQuestion()
    await adoptDevServers()
  } catch (error) {
    console.warn('Overrides could not be prepared; what is live is shown.', error)
  }
}
