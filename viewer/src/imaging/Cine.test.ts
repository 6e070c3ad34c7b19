import { Cine } from './Cine.ts'
import type { Picture } from './Picture.ts'

/** A stack of three slices; shows the one it goes to, except where told otherwise. */
function aStack({ missing = -1, failed = -1 } = {}) {
  const seen: number[] = []
  const picture = {
    index: 0,
    count: 3,
    get isShown() {
      return this.index !== missing && this.index !== failed
    },
    loading: { failureOf: (index: number) => (index === failed ? { kind: 'missing' } : undefined) },
    goTo(index: number) {
      this.index = index
      seen.push(index)
    },
  }
  return { picture: picture as unknown as Picture, seen }
}

describe('playing a stack', () => {
  beforeEach(() => jest.useFakeTimers())
  afterEach(() => jest.useRealTimers())

  it('goes forward slice by slice, from the last to the first, until it is stopped [7.42]', () => {
    const onChange = jest.fn()
    const cine = new Cine(onChange)
    const { picture, seen } = aStack()
    cine.play(picture, 10)
    jest.advanceTimersByTime(400)
    expect([seen, cine.isPlaying]).toEqual([[1, 2, 0, 1], true])
    cine.stop()
    cine.stop()
    jest.advanceTimersByTime(400)
    expect([seen.length, cine.isPlaying, onChange.mock.calls.length]).toEqual([4, false, 2])
  })

  it('waits for a slice that is not here yet, and goes past one that cannot be read [7.42]', () => {
    const waiting = aStack({ missing: 1 })
    new Cine(jest.fn()).play(waiting.picture, 10)
    const passing = aStack({ failed: 1 })
    new Cine(jest.fn()).play(passing.picture, 10)
    jest.advanceTimersByTime(300)
    expect([waiting.seen, passing.seen]).toEqual([[1], [1, 2, 0]])
  })

  it.each([
    [1000, 60],
    [0, 1],
  ])('plays at %d pictures a second as at %d, the nearest that there is [7.42]', (wanted, played) => {
    const every = jest.spyOn(globalThis, 'setInterval')
    new Cine(jest.fn()).play(aStack().picture, wanted)
    expect(every).toHaveBeenLastCalledWith(expect.any(Function), 1000 / played)
  })
})
