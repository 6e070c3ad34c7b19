import { CallError } from '@dmp/kit'
import { placeSettings } from '@dmp/kit/testing'
import { Report } from '../testing/Report.ts'
import { createRemote, placePage } from '../testing/createRemote.ts'
import { fakeScripts } from '../testing/fakeScripts.ts'
import { loadRemote } from './loadRemote.ts'
import { recordError, observePage } from './releaseReports.ts'
import { RemoteError } from './RemoteError.ts'

const reports = new Report()
const release = (digit: string): string => digit.repeat(16)
const origin = {
  remote: 'remote-scan',
  release: release('f'),
  url: `/releases/remote-scan/${release('f')}/remoteEntry.js`,
}
const thrownIn = (name: string, ...files: string[]): Error =>
  Object.assign(new Error('Ms Ada Berg is not iterable'), {
    name,
    stack: [
      `${name}: Ms Ada Berg is not iterable`,
      ...files.map((file) => `    at x (https://dmp.example${file}:1:2)`),
    ].join('\n'),
  })

beforeAll(() => {
  placeSettings()
  observePage()
})
beforeEach(() => reports.begin())
afterEach(() => jest.restoreAllMocks())

describe('a page tells', () => {
  it('that a remote was loaded, and how long that took', async () => {
    const remote = createRemote('remote-seen1')
    const before = performance.now()
    fakeScripts(() => ({ global: 'remote_seen1', container: { get: async () => () => ({ App: () => null }) } }))
    await loadRemote(remote, './App')
    const most = Math.ceil(performance.now() - before)
    const [seen, ...others] = await reports.sent()
    expect([seen, others]).toEqual([
      { part: 'remote-seen1', releaseId: remote.releaseId, what: 'loaded', ms: expect.any(Number) as unknown },
      [],
    ])
    expect(seen?.ms).toBeLessThanOrEqual(most)
  })

  it('an error of the host’s own code of the part that was being drawn, where the stack names none [P31]', async () => {
    const [host, part] = [`/releases/host/${release('b')}/main.js`, `/releases/remote-drawn/${release('c')}/App.js`]
    const drawn = `\n    at Table (https://dmp.example${host}:1:2)\n    at List (https://dmp.example${part}:1:2)`
    recordError(thrownIn('TypeError', host), drawn)
    expect(await reports.sent()).toEqual([{ part: 'remote-drawn', releaseId: release('c'), what: 'error' }])
  })

  it('nothing while this browser gets something in place of what is live', async () => {
    const remote = createRemote('remote-seen9')
    placePage({ remotes: [remote], overrides: [{ part: 'remote-other', address: 'http://localhost:8123' }] })
    fakeScripts(() => ({ global: 'remote_seen9', container: { get: async () => () => ({ App: () => null }) } }))
    await loadRemote(remote, './App')
    recordError(thrownIn('TypeError', `/releases/host/${release('a')}/main.js`))
    expect(await reports.sent()).toEqual([])
    placePage({})
  })

  it('no failure while it is being left, which cuts scripts off, and again if the person stays', async () => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const now = performance.now()
    const clock = jest.spyOn(performance, 'now').mockReturnValue(now)
    window.dispatchEvent(new Event('beforeunload'))
    const remote = createRemote('remote-seen10')
    fakeScripts(() => 'altered')
    await expect(loadRemote(remote, './App')).rejects.toThrow()
    expect(await reports.sent()).toEqual([])
    clock.mockReturnValue(now + 10_000)
    recordError(thrownIn('TypeError', `/releases/remote-seen10/${remote.releaseId}/main.js`))
    expect((await reports.sent()).map(({ what }) => what)).toEqual(['error'])
    window.dispatchEvent(new Event('pageshow'))
  })

  it('nothing of a first try that the second healed', async () => {
    const remote = createRemote('remote-seen2')
    fakeScripts((path) =>
      path === remote.entry
        ? 'http'
        : { global: 'remote_seen2', container: { get: async () => () => ({ App: () => null }) } },
    )
    await loadRemote(remote, './App')
    expect((await reports.sent()).map(({ what }) => what)).toEqual(['loaded'])
  })

  it.each([
    ['http', 'http'],
    ['altered', 'integrity'],
    ['throws', 'evaluation'],
  ] as const)('that a remote could not be loaded: %s', async (fate, what) => {
    jest.spyOn(console, 'error').mockImplementation(() => undefined)
    const remote = createRemote(`remote-seen3${what}`)
    fakeScripts(() => fate)
    await loadRemote(remote, './App').catch(() => undefined)
    expect(await reports.sent()).toEqual([{ part: remote.declaration.name, releaseId: remote.releaseId, what }])
  })

  it('also that the release before had to stand in', async () => {
    const remote = createRemote('remote-seen4', {}, true)
    fakeScripts((path) =>
      path === remote.previous!.entry
        ? { global: 'remote_seen4', container: { get: async () => () => ({ App: () => null }) } }
        : 'http',
    )
    await loadRemote(remote, './App')
    expect(await reports.sent()).toEqual([{ part: 'remote-seen4', releaseId: remote.releaseId, what: 'http' }])
  })

  it.each([
    [
      'of the remote whose script threw',
      ['/releases/remote-scan/1111111111111111/App.js'],
      'remote-scan',
      release('1'),
    ],
    [
      'of the remote that called what threw in the host',
      ['/releases/host/2222222222222222/kit.js', '/releases/again/remote-user/3333333333333333/App.js'],
      'remote-user',
      release('3'),
    ],
    ['of the host where it is alone', ['/releases/host/4444444444444444/main.js'], 'host', release('4')],
  ])('of an error that nobody caught: %s, without its words', async (_whose, files, part, releaseId) => {
    dispatchEvent(new ErrorEvent('error', { error: thrownIn('TypeError', ...files), message: 'x' }))
    expect(await reports.sent()).toEqual([{ part, releaseId, what: 'error' }])
    expect(reports.text).not.toMatch(/Ada|iterable|App\.js/)
  })

  it('of a piece that could not be loaded, by the address in its words', async () => {
    recordError(
      Object.assign(
        new Error('Loading chunk 7 failed. (error: https://dmp.example/releases/remote-scan/5555555555555555/7.js)'),
        { name: 'ChunkLoadError', stack: '' },
      ),
    )
    expect(await reports.sent()).toEqual([{ part: 'remote-scan', releaseId: release('5'), what: 'chunk' }])
  })

  it('each thing once, and all of it together', async () => {
    for (let times = 0; times < 5; times += 1)
      for (const digit of ['6', '7'])
        recordError(thrownIn('TypeError', `/releases/remote-scan/${release(digit)}/App.js`))
    expect((await reports.sent()).map(({ releaseId }) => releaseId)).toEqual([release('6'), release('7')])
    expect(reports.count).toBe(1)
  })

  it('no more in one report than that may hold', async () => {
    for (let number = 0; number < 41; number += 1)
      recordError(thrownIn('TypeError', `/releases/remote-many/${String(number).padStart(16, '0')}/App.js`))
    expect(await reports.sent()).toHaveLength(41)
    expect(reports.text.split('\n').map((text) => (JSON.parse(text) as { seen: unknown[] }).seen.length)).toEqual([
      40, 1,
    ])
  })

  it('after two seconds, in which more may come', () => {
    jest.useFakeTimers()
    recordError(thrownIn('TypeError', `/releases/remote-scan/${release('b')}/App.js`))
    jest.advanceTimersByTime(1900)
    expect(reports.count).toBe(0)
    jest.advanceTimersByTime(200)
    expect(reports.count).toBe(1)
    jest.useRealTimers()
  })

  it('what it saw last when it is left', () => {
    recordError(thrownIn('TypeError', `/releases/remote-scan/${release('8')}/App.js`))
    dispatchEvent(new Event('pagehide'))
    expect(reports.count).toBe(1)
  })

  it('what it saw until it is put behind another one, and not when it is looked at again', () => {
    const visibility = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('visible')
    recordError(thrownIn('TypeError', `/releases/remote-scan/${release('c')}/App.js`))
    document.dispatchEvent(new Event('visibilitychange'))
    expect(reports.count).toBe(0)
    visibility.mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    expect(reports.count).toBe(1)
  })

  it('of a piece that is missing as well that its release had been loaded', async () => {
    const remote = createRemote('remote-seen5')
    fakeScripts(() => ({ global: 'remote_seen5', container: { get: async () => () => ({ App: () => null }) } }))
    await loadRemote(remote, './App')
    recordError(thrownIn('ChunkLoadError', remote.entry))
    expect((await reports.sent()).map(({ what }) => what)).toEqual(['loaded', 'chunk'])
  })

  it('of a piece that is missing nothing about another release of the same part', async () => {
    recordError(thrownIn('TypeError', `/releases/remote-scan/${release('d')}/App.js`))
    recordError(thrownIn('ChunkLoadError', `/releases/remote-scan/${release('e')}/App.js`))
    expect(await reports.sent()).toEqual([
      { part: 'remote-scan', releaseId: release('d'), what: 'error' },
      { part: 'remote-scan', releaseId: release('e'), what: 'chunk' },
    ])
  })

  it.each([
    ['a call that the server refused', new CallError(500, 'X', 'x')],
    ['a request that was given up', thrownIn('AbortError', `/releases/remote-scan/${release('9')}/App.js`)],
    ['what no script of a release threw', thrownIn('TypeError', '/extension/content.js')],
    ['what could not be loaded, which is told already', new RemoteError('http', origin)],
    ['something that is no error', 'ResizeObserver loop completed'],
  ])('nothing of %s', async (_what, error) => {
    recordError(error)
    expect(await reports.sent()).toEqual([])
  })

  it('nothing bad of releases while there is no network', async () => {
    jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
    recordError(thrownIn('TypeError', `/releases/remote-scan/${release('a')}/App.js`))
    expect(await reports.sent()).toEqual([])
  })
})
