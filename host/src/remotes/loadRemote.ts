import type { RemoteOnPage, RemoteSource } from '@dmp/contract/release'
import type { RemoteProps } from '@dmp/kit/router'
import type { ComponentType } from 'react'
import { trackPromise } from './readPromise.ts'
import { getContainer, getModule } from './container.ts'
import { findOverride } from './activeOverrides.ts'
import { RemoteError } from './RemoteError.ts'
import { recordObservation, recordLoadFailure } from './releaseReports.ts'

/** What `./App` of every remote exports. */
export interface AppModule {
  readonly App: ComponentType<RemoteProps>
}
/** What `./cards` of a remote exports: dashboard cards by name. */
export type CardsModule = Readonly<Record<string, ComponentType | undefined>>

interface Modules {
  './App': AppModule
  './cards': CardsModule
}

const loadings = new Map<string, Promise<unknown>>()
const retryCounts = new Map<string, number>()

/**
 * A module of a remote: from the release that the snapshot names; once more from another address, because a request
 * that hangs is joined by every later one for the same address; then from the release before, where the snapshot names
 * one. The same promise is answered until `forgetRemote`.
 *
 * @throws RemoteError of the first attempt when all fail
 */
export function loadRemote<M extends keyof Modules>(remote: RemoteOnPage, module: M): Promise<Modules[M]> {
  const key = toKey(remote, module)
  const before = loadings.get(key)
  if (before) return before as Promise<Modules[M]>
  const loading = loadFirstWorking(remote, module)
  loadings.set(key, loading)
  void trackPromise(loading)
  return loading as Promise<Modules[M]>
}

/** Fetches what a remote will need, without running it; failures show when it is really wanted. */
export async function prefetchModule(remote: RemoteOnPage, module: keyof Modules): Promise<void> {
  if (loadings.has(toKey(remote, module))) return
  const origin = { remote: remote.declaration.name, release: remote.releaseId, url: remote.entry }
  await getModule(getContainer(origin.remote, remote, remote.entry), module, origin, false).catch(() => undefined)
}

/** After a failure: the next `loadRemote` tries again, with fresh addresses. */
export function forgetRemote(remote: RemoteOnPage): void {
  const { name } = remote.declaration
  retryCounts.set(name, (retryCounts.get(name) ?? 0) + 1)
  for (const module of ['./App', './cards'] as const) loadings.delete(toKey(remote, module))
}

const toKey = (remote: RemoteOnPage, module: string): string => `${remote.declaration.name} ${module}`

async function loadFirstWorking(remote: RemoteOnPage, module: keyof Modules): Promise<unknown> {
  const { name } = remote.declaration
  const began = performance.now()
  let first: unknown
  for (const { source, url } of listAttempts(remote)) {
    try {
      const found = await loadFrom(name, source, url, module)
      // What the next try heals was the network's fault, not the release's.
      if (source === remote) recordObservation(name, remote.releaseId, 'loaded', performance.now() - began)
      else recordLoadFailure(name, remote.releaseId, first)
      if (source !== remote) removeFailedOverride(name, first)
      return found
    } catch (error) {
      first ??= error
      // Code that fails to start fails again; what was released does not change by asking twice.
      if (
        error instanceof RemoteError &&
        (error.fault === 'contract' || error.fault === 'module') &&
        remote.previous === undefined
      )
        break
    }
  }
  recordLoadFailure(name, remote.releaseId, first)
  removeFailedOverride(name, first)
  throw first
}

/** Somebody who put another release in is not left with it when it cannot be loaded: it takes itself out, with a note. */
function removeFailedOverride(name: string, error: unknown): void {
  if (findOverride(name) === undefined) return
  // Whoever put it in wants to know more than the note says.
  console.warn(`The override of ${name} could not be loaded.`, error, error instanceof Error ? error.cause : undefined)
  const reason =
    error instanceof RemoteError ? error.sentence.replace(/\.$/, '').toLowerCase() : 'it could not be loaded'
  void import('./overrideState.ts').then(({ removeOverride }) => removeOverride(name, reason)).catch(() => undefined)
}

function listAttempts(remote: RemoteOnPage): { source: RemoteSource; url: string }[] {
  const { name } = remote.declaration
  const round = retryCounts.get(name) ?? 0
  // The same file under another address of this server, also where files come from elsewhere. A development server has one address only.
  const again = ({ entry, releaseId }: RemoteSource, mark: string): string => {
    const file = entry.split(`/${name}/${releaseId}/`)[1]
    return file === undefined ? `${entry}?r=${round}` : `/releases/again/${name}/${releaseId}/${file}${mark}`
  }
  const now = round === 0 ? [remote.entry, again(remote, '')] : [again(remote, `?r=${round}`)]
  const { previous } = remote
  return [
    ...now.map((url) => ({ source: remote as RemoteSource, url })),
    ...(previous ? [{ source: previous, url: round === 0 ? previous.entry : again(previous, `?r=${round}`) }] : []),
  ]
}

async function loadFrom(name: string, source: RemoteSource, url: string, module: keyof Modules): Promise<unknown> {
  const origin = { remote: name, release: source.releaseId, url }
  const found = await getModule(getContainer(name, source, url), module, origin)
  if (module === './App' && typeof (found as Partial<AppModule> | undefined)?.App !== 'function')
    throw new RemoteError('module', origin)
  return found
}
