import { loadFaults, type LoadFault, type Observation, type ObservationKind } from '@dmp/contract/releaseReport'
import { takeUnfinished } from './beginnings.ts'
import { overrides } from './activeOverrides.ts'
import { isBeingLeft } from './pageLeaving.ts'
import { RemoteError } from './RemoteError.ts'
import { reportAddress } from './reportAddress.ts'
import { toOwnAddresses } from './since.ts'
import { snapshot } from './snapshot.ts'

/** Observations within this time are sent together. */
const batchMs = 2000
/** The contract's limit for one report. */
const maxPerReport = 40

let unsent: Observation[] = []
const recordedKeys = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

let hearer: ((what: ObservationKind) => void) | undefined

/** In a guest's frame, which reaches no server, the page around it hears how the part fares. */
export const tellInstead = (hear: (what: ObservationKind) => void): void => {
  hearer = hear
}

/**
 * Reports to the server in the background that a release loaded or failed, each once in the life of the page. From the
 * reports of all pages the server finds bad releases and rolls them back. A report does not say who looked at what.
 */
export function recordObservation(part: string, releaseId: string, what: ObservationKind, ms?: number): void {
  if (hearer) return hearer(what)
  const key = `${part} ${releaseId} ${what === 'loaded' ? 'loaded' : 'bad'}`
  // A script that throws while it starts is first recorded as an error.
  if (isLoadFault(what))
    unsent = unsent.map((observation) =>
      observation.part === part && observation.releaseId === releaseId && observation.what === 'error'
        ? { ...observation, what }
        : observation,
    )
  if (releaseId === '' || recordedKeys.has(key) || !isTold(what)) return
  recordedKeys.add(key)
  unsent.push({ part, releaseId, what, ...(ms === undefined ? {} : { ms: Math.round(ms) }) })
  timer ??= setTimeout(send, batchMs)
}

function isTold(what: ObservationKind): boolean {
  // A page with overrides says nothing about the releases that others get.
  if (overrides().length > 0) return false
  // Some browsers take the half of a script, cut off by leaving the page, for a wrong one. Without a network no release
  // is to blame.
  return what === 'loaded' || (navigator.onLine && !isBeingLeft())
}

/** Records why a release could not be loaded. */
export function recordLoadFailure(part: string, releaseId: string, error: unknown): void {
  const fault = error instanceof RemoteError ? error.fault : 'evaluation'
  recordObservation(part, releaseId, isLoadFault(fault) ? fault : 'error')
}

/**
 * Records an uncaught error, and tells its place to the team of the part. The script URLs in its stack identify the
 * part and release.
 *
 * @param running where it was thrown while nobody of the stack is a part's: the script's address, or the components
 * that were being drawn
 */
export function recordError(error: unknown, running = ''): void {
  const { name = '', message = '', stack: thrownAt = '' } = error instanceof Error ? error : {}
  // Refused calls and aborted requests say nothing about a release; failed loads are recorded already.
  if (name === 'CallError' || name === 'AbortError' || error instanceof RemoteError) return
  const stack = toOwnAddresses(`${thrownAt}\n${running}`)
  const release = findRelease(toOwnAddresses(`${thrownAt}\n${message}\n${running}`))
  if (release === undefined) return
  const what = name === 'ChunkLoadError' ? 'chunk' : 'error'
  recordObservation(release.part, release.releaseId, what)
  // What it takes to tell a team where is fetched once something was thrown.
  if (what === 'error' && isTold(what))
    import('./errorPlaces.ts').then(
      ({ tellError }) => tellError({ ...release, name, message, stack }),
      () => undefined,
    )
}

/**
 * Returns the first remote in a stack: host code that a remote calls fails because of that remote. Returns the host if
 * no remote is in the stack.
 */
function findRelease(trace: string): { part: string; releaseId: string } | undefined {
  const releases = [...trace.matchAll(/\/releases\/(?:again\/)?([a-z0-9-]{1,60})\/([0-9a-f]{16})\//g)].map(
    ([, part = '', releaseId = '']) => ({ part, releaseId }),
  )
  return releases.find(({ part }) => part !== 'host') ?? releases[0]
}

/** Records from the start of the page that the host runs, and every uncaught error. */
export function observePage(): void {
  recordObservation('host', snapshot().host, 'loaded', performance.now())
  for (const [part, releaseId] of takeUnfinished()) recordObservation(part, releaseId, 'hang')
  window.addEventListener('error', ({ error, filename }) => recordError(error, filename))
  window.addEventListener('unhandledrejection', ({ reason }) => recordError(reason))
  // Includes observations made just before the page is left or reloads itself.
  window.addEventListener('pagehide', send)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && send())
}

function send(): void {
  clearTimeout(timer)
  timer = undefined
  if (typeof navigator.sendBeacon !== 'function') return
  while (unsent.length > 0) {
    const body = new Blob([JSON.stringify({ seen: unsent.splice(0, maxPerReport) })], { type: 'application/json' })
    // A beacon outlives the page; its failure is ignored.
    navigator.sendBeacon(reportAddress(), body)
  }
}

const isLoadFault = (fault: string): fault is LoadFault => (loadFaults as readonly string[]).includes(fault)
