import { parseRetryAfter, pauseAfter, restAfter, longestPauseSeconds, retrySeconds } from './retries.ts'

describe('the pauses of a webhook', () => {
  it.each([
    [1, 5],
    [2, 30],
    [3, 120],
    [4, 600],
    [5, 1800],
    [6, 3600],
    [7, 7200],
    [8, 14_400],
    [9, 28_800],
    [10, 57_600],
    [11, 57_600],
    [1000, 57_600],
  ])('after %d tries of a message are %d seconds, a fifth more or less [P49]', (tries, seconds) => {
    expect(pauseAfter(tries, 0.5)).toBeCloseTo(seconds)
    expect(pauseAfter(tries, 0)).toBeCloseTo(seconds * 0.8)
    expect(pauseAfter(tries, 1)).toBeCloseTo(seconds * 1.2)
    expect(pauseAfter(tries, 1)).toBeLessThan(longestPauseSeconds)
  })

  it('reach three days, with a try at least each twenty hours [P49]', () => {
    let sum = 0
    let tries = 0
    while (sum < retrySeconds) sum += pauseAfter((tries += 1), 0.5)
    expect(retrySeconds).toBe(72 * 3600)
    expect(tries).toBeGreaterThan(10)
    expect(tries).toBeLessThan(20)
  })

  it.each([
    [1, 5],
    [2, 10],
    [5, 80],
    [8, 600],
    [1_000_000, 600],
  ])('after %d failures of a receiver are %d seconds for all messages [P49]', (failures, seconds) => {
    expect(restAfter(failures, 0.5)).toBeCloseTo(seconds)
  })

  it.each([
    [undefined, 0],
    ['', 0],
    ['0', 0],
    ['120', 120],
    ['999999999', 3600],
    ['-5', 0],
    ['1e9', 0],
    ['Wed, 21 Oct 2026 07:28:00 GMT', 0],
  ])('are as long as a receiver asks for, an hour at most: %s', (header, seconds) => {
    expect(parseRetryAfter(header)).toBe(seconds)
  })
})
