import type { Policy } from '@dmp/contract/endpoint'
import { isUnder, navigationFor, getRoute } from '@dmp/contract/remote'
import type { RemoteOnPage } from '@dmp/contract/release'
import { loadDialogs } from '@dmp/kit/ui'
import { prefetchModule } from './loadRemote.ts'
import { remotes } from './snapshot.ts'

/** Returns the remote that owns an address. */
export function findRemote(pathname: string): RemoteOnPage | undefined {
  const owner = getRoute(
    remotes().map(({ declaration }) => declaration),
    pathname,
  )?.owner
  return remotes().find(({ declaration }) => declaration === owner)
}

/** Fetches the remote behind a link that has the pointer or the focus. */
export function prefetchPath(pathname: string): void {
  const remote = findRemote(pathname)
  if (remote) void prefetchModule(remote, './App')
}

/** Lets the requested page and its calls finish first. */
const firstPageMs = 2000

/**
 * Fetches the remotes in this user's navigation one after the other while the browser is idle, so that a click finds
 * them loaded. Returns a stop function. Does nothing when the user asked to save data.
 */
export function startPrefetch(policy: Policy): () => void {
  const controller = new AbortController()
  if (!(navigator as { connection?: { saveData?: boolean } }).connection?.saveData)
    void fetchInTurn(policy, controller.signal)
  return () => controller.abort()
}

async function fetchInTurn(policy: Policy, signal: AbortSignal): Promise<void> {
  await wait(firstPageMs)
  // First of all, because some dialogs come by themselves, and may come when the line is gone.
  await loadDialogs().catch(() => undefined)
  for (const step of listSteps(policy)) {
    await idle()
    if (signal.aborted) return
    // A failure here is retried, and shown, when the user opens the page.
    await step().catch(() => undefined)
  }
}

function listSteps(policy: Policy): (() => Promise<unknown>)[] {
  const entries = navigationFor(
    remotes().map(({ declaration }) => declaration),
    policy,
  ).filter(({ routerLink }) => !isUnder(location.pathname, routerLink))
  const navigationRemotes = [...new Set(entries.map(({ routerLink }) => findRemote(routerLink)))].filter(
    (remote) => remote !== undefined,
  )
  // After the remotes: the shared modules that most screens use.
  return [
    ...navigationRemotes.map((remote) => () => prefetchModule(remote, './App')),
    () => import('@dmp/kit/table'),
    () => import('@dmp/kit/form'),
  ]
}

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const idle = (): Promise<void> =>
  new Promise((resolve) =>
    typeof requestIdleCallback === 'function'
      ? requestIdleCallback(() => resolve(), { timeout: 10_000 })
      : setTimeout(resolve, 200),
  )
