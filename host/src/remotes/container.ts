import { createInstance, getInstance } from '@module-federation/enhanced/runtime'
import type { RemoteSource } from '@dmp/contract/release'
import { loadScript } from './loadScript.ts'
import { RemoteError, type Origin } from './RemoteError.ts'

/** The container that a remote's first script leaves in a global variable. */
interface Entry {
  init(...args: unknown[]): unknown
  get(module: string): unknown
}

/** A release of a remote as the federation runtime knows it. */
export interface Container {
  /** Fetches a module with every script that it needs and returns its factory without running it. */
  get(module: string): Promise<() => unknown>
}

type Federation = NonNullable<ReturnType<typeof getInstance>>
type LoadEntry = (of: { remoteInfo: { entry: string } }) => Promise<Entry>

const entryTimeoutMs = 4000
const moduleTimeoutMs = 12_000
const containers = new Map<string, Container>()
let containerCount = 0
/** Origin and integrity of each address that the runtime may request. */
const sources = new Map<string, { origin: Origin; integrity: string }>()
let federation: Federation | undefined

/**
 * The federation runtime of this page, created by the build with the modules that the host shares. Remote entries are
 * loaded by `loadScript`, because the page knows their hash, may have requested them already, and wants to know why one
 * failed.
 */
function runtime(): Federation {
  if (federation) return federation
  federation = getInstance() ?? createInstance({ name: 'host', remotes: [] })
  federation.registerPlugins([
    {
      name: 'entries-of-the-snapshot',
      loadEntry: (({ remoteInfo }) => loadEntry(remoteInfo.entry)) satisfies LoadEntry as never,
    },
  ])
  return federation
}

async function loadEntry(url: string): Promise<Entry> {
  const source = sources.get(url)
  if (source === undefined) throw new Error(`${url} is not in the page's snapshot.`)
  const { origin, integrity } = source
  const globals = globalThis as unknown as Record<string, Entry | undefined>
  const key = toGlobalName(origin.remote)
  dropChunks(origin)
  await loadScript({
    origin,
    integrity,
    timeoutMs: entryTimeoutMs,
    hasRun: () => typeof globals[key]?.get === 'function',
  })
  const entry = globals[key]
  if (entry === undefined) throw new RemoteError('module', origin)
  // Another release of the same remote may be loaded later under the same name. A container in a `var`, as other builds
  // make it, cannot be deleted.
  if (!Reflect.deleteProperty(globals, key)) globals[key] = undefined
  return entry
}

/** The release of each remote whose first script was asked for last. */
const releases = new Map<string, string>()
/** The first release of each remote that the page shows something of. */
const inUse = new Map<string, string>()

/** From now on the page shows what this release of the remote gave: its later scripts have to reach it. */
export const keepRelease = (remote: string, release: string): void =>
  void (inUse.has(remote) || inUse.set(remote, release))

export const isInUse = (remote: string, release: string): boolean => inUse.get(remote) === release

/**
 * Webpack gives the scripts of all releases of a remote one list, and to each release whatever is in it by its number:
 * the release before would run the code of the one that failed. Where nothing of that is in use, the next one begins a
 * list of its own.
 */
function dropChunks({ remote, release }: Origin): void {
  const before = releases.get(remote)
  releases.set(remote, release)
  if (before === undefined || before === release || inUse.has(remote)) return
  Reflect.deleteProperty(globalThis, `webpackChunk${toGlobalName(remote)}`)
}

const toGlobalName = (remote: string): string => remote.replaceAll('-', '_')

/**
 * Returns one release of a remote at one address. The runtime remembers failures by name, so each address has its own
 * name.
 */
export function getContainer(remote: string, { releaseId, integrity }: RemoteSource, url: string): Container {
  const origin: Origin = { remote, release: releaseId, url: new URL(url, location.href).href }
  const knownContainer = containers.get(origin.url)
  if (knownContainer) return knownContainer
  const name = `${toGlobalName(remote)}_${releaseId}_${++containerCount}`
  sources.set(origin.url, { origin, integrity })
  runtime().registerRemotes([{ name, entry: origin.url, entryGlobalName: toGlobalName(remote), type: 'window' }])
  const container: Container = {
    get: async (module) => {
      try {
        const factory = await runtime().loadRemote<() => unknown>(`${name}/${module.slice(2)}`, {
          loadFactory: false,
          from: 'runtime',
        })
        if (typeof factory !== 'function') throw new RemoteError('module', origin)
        return factory
      } catch (cause) {
        // The next attempt must not find the failed container.
        containers.delete(origin.url)
        throw cause
      }
    },
  }
  containers.set(origin.url, container)
  return container
}

/**
 * Returns a module of a container; with `run` false, fetches its scripts without running it.
 *
 * @param texts what the module says in the page's language, which comes before it runs
 */
export async function getModule(
  container: Container,
  module: string,
  origin: Origin,
  { run = true, texts }: { readonly run?: boolean; readonly texts?: Promise<void> | undefined } = {},
): Promise<unknown> {
  try {
    const factory = await withTimeout(container.get(module), () => new RemoteError('timeout', origin))
    await texts
    return run ? factory() : undefined
  } catch (cause) {
    throw cause instanceof RemoteError ? cause : new RemoteError(toFault(cause), origin, { cause })
  }
}

function toFault(cause: unknown): 'chunk' | 'module' | 'contract' | 'evaluation' {
  const { name, message } = cause instanceof Error ? cause : { name: '', message: String(cause) }
  if (name === 'ChunkLoadError') return 'chunk'
  if (message.includes('does not exist in container')) return 'module'
  // Webpack's messages for a shared module that the host lacks or has in another version.
  return /^(?:Shared module|Unsatisfied version|No satisfying version)/.test(message) ? 'contract' : 'evaluation'
}

function withTimeout<T>(promise: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), moduleTimeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
