import { SliceLoader } from './SliceLoader.ts'

const settle = async () => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
}

function harness(
  count: number,
  more: { concurrency?: number; reach?: number; fails?: (index: number) => unknown } = {},
) {
  const asked: number[] = []
  const release = new Map<number, () => void>()
  const pauses: string[] = []
  const loader = new SliceLoader({
    count,
    concurrency: more.concurrency ?? 1,
    reach: more.reach ?? count,
    load: (index) => {
      asked.push(index)
      const thrown = more.fails?.(index)
      if (thrown !== undefined) return Promise.reject(thrown)
      return new Promise<void>((done) => release.set(index, done))
    },
    onChange: () => undefined,
    onPause: (failure) => pauses.push(failure.kind),
  })
  const finish = async (index: number) => {
    release.get(index)!()
    await settle()
  }
  return { loader, asked, pauses, finish }
}

describe('loading the slices of a stack', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it('begins with the slice in view, then its neighbours [7.42]', async () => {
    const { loader, asked, finish } = harness(7)
    loader.look(3)
    for (const index of [3, 4, 2, 5, 1, 6, 0]) await finish(index)
    expect(asked).toEqual([3, 4, 2, 5, 1, 6, 0])
    expect(loader.loadedCount).toBe(7)
  })

  it('has no more under way than it may [7.42, P18]', async () => {
    const { loader, asked, finish } = harness(10, { concurrency: 3 })
    loader.look(0)
    await finish(0)
    expect(asked).toEqual([0, 1, 2, 3])
    await finish(2)
    expect(asked).toEqual([0, 1, 2, 3, 4])
  })

  it('gives the line to the first slice alone, so that a picture is there soon [7.42]', async () => {
    const { loader, asked, finish } = harness(10, { concurrency: 3 })
    loader.look(5)
    expect(asked).toEqual([5])
    await finish(5)
    expect(asked).toEqual([5, 6, 4, 7])
  })

  it('follows the eye: what is in view next is asked for next [7.42]', async () => {
    const { loader, asked, finish } = harness(100)
    loader.look(50)
    loader.look(90)
    await finish(50)
    expect(asked).toEqual([50, 90])
  })

  it('keeps within reach, and fetches again what the cache dropped [7.42]', async () => {
    const { loader, asked, finish } = harness(100, { reach: 1 })
    loader.look(10)
    for (const index of [10, 11, 9]) await finish(index)
    expect(asked).toEqual([10, 11, 9])
    loader.forget(10)
    loader.look(10)
    expect(asked).toEqual([10, 11, 9, 10])
  })

  it('marks a slice that cannot be read, goes on, and tries it again when asked [7.42]', async () => {
    let isBroken = true
    const { loader, asked, finish } = harness(3, {
      fails: (index) => (index === 0 && isBroken ? new Error('bad data') : undefined),
    })
    loader.look(0)
    await settle()
    expect(loader.stateOf(0)).toBe('failed')
    expect(loader.failureOf(0)?.kind).toBe('damaged')
    await finish(1)
    await finish(2)
    isBroken = false
    loader.resume()
    await finish(0)
    expect(asked).toEqual([0, 1, 2, 0])
    expect(loader.stateOf(0)).toBe('loaded')
    expect(loader.failureOf(0)).toBeUndefined()
  })

  it('pauses when the line is lost, and tries again ever more rarely [7.42, P28]', async () => {
    const { loader, asked, pauses } = harness(5, { fails: () => ({ status: 0 }) })
    loader.look(2)
    await settle()
    expect(asked).toEqual([2])
    expect(pauses).toEqual(['network'])
    await jest.advanceTimersByTimeAsync(1000)
    expect(asked).toHaveLength(2)
    await jest.advanceTimersByTimeAsync(1999)
    expect(asked).toHaveLength(2)
    await jest.advanceTimersByTimeAsync(1)
    expect(asked).toHaveLength(3)
    loader.resume()
    await settle()
    expect(asked).toHaveLength(4)
  })

  it('waits half a minute at most, however long the line is away [7.42, P28]', async () => {
    const { loader, asked } = harness(5, { fails: () => ({ status: 0 }) })
    loader.look(2)
    await settle()
    await jest.advanceTimersByTimeAsync(5 * 60_000)
    const before = asked.length
    await jest.advanceTimersByTimeAsync(60_000)
    expect(asked.length - before).toBe(2)
  })

  it('begins with a short pause again once something has come [7.42, P28]', async () => {
    let isAway = true
    const { loader, asked, finish } = harness(3, { fails: () => (isAway ? { status: 0 } : undefined) })
    loader.look(0)
    await settle()
    await jest.advanceTimersByTimeAsync(1000)
    isAway = false
    await jest.advanceTimersByTimeAsync(2000)
    expect(asked).toEqual([0, 0, 0])
    isAway = true
    await finish(0)
    expect(asked).toHaveLength(4)
    await jest.advanceTimersByTimeAsync(1000)
    expect(asked).toHaveLength(5)
  })

  it('pauses once for all that are under way when the line is lost [7.42, P28]', async () => {
    const { loader, asked, pauses, finish } = harness(9, {
      concurrency: 3,
      fails: (index) => (index === 0 ? undefined : { status: 0 }),
    })
    loader.look(0)
    await finish(0)
    expect([asked, pauses]).toEqual([[0, 1, 2, 3], ['network']])
    await jest.advanceTimersByTimeAsync(1000)
    expect(pauses).toHaveLength(2)
  })

  it('asks for no other slice once the access has ended [7.42, P28]', async () => {
    const { loader, asked, pauses } = harness(5, { fails: () => ({ status: 401 }) })
    loader.look(2)
    await settle()
    expect([asked, pauses, loader.failureOf(2)?.kind]).toEqual([[2], ['expired'], 'expired'])
  })

  it('asks for nothing that comes into view once stopped [7.42]', () => {
    const { loader, asked } = harness(5)
    loader.stop()
    loader.look(3)
    loader.resume()
    expect(asked).toEqual([])
  })

  it('has not forgotten what is still on its way, nor what cannot be read, when the cache drops it [7.42]', async () => {
    const { loader, asked } = harness(3, {
      concurrency: 3,
      fails: (index) => (index === 1 ? new Error('bad data') : undefined),
    })
    loader.look(1)
    await settle()
    for (const index of [0, 1, 2, 7]) loader.forget(index)
    loader.look(1)
    await settle()
    expect(asked.toSorted()).toEqual([0, 1, 2])
    expect([0, 1, 2].map((index) => loader.stateOf(index))).toEqual(['loading', 'failed', 'loading'])
  })

  it('says nothing of a line that is lost once stopped [7.42]', async () => {
    const { loader, pauses } = harness(5, { fails: () => ({ status: 0 }) })
    loader.look(0)
    loader.stop()
    await settle()
    expect(pauses).toEqual([])
  })

  it('stops asking for anything once stopped [7.42]', async () => {
    const { loader, asked, finish } = harness(5)
    loader.look(0)
    loader.stop()
    await finish(0)
    expect(asked).toEqual([0])
  })
})
