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
