import { createRemote } from '../testing/createRemote.ts'
import { fakeScripts, type ScriptOutcome } from '../testing/fakeScripts.ts'
import { prefetchModule, forgetRemote, loadRemote } from './loadRemote.ts'
import { RemoteError } from './RemoteError.ts'

const App = () => null
let number = 0
/** A name that no other test has loaded: a page loads a release once. */
const aName = (): string => `remote-test${(number += 1)}`
const toGlobalName = (name: string): string => name.replaceAll('-', '_')
const working = (
  name: string,
  get: (module: string) => Promise<() => unknown> = async () => () => ({ App }),
): ScriptOutcome => ({
  global: toGlobalName(name),
  container: { get },
})

const failure = async (promise: Promise<unknown>): Promise<RemoteError> => {
  const error: unknown = await promise.then(
    () => 'it loaded',
    (reason: unknown) => reason,
  )
  if (!(error instanceof RemoteError)) throw new Error(`Expected a RemoteError, got ${String(error)}`)
  return error
}

afterEach(() => {
  jest.restoreAllMocks()
  jest.useRealTimers()
})

describe('loading a remote', () => {
  it('runs its container from the address and with the hash that the snapshot names, once', async () => {
    const remote = createRemote(aName())
    const page = fakeScripts(() => working(remote.declaration.name))
    const [one, two] = await Promise.all([loadRemote(remote, './App'), loadRemote(remote, './App')])
    expect(one.App).toBe(App)
    expect(two).toBe(one)
    expect(page.asked).toEqual([remote.entry])
    expect(jest.mocked(document.head.append).mock.calls[0]?.[0]).toHaveProperty('integrity', remote.integrity)
  })

  it('takes a container that its script declares by var, also of a later release under the same name', async () => {
    const name = aName()
    for (const releaseId of ['a'.repeat(16), 'b'.repeat(16)]) {
      const NewApp = () => null
      const container = { get: async () => () => ({ App: NewApp }) }
      fakeScripts(() => ({ global: toGlobalName(name), container, isVar: true }))
      const remote = { ...createRemote(name), releaseId, entry: `/releases/${name}/${releaseId}/remoteEntry.js` }
      expect((await loadRemote(remote, './App')).App).toBe(NewApp)
      forgetRemote(remote)
    }
  })

  it('fetches ahead what is not run before it is wanted, and asks for it once', async () => {
    const remote = createRemote(aName())
    const run = jest.fn(() => ({ App }))
    const page = fakeScripts(() => working(remote.declaration.name, async () => run))
    await prefetchModule(remote, './App')
    expect([page.asked.length, run.mock.calls.length]).toEqual([1, 0])
    expect((await loadRemote(remote, './App')).App).toBe(App)
    await prefetchModule(remote, './App')
    expect([page.asked.length, run.mock.calls.length]).toEqual([1, 1])
  })

  it.each(['http', 'network', 'throws', 'altered'] as const)(
    'that fails with "%s" is asked for once more from another address',
    async (fate) => {
      const remote = createRemote(aName())
      const page = fakeScripts((path) => (path === remote.entry ? fate : working(remote.declaration.name)))
      expect((await loadRemote(remote, './App')).App).toBe(App)
      expect(page.asked).toEqual([remote.entry, remote.entry.replace('/releases/', '/releases/again/')])
    },
  )

  it('that another server holds out is asked for there, and once more from the page’s own', async () => {
    const remote = createRemote(aName())
    const { entry } = remote
    const page = fakeScripts((path) =>
      path.startsWith('/releases/again/') ? working(remote.declaration.name) : 'network',
    )
    expect((await loadRemote({ ...remote, entry: `https://cdn.example.org${entry}` }, './App')).App).toBe(App)
    expect(page.asked).toEqual([entry, entry.replace('/releases/', '/releases/again/')])
    expect(
      jest.mocked(document.head.append).mock.calls.map(([script]) => (script as HTMLScriptElement).crossOrigin),
    ).toEqual(['anonymous', null])
  })

  it('that hangs is given up after a time and asked for from another address [P26]', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
    const remote = createRemote(aName())
    fakeScripts((path) => (path === remote.entry ? 'hangs' : working(remote.declaration.name)))
    const loading = loadRemote(remote, './App')
    await jest.advanceTimersByTimeAsync(4000)
    expect((await loading).App).toBe(App)
  })

  it('whose chunk came damaged gets it past the browser’s cache before it tries again [P26]', async () => {
    const remote = createRemote(aName())
    const chunk = remote.entry.replace('remoteEntry', 'App')
    const thrown = Object.assign(new Error('Loading chunk 1 failed.'), { name: 'ChunkLoadError', request: chunk })
    let isDamaged = true
    fakeScripts(() =>
      working(remote.declaration.name, async () => {
        if (isDamaged) throw thrown
        return () => ({ App })
      }),
    )
    const asked: unknown[] = []
    Object.defineProperty(globalThis, 'fetch', {
      configurable: true,
      value: async (url: string, { cache }: RequestInit) => {
        asked.push([url, cache])
        isDamaged = false
        return { arrayBuffer: async () => new ArrayBuffer(0) }
      },
    })
    expect((await loadRemote(remote, './App')).App).toBe(App)
    expect(asked).toEqual([[chunk, 'reload']])
  })

  it('falls back to the release before, where the snapshot names one [P26]', async () => {
    const remote = createRemote(aName(), {}, true)
    const page = fakeScripts((path) => (path === remote.previous!.entry ? working(remote.declaration.name) : 'http'))
    expect((await loadRemote(remote, './App')).App).toBe(App)
    expect(page.asked.at(-1)).toBe(remote.previous!.entry)
  })

  it('gives the release before a list of scripts of its own, and takes everything else from it too [P26]', async () => {
    const remote = createRemote(aName(), {}, true)
    const { name } = remote.declaration
    const list = `webpackChunk${name.replaceAll('-', '_')}`
    const globals = globalThis as unknown as Record<string, unknown>
    const lists: unknown[] = []
    const page = fakeScripts((path) => {
      lists.push((globals[list] ??= [path]))
      return path === remote.previous!.entry
        ? working(name, async () => () => ({ App, Card: App }))
        : working(name, () => Promise.reject(new TypeError('x is not a function')))
    })
    expect((await loadRemote(remote, './App')).App).toBe(App)
    expect(lists).toEqual([[remote.entry], [remote.entry], [remote.previous!.entry]])
    expect(await loadRemote(remote, './cards')).toMatchObject({ Card: App })
    expect(page.asked).toHaveLength(3)
  })

  it('leaves a release that is in use where it is when one of its modules fails [P26]', async () => {
    const remote = createRemote(aName(), {}, true)
    const { name } = remote.declaration
    const gives = (path: string) =>
      working(name, async (module) => {
        if (module === './cards' && path !== remote.previous!.entry) throw new TypeError('x is not a function')
        return () => ({ App, from: path })
      })
    fakeScripts(gives)
    expect(await loadRemote(remote, './App')).toMatchObject({ from: remote.entry })
    expect(await loadRemote(remote, './cards')).toMatchObject({ from: remote.previous!.entry })
    expect(await loadRemote(remote, './search')).toMatchObject({ from: remote.entry })
  })

  it.each([
    ['http', 'http'],
    ['network', 'network'],
    ['altered', 'integrity'],
    ['throws', 'evaluation'],
    ['empty', 'module'],
  ] as const)('tells "%s" as the fault %s, with remote, release and address [P26]', async (fate, fault) => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const remote = createRemote(aName())
    fakeScripts(() => fate)
    const error = await failure(loadRemote(remote, './App'))
    expect(error.fault).toBe(fault)
    expect(error.origin).toMatchObject({ remote: remote.declaration.name, release: remote.releaseId })
    expect(error.sentence).not.toBe('')
  })

  it.each([
    [
      'a piece that cannot be loaded',
      Object.assign(new Error('Loading chunk 180 failed.'), { name: 'ChunkLoadError' }),
      'chunk',
      2,
    ],
    ['a module that it does not have', new Error('Module "./App" does not exist in container.'), 'module', 1],
    [
      'a shared module that the host lacks',
      new Error("Shared module @dmp/kit/map doesn't exist in shared scope default"),
      'contract',
      1,
    ],
    [
      'a shared module in another version',
      new Error('Unsatisfied version 1.0.0 from host of shared singleton module @dmp/kit (required ^2.0.0)'),
      'contract',
      1,
    ],
    ['code that throws at its start', new TypeError('x is not a function'), 'evaluation', 2],
  ] as const)('tells %s apart, and asks again only where that may help [P26]', async (_what, thrown, fault, times) => {
    const remote = createRemote(aName())
    const page = fakeScripts(() =>
      working(remote.declaration.name, async () => {
        throw thrown
      }),
    )
    const error = await failure(loadRemote(remote, './App'))
    expect(error.fault).toBe(fault)
    expect(error.cause).toBe(thrown)
    expect(page.asked).toHaveLength(times)
  })

  it('refuses a module without the App that every remote exports [P26]', async () => {
    const remote = createRemote(aName())
    fakeScripts(() => working(remote.declaration.name, async () => () => ({ Application: App })))
    expect((await failure(loadRemote(remote, './App'))).fault).toBe('module')
  })

  it('that lacks its App is asked for again where a release before may stand in [P26]', async () => {
    const remote = createRemote(aName(), {}, true)
    fakeScripts((path) =>
      path === remote.previous!.entry
        ? working(remote.declaration.name)
        : working(remote.declaration.name, async () => () => ({ Application: App })),
    )
    expect((await loadRemote(remote, './App')).App).toBe(App)
  })

  it.each([
    [
      'are those that the snapshot names',
      async () =>
        `sha384-${btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.digest('SHA-384', new TextEncoder().encode('other bytes')))))}`,
    ],
    ['are not known beforehand', async () => ''],
  ])('blames the line and not the file where its bytes %s [P26]', async (_which, integrity) => {
    const remote = { ...createRemote(aName()), integrity: await integrity() }
    fakeScripts(() => 'altered')
    expect((await failure(loadRemote(remote, './App'))).fault).toBe('network')
  })

  it('gives up waiting for a module that never comes [P26]', async () => {
    jest.useFakeTimers({ doNotFake: ['queueMicrotask'] })
    const remote = createRemote(aName())
    fakeScripts(() => working(remote.declaration.name, () => new Promise(() => undefined)))
    const error = failure(loadRemote(remote, './App'))
    await jest.advanceTimersByTimeAsync(60_000)
    expect((await error).fault).toBe('timeout')
  })

  it('can be tried again after all attempts failed, each time from an address that was not asked before', async () => {
    const remote = createRemote(aName())
    let isBroken = true
    const page = fakeScripts(() => (isBroken ? 'http' : working(remote.declaration.name)))
    await failure(loadRemote(remote, './App'))
    forgetRemote(remote)
    await failure(loadRemote(remote, './App'))
    isBroken = false
    forgetRemote(remote)
    expect((await loadRemote(remote, './App')).App).toBe(App)
    expect(new Set(page.asked).size).toBe(page.asked.length)
  })
})

