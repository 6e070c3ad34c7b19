import { createInstance, getInstance } from '@module-federation/enhanced/runtime'
import type { RemoteSource } from '@dmp/contract/release'
import { loadScript } from './loadScript.ts'
import { RemoteError, type Origin } from './RemoteError.ts'

/** What a remote's first script leaves behind: its container. */
interface Entry {
  init(...words: unknown[]): unknown
  get(module: string): unknown
}

/** A remote's release as the federation runtime knows it. */
export interface Container {
  /** Fetches a module with every script that it needs and answers what makes it, without running it. */
  get(module: string): Promise<() => unknown>
}

type Federation = NonNullable<ReturnType<typeof getInstance>>
type LoadEntry = (of: { remoteInfo: { entry: string } }) => Promise<Entry>

const entryTimeoutMs = 4000
const moduleTimeoutMs = 12_000
const containers = new Map<string, Container>()
let containerCount = 0
/** Where each address that the runtime may ask for comes from. */
const sources = new Map<string, { origin: Origin; integrity: string }>()
let federation: Federation | undefined

/**
 * The runtime of this page: the build made it and gave it what the host shares. The first script of a remote is loaded
 * by ourselves, because the page knows its hash, may have asked for it already, and wants to know why it failed.
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
  await loadScript({
    origin,
    integrity,
    timeoutMs: entryTimeoutMs,
    hasRun: () => typeof globals[key]?.get === 'function',
  })
  const entry = globals[key]
  if (entry === undefined) throw new RemoteError('module', origin)
  // Another release of the same remote may come later, under the same name.
  delete globals[key]
  return entry
}

const toGlobalName = (remote: string): string => remote.replaceAll('-', '_')

/** One release of a remote at one address. The runtime remembers failures by name, so each address has a name of its own. */
export function getContainer(remote: string, { releaseId, integrity }: RemoteSource, url: string): Container {
  const origin: Origin = { remote, release: releaseId, url: new URL(url, location.href).href }
  const before = containers.get(origin.url)
  if (before) return before
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
        // What failed once is asked for afresh the next time.
        containers.delete(origin.url)
        throw cause
      }
    },
  }
  containers.set(origin.url, container)
  return container
}

/** A module of a container, with every script that it needs; `run` false fetches without running it. */
export async function getModule(container: Container, module: string, origin: Origin, run = true): Promise<unknown> {
  try {
    const factory = await withTimeout(container.get(module), () => new RemoteError('timeout', origin))
    return run ? factory() : undefined
  } catch (cause) {
    throw cause instanceof RemoteError ? cause : new RemoteError(toFault(cause), origin, { cause })
  }
}

function toFault(cause: unknown): 'chunk' | 'module' | 'contract' | 'evaluation' {
  const { name, message } = cause instanceof Error ? cause : { name: '', message: String(cause) }
  if (name === 'ChunkLoadError') return 'chunk'
  if (message.includes('does not exist in container')) return 'module'
  // Webpack's own words for a shared module that the host does not have, or has in another version.
  return /^(?:Shared module|Unsatisfied version|No satisfying version)/.test(message) ? 'contract' : 'evaluation'
}

function withTimeout<T>(promise: Promise<T>, late: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), moduleTimeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
