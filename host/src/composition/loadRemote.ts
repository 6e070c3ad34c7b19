import type { RemoteOnPage, RemoteSource } from '@dmp/contract/release'
import type { RemoteProps } from '@dmp/kit/router'
import type { ComponentType } from 'react'
import { follow } from './awaited.ts'
import { openContainer, takeModule } from './container.ts'
import { RemoteError } from './RemoteError.ts'

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

const loaded = new Map<string, Promise<unknown>>()
const tries = new Map<string, number>()

/**
 * A module of a remote: from the release that the snapshot names; once more from another address, because a request that
 * hangs is joined by every later one for the same address; then from the release before, where the snapshot names one.
 * The same promise is answered until `forgetRemote`.
 *
 * @throws RemoteError of the first attempt when all fail
 */
export function loadRemote<M extends keyof Modules>(remote: RemoteOnPage, module: M): Promise<Modules[M]> {
  const key = keyOf(remote, module)
  const before = loaded.get(key)
  if (before) return before as Promise<Modules[M]>
  const loading = firstThatWorks(remote, module)
  loaded.set(key, loading)
  void follow(loading)
  return loading as Promise<Modules[M]>
}

/** Fetches what a remote will need, without running it; failures show when it is really wanted. */
export async function fetchAhead(remote: RemoteOnPage, module: keyof Modules): Promise<void> {
  if (loaded.has(keyOf(remote, module))) return
  const origin = { remote: remote.declaration.name, release: remote.releaseId, url: remote.entry }
  await takeModule(openContainer(origin.remote, remote, remote.entry), module, origin, false).catch(() => undefined)
}

/** After a failure: the next `loadRemote` tries again, with fresh addresses. */
export function forgetRemote(remote: RemoteOnPage): void {
  const { name } = remote.declaration
  tries.set(name, (tries.get(name) ?? 0) + 1)
  for (const module of ['./App', './cards'] as const) loaded.delete(keyOf(remote, module))
}

const keyOf = (remote: RemoteOnPage, module: string): string => `${remote.declaration.name} ${module}`

async function firstThatWorks(remote: RemoteOnPage, module: keyof Modules): Promise<unknown> {
  let first: unknown
  for (const { source, url } of attempts(remote)) {
    try {
      return await from(remote.declaration.name, source, url, module)
    } catch (error) {
      first ??= error
      // Code that fails to start fails again; what was released does not change by asking twice.
      if (error instanceof RemoteError && (error.fault === 'contract' || error.fault === 'module') && remote.previous === undefined) break
    }
  }
  throw first
}

function attempts(remote: RemoteOnPage): { source: RemoteSource; url: string }[] {
  const round = tries.get(remote.declaration.name) ?? 0
  const again = (source: RemoteSource, mark: string): string => `${source.entry.replace('/releases/', '/releases/again/')}${mark}`
  const now = round === 0 ? [remote.entry, again(remote, '')] : [again(remote, `?r=${round}`)]
  const { previous } = remote
  return [...now.map((url) => ({ source: remote as RemoteSource, url })), ...(previous ? [{ source: previous, url: round === 0 ? previous.entry : again(previous, `?r=${round}`) }] : [])]
}

async function from(name: string, source: RemoteSource, url: string, module: keyof Modules): Promise<unknown> {
  const origin = { remote: name, release: source.releaseId, url }
  const found = await takeModule(openContainer(name, source, url), module, origin)
  if (module === './App' && typeof (found as Partial<AppModule> | undefined)?.App !== 'function') throw new RemoteError('module', origin)
  return found
}
