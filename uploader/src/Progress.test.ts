import type { Found } from './dicomFile.ts'
import { Progress } from './Progress.ts'

const file = (name: string): Found => ({ path: `/scans/${name}`, size: 1_000_000, modifiedMs: 0 })

describe('time left and progress', () => {
  it('are of the time that was spent sending, not of waits and pauses, and by bytes [P56]', () => {
    let now = 1_000_000
    const progress = new Progress(() => now)
    const [first, second, third, small] = [file('1'), file('2'), file('3'), { ...file('4'), size: 1000 }]
    progress.begin()
    for (const each of [first, second, third, small]) progress.found(each)
    progress.counted()
    progress.started([first])
    now += 10_000
    progress.settled(first, 'stored')
    expect(progress.bytesPerSecond).toBe(100_000)
    expect(progress.arrivedShare).toBeCloseTo(1_000_000 / 3_001_000)
    now += 600_000
    expect([progress.bytesPerSecond, progress.minutesLeft]).toEqual([100_000, 1])
    progress.started([second])
    now += 10_000
    progress.settled(second, 'stored')
    expect(progress.bytesPerSecond).toBe(100_000)
  })
})

describe('folders that cannot be looked through', () => {
  const reasons = (progress: Progress) => progress.failures.map(({ reason }) => reason)
  it('are news once when they are gone, and once when they are there again; others say that they cannot be read [P56]', () => {
    const progress = new Progress()
    const look = (...missed: [string, boolean][]) => {
      progress.begin()
      const news = missed.map(([place, isGone]) => progress.missed(place, isGone))
      return { news, back: progress.counted() }
    }
    expect(look(['/share', true], ['/locked', false])).toEqual({ news: [true, false], back: [] })
    expect(reasons(progress)).toEqual([
      expect.stringContaining('cannot be read'),
      expect.stringContaining('is not there'),
    ])
    expect(look(['/share', true], ['/locked', false])).toEqual({ news: [false, false], back: [] })
    expect(look(['/locked', false])).toEqual({ news: [false], back: ['/share'] })
    expect(reasons(progress)).toEqual([expect.stringContaining('cannot be read')])
    expect(look()).toEqual({ news: [], back: [] })
    expect(reasons(progress)).toEqual([])
    expect(look(['/share', true])).toEqual({ news: [true], back: [] })
  })

  it('keep what was refused in them on the list while they are gone, and lose it once it is there no more [P56]', () => {
    const progress = new Progress()
    const refused = { path: '/share/a.dcm', reason: 'Too deep.', isFinal: true, at: new Date(0).toISOString() }
    const beside = { ...refused, path: '/share-of-others/a.dcm' }
    progress.begin()
    progress.refusedBefore([refused, beside])
    progress.refusedBefore([refused])
    progress.counted()
    expect(progress.counts.refused).toBe(2)
    progress.begin()
    progress.missed('/share', true)
    progress.counted()
    expect(progress.counts.refused).toBe(1)
    progress.begin()
    progress.counted()
    expect([progress.counts.refused, reasons(progress)]).toEqual([0, []])
  })
})

it('what waited because nobody was let in is forgotten by its cause alone, and what was refused stays [P56]', () => {
  const progress = new Progress()
  progress.begin()
  const [first, second, third] = [file('1'), file('2'), file('3')]
  for (const each of [first, second, third]) progress.found(each)
  progress.putOff(first, { reason: 'The session has ended.', code: 'ENDED' })
  progress.putOff(second, { reason: 'Connection lost.', code: 'LOST' })
  progress.settled(third, 'refused', { reason: 'Ended.', code: 'ENDED' })
  expect(progress.failed).toBe(2)
  progress.forgetLater('ENDED')
  expect([progress.failed, progress.counts.refused]).toEqual([1, 1])
  expect(progress.failures.map(({ reason }) => reason).toSorted()).toEqual(['Connection lost.', 'Ended.'])
})

it('the speed is that of the last minute that was spent sending, to the second [P56]', () => {
  let now = 1_000_000
  const progress = new Progress(() => now)
  const large = { ...file('large'), size: 100_000_000 }
  progress.begin()
  progress.found(large)
  progress.counted()
  progress.started([large])
  progress.arrived(large, 60_000_000, true)
  expect(progress.minutesLeft).toBeUndefined()
  progress.arrived(large, 66_000_000)
  now += 60_000
  expect(progress.bytesPerSecond).toBe(100_000)
  now += 1
  expect([progress.bytesPerSecond, progress.minutesLeft]).toEqual([0, undefined])
})

it('a look that is not at its end is not quiet, whatever was settled meanwhile [P56]', () => {
  const progress = new Progress()
  progress.begin()
  progress.found(file('1'))
  progress.settled(file('1'), 'stored')
  expect([progress.waiting, progress.isQuiet]).toEqual([0, false])
  progress.found(file('2'))
  progress.counted()
  expect(progress.isQuiet).toBe(false)
  progress.settled(file('2'), 'stored')
  expect(progress.isQuiet).toBe(true)
})
