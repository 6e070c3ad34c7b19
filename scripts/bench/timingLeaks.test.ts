import { rankTest } from './timingLeaks.ts'

const around = (middle: number): number[] => Array.from({ length: 200 }, (_, n) => middle + ((n * 37) % 100) / 100)

describe('what the time of an answer tells', () => {
  it('is nothing where both kinds take the same, however few of them the machine delayed', () => {
    const delayed = around(10).map((time, n) => (n % 50 === 0 ? time + 500 : time))
    expect(rankTest(around(10), around(10))).toMatchObject({ share: 0.5, isChance: true })
    expect(rankTest(delayed, around(10)).isChance).toBe(true)
  })

  it('is found where one kind takes a little longer each time', () => {
    expect(rankTest(around(10.2), around(10))).toMatchObject({ isChance: false })
    expect(rankTest(around(11), around(5))).toMatchObject({ share: 1, isChance: false })
    expect(rankTest(around(5), around(11))).toMatchObject({ share: 0, isChance: false })
  })
})
