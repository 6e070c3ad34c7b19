import type { RemoteOnPage, RemoteSource } from '@dmp/contract/release'
import type { RemoteProps } from '@dmp/kit/router'
import type { Search } from '@dmp/kit'
import { language, loadTexts, locale } from '@dmp/kit/language'
import type { ComponentType } from 'react'
import { trackPromise } from './readPromise.ts'
import { getContainer, getModule, isInUse, keepRelease } from './container.ts'
import { findOverride } from './activeOverrides.ts'
import { forgiveHang, hasHung, noteBeginning, noteEnd } from './beginnings.ts'
import { renewFile } from './loadScript.ts'
import { RemoteError } from './RemoteError.ts'
import { folderOfTexts } from './since.ts'
import { textsIntegrity } from './textsIntegrity.ts'
import { recordObservation, recordLoadFailure } from './releaseReports.ts'

/** The exports of every remote's `./App`. */
export interface AppModule {
  readonly App: ComponentType<RemoteProps>
}
/** The exports of a remote's `./cards`: dashboard cards by name. */
export type CardsModule = Readonly<Record<string, ComponentType | undefined>>

/** The exports of a remote's `./search`: searches of the command palette by name. */
export type SearchModule = Readonly<Record<string, Search | undefined>>

interface Modules {
  './App': AppModule
  './cards': CardsModule
  './search': SearchModule
}

const loadings = new Map<string, Promise<unknown>>()
const retryCounts = new Map<string, number>()
/** Why a release was left for the one before, by its remote, of which everything else comes from there too. */
const leftFor = new Map<string, unknown>()
/** When the code of a remote's screens was there, by its name. */
const loadTimes = new Map<string, number>()

/** How long the code of the remote's screens has been there, in milliseconds; undefined while it is loading. */
export function msSinceLoaded({ declaration: { name } }: RemoteOnPage): number | undefined {
  const at = loadTimes.get(name)
  return at === undefined ? undefined : performance.now() - at
}

/**
 * Loads a module of a remote: from the release in the snapshot; then from a second address, because later requests for
 * an address join one that hangs; then from the previous release if the snapshot names one. Returns the same promise
 * until `forgetRemote`.
 *
 * @throws RemoteError of the first attempt when all fail
 */
export function loadRemote<M extends keyof Modules>(remote: RemoteOnPage, module: M): Promise<Modules[M]> {
  const key = toKey(remote, module)
  const runningLoad = loadings.get(key)
  if (runningLoad) return runningLoad as Promise<Modules[M]>
  const loading = remote.guest ? refuseGuest(remote) : loadFirstWorking(remote, module)
  loadings.set(key, loading)
  void trackPromise(loading)
  return loading as Promise<Modules[M]>
}

/** A guest's code is for its frame alone, whoever asks for it here. */
const refuseGuest = ({ declaration: { name }, releaseId, entry }: RemoteOnPage): Promise<never> =>
  Promise.reject(new RemoteError('module', { remote: name, release: releaseId, url: entry }))

/** Fetches a module without running it. Failures show when the user opens the page. */
export async function prefetchModule(remote: RemoteOnPage, module: keyof Modules): Promise<void> {
  if (remote.guest || loadings.has(toKey(remote, module))) return
  const origin = { remote: remote.declaration.name, release: remote.releaseId, url: remote.entry }
  void textsOf(origin.remote, remote)
  await getModule(getContainer(origin.remote, remote, remote.entry), module, origin, { run: false }).catch(
    () => undefined,
  )
}

/** Makes the next `loadRemote` try again with fresh addresses: for the whole remote, or for its searches. */
export function forgetRemote(remote: RemoteOnPage, only?: './search'): void {
  const { name } = remote.declaration
  forgiveHang(name)
  leftFor.delete(name)
  retryCounts.set(name, (retryCounts.get(name) ?? 0) + 1)
  if (only === undefined) loadTimes.delete(name)
  const modules: readonly (keyof Modules)[] = only === undefined ? ['./App', './cards', './search'] : [only]
  for (const module of modules) loadings.delete(toKey(remote, module))
}

const toKey = (remote: RemoteOnPage, module: string): string => `${remote.declaration.name} ${module}`

