import { contentMark } from '@dmp/kit'
import { placeSettings } from '@dmp/kit/testing'
import { placePage } from '../testing/createRemote.ts'
import { readText, Report } from '../testing/Report.ts'
import { drawnMark, partMark } from './pageMarks.ts'
import { observeTimes } from './pageTimes.ts'

/** What a browser remembers and tells of a page; jsdom knows none of it. */
class FakeObserver {
  static readonly supportedEntryTypes = ['mark', 'event', 'layout-shift']
  static observers = new Map<string, FakeObserver>()
  readonly tell: (list: { getEntries(): readonly object[] }) => void
  constructor(tell: (list: { getEntries(): readonly object[] }) => void) {
    this.tell = tell
  }
  observe({ type }: { type: string }): void {
    FakeObserver.observers.set(type, this)
  }
  static say(type: string, ...entries: readonly object[]): void {
    FakeObserver.observers.get(type)?.tell({ getEntries: () => entries })
  }
}

const reports = new Report()
const scan = 'a1'.repeat(8)
const audit = 'b2'.repeat(8)
const mark = (name: string, startTime: number) => FakeObserver.say('mark', { name, startTime })
const enter = (part: string, releaseId: string, at: number) => mark(`${partMark} ${part} ${releaseId}`, at)
const click = (id: number, startTime: number, duration: number) =>
  FakeObserver.say('event', { interactionId: id, startTime, duration })
const shift = (startTime: number, value: number, hadRecentInput = false) =>
  FakeObserver.say('layout-shift', { startTime, value, hadRecentInput })
const leave = () => dispatchEvent(new Event('pagehide'))
const told = async () => {
  leave()
  return (await reports.times()).map(({ part, what, value }) => `${part} ${what} ${value}`)
}

beforeAll(() => {
  placeSettings()
  Object.defineProperty(globalThis, 'PerformanceObserver', { configurable: true, value: FakeObserver })
  performance.clearMarks = () => undefined
})
beforeEach(() => {
  reports.begin()
  FakeObserver.observers.clear()
  placePage({})
  jest.useFakeTimers({ doNotFake: ['performance'] })
  observeTimes()
})
afterEach(() => jest.useRealTimers())

describe('how people fare with a part [P85]', () => {
  it('is told from the address on for what a visit begins with, and from the click on for what follows', async () => {
    enter('remote-scan', scan, 300)
    mark(`${drawnMark} remote-scan`, 420)
    mark(contentMark, 900)
    enter('host', 'c3'.repeat(8), 5000)
    enter('remote-audit', audit, 5000)
    mark(`${drawnMark} remote-audit`, 5040)
    mark(contentMark, 5300)
    mark(contentMark, 9000)
    expect(await told()).toEqual(
      expect.arrayContaining([
        'remote-scan start 420',
        'remote-scan firstRow 900',
        'remote-audit start 40',
        'remote-audit firstRow 300',
      ]),
    )
  })

  it('is told of clicks and shifts to the part that the page was at that moment, when it is put aside', async () => {
    enter('remote-scan', scan, 300)
    mark(contentMark, 900)
    enter('remote-audit', audit, 5000)
    click(1, 1000, 80)
    click(1, 1000, 120)
    click(2, 6000, 40)
    shift(1000, 0.02)
    shift(1500, 0.03)
    shift(9000, 0.04)
    shift(9100, 0.5, true)
    const times = await told()
    expect(times).toEqual(
      expect.arrayContaining([
        'remote-scan inp 120',
        'remote-scan cls 50',
        'remote-audit inp 40',
        'remote-audit cls 40',
      ]),
    )
    // Each figure once in the life of a page.
    expect(await told()).toEqual(times)
  })

  it('adds shifts up that come within a second of each other, for five seconds', async () => {
    enter('remote-scan', scan, 0)
    for (const [at, value] of [
      [1000, 0.01],
      [1999, 0.01],
      // A second later it is another one.
      [2999, 0.05],
      [20_000, 0.01],
      [20_900, 0.01],
      [21_800, 0.01],
      [22_700, 0.01],
      [23_600, 0.01],
      [24_500, 0.01],
      // Five seconds after it began.
      [25_000, 0.02],
    ] as const)
      shift(at, value)
    expect(await told()).toContain('remote-scan cls 60')
  })

  it('says nothing of movements of the pointer, which answer nothing, and of marks that are not its own', async () => {
    enter('remote-scan', scan, 0)
    FakeObserver.say('event', { startTime: 100, duration: 900 }, { interactionId: 0, startTime: 100, duration: 900 })
    mark('some other mark', 50)
    mark(`${drawnMark} remote-audit`, 60)
    expect((await told()).filter((time) => /inp|start/.test(time))).toEqual([])
  })

  it('of many clicks leaves one in fifty out', async () => {
    enter('remote-scan', scan, 0)
    for (let id = 1; id <= 60; id += 1) click(id, 1000 + id, id === 60 ? 3000 : 50)
    expect(await told()).toContain('remote-scan inp 50')
  })

  it('says once an hour that the page is there, with each release that it has', async () => {
    enter('remote-scan', scan, 0)
    leave()
    jest.advanceTimersByTime(3_600_000)
    const times = await told()
    expect(times.filter((time) => time === 'remote-scan open 0')).toHaveLength(2)
    expect(times.filter((time) => time === 'host open 0')).toHaveLength(2)
  })

  it('is told of what took a minute, and not of what took longer', async () => {
    enter('remote-scan', scan, 0)
    mark(contentMark, 60_000)
    enter('remote-audit', audit, 100_000)
    mark(contentMark, 160_001)
    const rows = (await told()).filter((time) => time.includes('firstRow'))
    expect(rows).toEqual(['remote-scan firstRow 60000'])
  })

  it('is told when its tab is hidden, in as many messages as hold all, and not while it stays in sight', async () => {
    for (let at = 0; at < 60; at += 1) enter(`remote-part${at}`, scan, 1000 * at)
    const sent: Blob[] = []
    const send = (_url: string, body: Blob): boolean => sent.push(body) > 0
    Object.defineProperty(navigator, 'sendBeacon', { configurable: true, value: send })
    document.dispatchEvent(new Event('visibilitychange'))
    expect(sent).toEqual([])
    const sight = jest.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden')
    document.dispatchEvent(new Event('visibilitychange'))
    sight.mockRestore()
    const bodies = await Promise.all(sent.map(readText))
    const sizes = bodies.map((text) => (JSON.parse(text) as { times: readonly unknown[] }).times.length)
    // Host and sixty parts are there; nothing moved on the last fifty of them.
    expect(sizes).toEqual([40, 40, 31])
  })

  it('says nothing of a page that nobody saw, and nothing that took longer than a minute', async () => {
    document.dispatchEvent(new Event('visibilitychange'))
    enter('remote-scan', scan, 0)
    mark(contentMark, 100)
    enter('remote-audit', audit, 1e9)
    mark(contentMark, 1e9 + 70_000)
    expect((await told()).filter((time) => time.includes('firstRow'))).toEqual([])
  })
})

it('nothing is told while this browser gets something in place of what is live [P85]', async () => {
  FakeObserver.observers.clear()
  placePage({ overrides: [{ part: 'remote-other', address: 'http://localhost:8123' }] })
  observeTimes()
  expect(FakeObserver.observers.size).toBe(0)
})
