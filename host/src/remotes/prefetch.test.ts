import { aUser } from '@dmp/contract/examples'
import { loadDialogs } from '@dmp/kit/ui'
import { createRemote, placeSnapshot } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { startPrefetch, prefetchPath } from './prefetch.ts'

let number = 0
/** A remote that no other test has fetched, with its entry in the navigation. */
function shown(module: string) {
  const name = `ahead${(number += 1)}`
  return createRemote(`remote-${name}`, {
    navigation: [
      {
        alias: name,
        routerLink: `/${name}`,
        fontAwesomeClass: 'fa-solid fa-user',
        frontEndModule: true,
        module,
        action: 'List',
        order: number,
      },
    ],
  })
}
const page = () =>
  fakeScripts((path) => ({
    global: path.split('/')[2]!.replaceAll('-', '_'),
    container: { get: async () => () => ({ App: () => null }) },
  }))
const { policy } = aUser('staff')
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)

beforeAll(loadDialogs)
beforeEach(() => void jest.useFakeTimers({ doNotFake: ['queueMicrotask'] }))
afterEach(() => {
  jest.useRealTimers()
  jest.restoreAllMocks()
  history.replaceState(null, '', '/')
  Reflect.deleteProperty(navigator, 'connection')
})

describe('what is fetched before it is wanted', () => {
  it('is everything that the navigation shows, one after the other, once the page has come to rest, but for the part that is open', async () => {
    const [open, closed, first, second] = [shown('Scan'), shown('Registration'), shown('Scan'), shown('Complaint')]
    placeSnapshot(open, closed, first, second)
    history.replaceState(null, '', `${open.declaration.routes[0]!.prefix}/detail/1`)
    const { asked } = page()
    startPrefetch(policy)
    await pass(1900)
    expect(asked).toEqual([])
    await pass(400)
    expect(asked).toEqual([first.entry])
    await pass(1000)
    expect(asked).toEqual([first.entry, second.entry])
  })

  it('waits for idle moments where the browser tells of them', async () => {
    const wanted = shown('Scan')
    placeSnapshot(wanted)
    const { asked } = page()
    let isIdle = () => {}
    const ask = jest.fn((whenIdle: () => void) => {
      isIdle = whenIdle
    })
    Object.assign(globalThis, { requestIdleCallback: ask })
    startPrefetch(policy)
    await pass(5000)
    expect(asked).toEqual([])
    expect(ask).toHaveBeenCalledWith(expect.any(Function), { timeout: 10_000 })
    isIdle()
    await pass(0)
    expect(asked).toEqual([wanted.entry])
    Reflect.deleteProperty(globalThis, 'requestIdleCallback')
  })

  it('is nothing for who asked the browser to save data', async () => {
    placeSnapshot(shown('Scan'))
    Object.defineProperty(navigator, 'connection', { configurable: true, value: { saveData: true } })
    const { asked } = page()
    startPrefetch(policy)
    await pass(30_000)
    expect(asked).toEqual([])
  })

  it('is nothing more after a stop', async () => {
    const [first, second] = [shown('Scan'), shown('Scan')]
    placeSnapshot(first, second)
    const { asked } = page()
    const stop = startPrefetch(policy)
    await pass(2300)
    stop()
    await pass(30_000)
    expect(asked).toEqual([first.entry])
  })

  it('is what a link under the pointer leads to, if a remote owns it', async () => {
    const remote = shown('Scan')
    placeSnapshot(remote)
    const { asked } = page()
    prefetchPath('/nowhere')
    prefetchPath(`${remote.declaration.routes[0]!.prefix}/detail/1`)
    await pass(0)
    expect(asked).toEqual([remote.entry])
  })
})
