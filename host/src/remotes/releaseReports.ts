import { loadFaults, report, type LoadFault, type Seen, type Sighting } from '@dmp/contract/releaseReport'
import { settings } from '@dmp/kit'
import { overrides } from './activeOverrides.ts'
import { RemoteError } from './RemoteError.ts'
import { snapshot } from './snapshot.ts'

/** What is seen within this time travels together. */
const batchMs = 2000
/** As many as one report may hold. */
const maxPerReport = 40

let unsent: Seen[] = []
const recordedKeys = new Set<string>()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Tells the server, in the background, what this page saw of a release: that it was loaded, and that it went wrong,
 * each once in the life of the page. From what all pages tell, the server knows that a release is bad, and takes it
 * back. Nothing is told of who, where and what was looked at.
 */
export function recordObservation(part: string, releaseId: string, what: Sighting, ms?: number): void {
  const key = `${part} ${releaseId} ${what === 'loaded' ? 'loaded' : 'bad'}`
  // A script that throws at its start is heard of first as an error.
  if (isLoadFault(what))
    unsent = unsent.map((seen) =>
      seen.part === part && seen.releaseId === releaseId && seen.what === 'error' ? { ...seen, what } : seen,
    )
  // A page that somebody put something into says nothing about what others get.
  if (overrides().length > 0) return
  // Without a network nobody's release is to blame.
  if (releaseId === '' || recordedKeys.has(key) || (!navigator.onLine && what !== 'loaded')) return
  recordedKeys.add(key)
  unsent.push({ part, releaseId, what, ...(ms === undefined ? {} : { ms: Math.round(ms) }) })
  timer ??= setTimeout(send, batchMs)
}

/** Why a release could not be loaded. */
export function recordLoadFailure(part: string, releaseId: string, error: unknown): void {
  const fault = error instanceof RemoteError ? error.fault : 'evaluation'
  recordObservation(part, releaseId, isLoadFault(fault) ? fault : 'error')
}

/** An error that no code of its part expected; whose it is, its stack tells by the addresses of its scripts. */
export function recordError(error: unknown, address = ''): void {
  const { name = '', message = '', stack = '' } = error instanceof Error ? error : {}
  // A call that the server refused and a request that was given up say nothing about a release; a failed load has been
  // told already.
  if (name === 'CallError' || name === 'AbortError' || error instanceof RemoteError) return
  const owner = findRelease(`${stack}\n${message}\n${address}`)
  if (owner) recordObservation(owner.part, owner.releaseId, name === 'ChunkLoadError' ? 'chunk' : 'error')
}

/** The first remote in a stack: what a remote calls in the host fails for the remote's reasons. The host where it is alone. */
function findRelease(trace: string): { part: string; releaseId: string } | undefined {
  const found = [...trace.matchAll(/\/releases\/(?:again\/)?([a-z0-9-]{1,60})\/([0-9a-f]{16})\//g)].map(
    ([, part = '', releaseId = '']) => ({ part, releaseId }),
  )
  return found.find(({ part }) => part !== 'host') ?? found[0]
}

/** From the start of the page on: that the host runs, and what nobody catches. */
export function observePage(): void {
  recordObservation('host', snapshot().host, 'loaded', performance.now())
  window.addEventListener('error', ({ error, filename }) => recordError(error, filename))
  window.addEventListener('unhandledrejection', ({ reason }) => recordError(reason))
  // Also what was seen just before the page is left, or loads itself again.
  window.addEventListener('pagehide', send)
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && send())
}

function send(): void {
  clearTimeout(timer)
  timer = undefined
  if (typeof navigator.sendBeacon !== 'function') return
  while (unsent.length > 0) {
    const body = new Blob([JSON.stringify({ seen: unsent.splice(0, maxPerReport) })], { type: 'application/json' })
    // Outlives the page, and is nobody's concern when it fails.
    navigator.sendBeacon(
      new URL(settings().apiRoot.replace(/\/$/, '') + report.definition.path, document.baseURI),
      body,
    )
  }
}

const isLoadFault = (fault: string): fault is LoadFault => (loadFaults as readonly string[]).includes(fault)