async function loadFirstWorking(remote: RemoteOnPage, module: keyof Modules): Promise<unknown> {
  const { name } = remote.declaration
  const startedAt = performance.now()
  // Started again it would hold up the page again: the release before it is tried, or the user is asked.
  let firstError: unknown = hasHung(name, remote.releaseId)
    ? new RemoteError('hang', { remote: name, release: remote.releaseId, url: remote.entry })
    : leftFor.get(name)
  const attempts = listAttempts(remote).filter(({ source }) => firstError === undefined || source !== remote)
  for (const { source, url } of attempts) {
    try {
      noteBeginning(name, module, source.releaseId)
      const loadedModule = await loadFrom(name, source, url, module)
      // If the second attempt succeeds, the network was at fault, not the release.
      if (source === remote) recordObservation(name, remote.releaseId, 'loaded', performance.now() - startedAt)
      else recordLoadFailure(name, remote.releaseId, firstError)
      keepRelease(name, source.releaseId)
      if (source !== remote) {
        // A part of a release that otherwise works, such as its cards, leaves the rest of it where it is.
        if (isInUse(name, source.releaseId)) leftFor.set(name, firstError)
        removeFailedOverride(name, firstError)
      }
      if (module === './App') loadTimes.set(name, performance.now())
      return loadedModule
    } catch (error) {
      firstError ??= error
      const file = findMissingFile(error)
      if (file !== undefined) await renewFile(file)
      // Code that fails to start fails again: a release does not change between attempts.
      if (
        error instanceof RemoteError &&
        (error.fault === 'contract' || error.fault === 'module') &&
        remote.previous === undefined
      )
        break
    }
  }
  noteEnd(name, module)
  recordLoadFailure(name, remote.releaseId, firstError)
  removeFailedOverride(name, firstError)
  throw firstError
}

/** The address of a chunk that could not be loaded, as webpack names it. */
export function findMissingFile(error: unknown): string | undefined {
  const cause: unknown = error instanceof RemoteError ? error.cause : error
  const { name, request } = (cause ?? {}) as { name?: unknown; request?: unknown }
  return name === 'ChunkLoadError' && typeof request === 'string' ? request : undefined
}

/** Removes an override that cannot be loaded and says so, so that the user is not stuck with it. */
function removeFailedOverride(name: string, error: unknown): void {
  if (findOverride(name) === undefined) return
  // The person who set the override needs more detail than the note gives.
  console.warn(`The override of ${name} could not be loaded.`, error, error instanceof Error ? error.cause : undefined)
  const reason = error instanceof RemoteError ? error.sentence : 'It could not be loaded.'
  void import('./overrideState.ts').then(({ removeOverride }) => removeOverride(name, reason)).catch(() => undefined)
}

function listAttempts(remote: RemoteOnPage): { source: RemoteSource; url: string }[] {
  const { name } = remote.declaration
  const round = retryCounts.get(name) ?? 0
  // A second address on this server for the same file, even when releases come from another origin. A development
  // server has one address only.
  const createRetryUrl = ({ entry, releaseId }: RemoteSource, mark: string): string => {
    const file = entry.split(`/${name}/${releaseId}/`)[1]
    return file === undefined ? `${entry}?r=${round}` : `/releases/again/${name}/${releaseId}/${file}${mark}`
  }
  const urls = round === 0 ? [remote.entry, createRetryUrl(remote, '')] : [createRetryUrl(remote, `?r=${round}`)]
  const { previous } = remote
  return [
    ...urls.map((url) => ({ source: remote as RemoteSource, url })),
    ...(previous
      ? [{ source: previous, url: round === 0 ? previous.entry : createRetryUrl(previous, `?r=${round}`) }]
      : []),
  ]
}

/** By release: the texts belong to the scripts beside them. */
const texts = new Map<string, Promise<void>>()

/** The texts of a release in the page's language; undefined if it needs or has none. */
function textsOf(part: string, { releaseId, entry, languages }: RemoteSource): Promise<void> | undefined {
  if (!languages?.includes(language())) return undefined
  const integrity = textsIntegrity(part, releaseId)
  const load = (): Promise<void> => {
    const base = folderOfTexts(entry.slice(0, entry.lastIndexOf('/') + 1))
    return loadTexts({ part, language: language(), locale: locale(), base, integrity })
  }
  const loading = texts.get(releaseId) ?? load()
  texts.set(releaseId, loading)
  return loading
}

async function loadFrom(name: string, source: RemoteSource, url: string, module: keyof Modules): Promise<unknown> {
  const origin = { remote: name, release: source.releaseId, url }
  const texts = textsOf(name, source)
  const loadedModule = await getModule(getContainer(name, source, url), module, origin, { texts })
  if (module === './App' && typeof (loadedModule as Partial<AppModule> | undefined)?.App !== 'function')
    throw new RemoteError('module', origin)
  return loadedModule
}
