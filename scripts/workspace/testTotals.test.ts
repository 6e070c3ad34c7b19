import { parseJestTotals, parsePlaywrightTotals, parseStageTotals } from './testTotals.ts'

describe('counts', () => {
  it('of Jest: tests, suites that did not start, and an exit without a word', () => {
    expect(
      parseJestTotals({
        code: 1,
        text: 'Test Suites: 1 failed, 2 passed, 3 total\nTests:       2 failed, 20 passed, 22 total',
      }),
    ).toMatchObject({ passed: 20, failed: 2 })
    expect(parseJestTotals({ code: 1, text: 'Test Suites: 1 failed, 1 total\nTests:       0 total' })).toMatchObject({
      passed: 0,
      failed: 1,
    })
    expect(parseJestTotals({ code: 134, text: 'out of memory' })).toMatchObject({ passed: 0, failed: 1 })
    expect(parseJestTotals({ code: 0, text: 'Tests:       20 passed, 20 total' })).toMatchObject({
      passed: 20,
      failed: 0,
    })
  })

  it('of Playwright: what did not run has not passed, and what is flaky is counted apart', () => {
    expect(parsePlaywrightTotals({ code: 0, text: '  12 passed (40.1s)' })).toMatchObject({
      passed: 12,
      failed: 0,
      flaky: 0,
    })
    expect(
      parsePlaywrightTotals({
        code: 1,
        text: '  1 failed\n    session.e2e.ts:5 failed\n  1 flaky\n  3 did not run\n  12 passed (40.1s)',
      }),
    ).toMatchObject({ passed: 12, failed: 4, flaky: 1 })
    expect(parsePlaywrightTotals({ code: 1, text: 'Error: no tests found' })).toMatchObject({
      passed: 0,
      failed: 1,
      flaky: 0,
    })
  })

  it('names what failed, by file and title, and nothing that passed or was only printed', () => {
    const text = [
      'PASS server src/one.test.ts',
      '  ● Console',
      'FAIL server src/two.test.ts',
      '  ● Console',
      '  ● signs in › with a code',
      '  ● signs in › with a code',
      'FAIL src/three.test.tsx',
      '  ● Test suite failed to run',
      'Tests:       1 failed, 20 passed, 21 total',
    ].join('\n')
    expect(parseJestTotals({ code: 1, text }).failures).toEqual([
      'src/two.test.ts › signs in › with a code',
      'src/three.test.tsx › Test suite failed to run',
    ])
    const journeys =
      '  2 failed\n    [desktop] › a.e2e.ts:5:1 › signs in ───\n    [mobile] › b.e2e.ts:7:1 › finds ──\n  1 flaky\n    [desktop] › c.e2e.ts:1:1 › waits ──\n  12 passed (40.1s)'
    expect(parsePlaywrightTotals({ code: 1, text: journeys }).failures).toEqual([
      '[desktop] › a.e2e.ts:5:1 › signs in',
      '[mobile] › b.e2e.ts:7:1 › finds',
    ])
  })

  it('of a stage that ran as a process of its own: its closing line, what failed or was unsteady, an end before that', () => {
    const text =
      '3 passed, 9 failed\n── all stages ───\n  ✗ own: 12 passed, 1 failed, 3 s\n    unsteady: b.test.ts failed\n      a.test.ts › is\n\n12 passed, 1 failed\n'
    expect(parseStageTotals({ code: 1, text })).toEqual({
      passed: 12,
      failed: 1,
      failures: ['a.test.ts › is'],
      unsteady: ['b.test.ts failed'],
    })
    const used = text.replace('1 failed, 3 s\n', '1 failed, 3 s, 2 s of processor\n')
    expect([text, used].map((each) => parseStageTotals({ code: 1, text: each }).used)).toEqual([undefined, 2])
    expect(parseStageTotals({ code: 0, text: text.replaceAll('1 failed', '0 failed') })).toMatchObject({ failed: 0 })
    expect(parseStageTotals({ code: 0, text: '3 passed, 0 failed\n' })).toMatchObject({ passed: 0, failed: 1 })
    expect(parseStageTotals({ code: 137, text: '' })).toMatchObject({ passed: 0, failed: 1 })
  })
})