describe('a script that the page itself asked for', () => {
  const own = (entry: string): HTMLScriptElement => {
    const script = Object.assign(document.createElement('script'), { src: entry, type: 'text/plain' })
    document.body.append(script)
    return script
  }
  const read = (state: DocumentReadyState) => jest.spyOn(document, 'readyState', 'get').mockReturnValue(state)
  beforeEach(() => void jest.useFakeTimers({ doNotFake: ['queueMicrotask'] }))

  it('is waited for while the page is read, and not asked for again', async () => {
    const remote = createRemote(aName())
    const page = fakeScripts(() => 'http')
    const script = own(remote.entry)
    read('loading')
    const loading = loadRemote(remote, './App')
    await jest.advanceTimersByTimeAsync(100)
    Object.assign(globalThis, {
      [toGlobalName(remote.declaration.name)]: { init: () => undefined, get: async () => () => ({ App }) },
    })
    script.dispatchEvent(new Event('load'))
    expect((await loading).App).toBe(App)
    expect(page.asked).toEqual([])
    script.remove()
  })

  it('and that has not run when the page is there is asked for at once', async () => {
    const remote = createRemote(aName())
    const page = fakeScripts(() => working(remote.declaration.name))
    const script = own(remote.entry)
    read('complete')
    const loading = loadRemote(remote, './App')
    await jest.advanceTimersByTimeAsync(100)
    expect(page.asked).toEqual([remote.entry])
    expect((await loading).App).toBe(App)
    script.remove()
  })
})
