import type { Policy } from '@dmp/contract/endpoint'
import { isUnder, navigationFor, getRoute } from '@dmp/contract/remote'
import type { RemoteOnPage } from '@dmp/contract/release'
import { fetchAhead } from './loadRemote.ts'
import { remotes } from './snapshot.ts'

/** The remote that owns an address. */
export function remoteAt(pathname: string): RemoteOnPage | undefined {
  const owner = getRoute(
    remotes().map(({ declaration }) => declaration),
    pathname,
  )?.owner
  return remotes().find(({ declaration }) => declaration === owner)
}

/** Fetches what the address needs; for a link under the pointer or the focus. */
export function hint(pathname: string): void {
  const remote = remoteAt(pathname)
  if (remote) void fetchAhead(remote, './App')
}

/** The page that was asked for comes first, with what it asks the server. */
const settledMs = 2000

/**
 * In idle moments, one after the other: everything that the navigation shows to this person, so that a click finds it here.
 * Answers a function that stops it. Does nothing where the person asked to save data.
 */
export function fetchWhatNavigationShows(policy: Policy): () => void {
  const stop = new AbortController()
  if (!(navigator as { connection?: { saveData?: boolean } }).connection?.saveData)
    void fetchInTurn(policy, stop.signal)
  return () => stop.abort()
}

async function fetchInTurn(policy: Policy, signal: AbortSignal): Promise<void> {
  await wait(settledMs)
  for (const step of stepsFor(policy)) {
    await idle()
    if (signal.aborted) return
    // What fails here is tried again, and shown, when it is really wanted.
    await step().catch(() => undefined)
  }
}

function stepsFor(policy: Policy): (() => Promise<unknown>)[] {
  const shown = navigationFor(
    remotes().map(({ declaration }) => declaration),
    policy,
  ).filter(({ routerLink }) => !isUnder(location.pathname, routerLink))
  const wanted = [...new Set(shown.map(({ routerLink }) => remoteAt(routerLink)))].filter(
    (remote) => remote !== undefined,
  )
  // After the remotes: the shared parts that most screens stand on.
  return [
    ...wanted.map((remote) => () => fetchAhead(remote, './App')),
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
