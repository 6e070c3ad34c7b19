import { createRemote } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { forgetRemote, loadRemote, msSinceLoaded } from './loadRemote.ts'
import type { RemoteError } from './RemoteError.ts'

const App = () => null
let number = 0
/** A name that no other test has loaded: a page loads a release once. */
const aName = (): string => `remote-again${(number += 1)}`
const working = (name: string) => ({
  global: name.replaceAll('-', '_'),
  container: { get: async () => () => ({ App }) },
})
const failure = (promise: Promise<unknown>): Promise<RemoteError> =>
  promise.then(
    () => {
      throw new Error('it loaded')
    },
    (error: RemoteError) => error,
  )

afterEach(() => jest.restoreAllMocks())

it('a remote of a development server has one address, which is asked for again past what hangs', async () => {
  const remote = createRemote(aName())
  const entry = '/remoteEntry.js'
  const page = fakeScripts((path) => (path === entry ? 'http' : working(remote.declaration.name)))
  const server = { ...remote, entry: `http://localhost:8123${entry}`, releaseId: 'development', integrity: '' }
  expect((await loadRemote(server, './App')).App).toBe(App)
  expect(page.asked).toEqual([entry, `${entry}?r=0`])
})

it('a remote and the release before it are asked for from other addresses when they are tried again', async () => {
  const remote = createRemote(aName(), {}, true)
  const page = fakeScripts(() => 'http')
  await failure(loadRemote(remote, './App'))
  const before = page.asked.length
  forgetRemote(remote)
  await failure(loadRemote(remote, './App'))
  const toAgain = (entry: string) => `${entry.replace('/releases/', '/releases/again/')}?r=1`
  expect(page.asked.slice(before)).toEqual([toAgain(remote.entry), toAgain(remote.previous!.entry)])
})

it('a remote keeps the time of its screens when only its searches are tried again', async () => {
  const remote = createRemote(aName())
  fakeScripts(() => working(remote.declaration.name))
  await loadRemote(remote, './App')
  forgetRemote(remote, './search')
  expect(msSinceLoaded(remote)).toBeDefined()
  forgetRemote(remote)
  expect(msSinceLoaded(remote)).toBeUndefined()
})

it('a remote is not blamed for what another script threw while it was loaded [P26]', async () => {
  const remote = createRemote(aName())
  fakeScripts(() => {
    dispatchEvent(new ErrorEvent('error', { filename: 'https://elsewhere.example/x.js', error: new Error('x') }))
    return 'empty'
  })
  const error = await failure(loadRemote(remote, './App'))
  expect([error.fault, error.cause]).toEqual(['module', undefined])
})

it('a remote whose script the page has run by now is not asked for again', async () => {
  const remote = createRemote(aName())
  const page = fakeScripts(() => 'http')
  const { global, container } = working(remote.declaration.name)
  Object.assign(globalThis, { [global]: { init: () => undefined, ...container } })
  expect((await loadRemote(remote, './App')).App).toBe(App)
  expect(page.asked).toEqual([])
})

it('a remote is asked for at once where all scripts of the page have had their turn, though its pictures come', async () => {
  const remote = createRemote(aName())
  const script = Object.assign(document.createElement('script'), { src: remote.entry, type: 'text/plain' })
  document.body.append(script)
  const page = fakeScripts(() => working(remote.declaration.name))
  jest.spyOn(document, 'readyState', 'get').mockReturnValue('interactive')
  const before = performance.getEntriesByType
  performance.getEntriesByType = () => [{ domContentLoadedEventStart: 5 } as unknown as PerformanceEntry]
  const loading = loadRemote(remote, './App')
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(page.asked).toEqual([remote.entry])
  expect((await loading).App).toBe(App)
  performance.getEntriesByType = before
  script.remove()
})
