import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { remoteAt } from './composition/aheadOfTime.ts'
import { loadRemote } from './composition/loadRemote.ts'
import { sightedError, watchThisPage } from './composition/sightings.ts'
import { concernsOverrides } from './overrides/active.ts'

/**
 * The page asks for the remote's scripts together with the host's. What is here within this time is drawn at once,
 * without a skeleton before it.
 */
const patienceMs = 250

/** Draws the application into the page. */
export async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (root === null) throw new Error('The page has no #root.')
  watchThisPage()
  // From here on errors are told by the host; before, by the page that the server made.
  root.dataset.watched = ''
  if (concernsOverrides()) await prepareOverrides()
  const remote = remoteAt(location.pathname === '/' ? '/login' : location.pathname)
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
  sightedError(error)
}

/** Before anything is drawn: what a development server declares decides which addresses there are. */
async function prepareOverrides(): Promise<void> {
  try {
    const [{ takeQuestion }, { adoptDevServers }] = await Promise.all([
      import('./overrides/state.ts'),
      import('./composition/devServers.ts'),
    ])
    takeQuestion()
    await adoptDevServers()
  } catch (error) {
    console.warn('Overrides could not be prepared; what is live is shown.', error)
  }
}
