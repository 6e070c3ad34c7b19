import { ratioOfPairs } from './pairs.ts'

const pairsOf = (ratios: readonly number[]) => ratios.map((ratio) => [ratio * 200, 200] as const)

describe('the ratio of pairs', () => {
  // Ranks of the 95 % interval of a median: 4 and 12 of 15, 1 and 6 of 6.
  it.each([
    [15, { median: 8, low: 4, high: 12 }],
    [6, { median: 3.5, low: 1, high: 6 }],
    [1, { median: 1, low: 1, high: 1 }],
  ])('of %i pairs has the middle one and the ranks around it', (count, expected) => {
    const upwards = Array.from({ length: count }, (_, index) => index + 1)
    expect(ratioOfPairs(pairsOf(upwards))).toEqual(expected)
    expect(ratioOfPairs(pairsOf(upwards.toReversed()))).toEqual(expected)
  })

  it('is of each pair by itself: what slows a pair down leaves it as it is', () => {
    const alike = ratioOfPairs([
      [110, 100],
      [1100, 1000],
      [220, 200],
    ])
    expect(alike.low).toBeCloseTo(1.1)
    expect(alike.high).toBeCloseTo(1.1)
  })
})
