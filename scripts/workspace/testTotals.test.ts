import { parseJestTotals, parsePlaywrightTotals } from './testTotals.ts'

describe('counts', () => {
  it('of Jest: tests, suites that did not start, and an exit without a word', () => {
    expect(
      parseJestTotals({
        code: 1,
        text: 'Test Suites: 1 failed, 2 passed, 3 total\nTests:       2 failed, 20 passed, 22 total',
      }),
    ).toEqual({ passed: 20, failed: 2 })
    expect(parseJestTotals({ code: 1, text: 'Test Suites: 1 failed, 1 total\nTests:       0 total' })).toEqual({
      passed: 0,
      failed: 1,
    })
    expect(parseJestTotals({ code: 134, text: 'out of memory' })).toEqual({ passed: 0, failed: 1 })
    expect(parseJestTotals({ code: 0, text: 'Tests:       20 passed, 20 total' })).toEqual({ passed: 20, failed: 0 })
  })

  it('of Playwright: what did not run has not passed, and what is flaky is counted apart', () => {
    expect(parsePlaywrightTotals({ code: 0, text: '  12 passed (40.1s)' })).toEqual({ passed: 12, failed: 0, flaky: 0 })
    expect(
      parsePlaywrightTotals({
        code: 1,
        text: '  1 failed\n    session.e2e.ts:5 failed\n  1 flaky\n  3 did not run\n  12 passed (40.1s)',
      }),
    ).toEqual({ passed: 12, failed: 4, flaky: 1 })
    expect(parsePlaywrightTotals({ code: 1, text: 'Error: no tests found' })).toEqual({
      passed: 0,
      failed: 1,
      flaky: 0,
    })
  })
})
