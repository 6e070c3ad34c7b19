import type { ProcessResult } from './runProcess.ts'

export interface TestTotals {
  passed: number
  failed: number
}

type Ended = Pick<ProcessResult, 'code' | 'text'>

/**
 * From "Tests: 1 failed, 20 passed, 21 total"; a suite that does not even start counts as failed, and so does an exit
 * that says so.
 */
export function parseJestTotals({ code, text }: Ended): TestTotals {
  const lines = plain(text).split('\n')
  const [tests = '', suites = ''] = ['Tests:', 'Test Suites:'].map((start) =>
    lines.findLast((line) => line.startsWith(start)),
  )
  const failed = numberBefore('failed', tests) || numberBefore('failed', suites)
  return { passed: numberBefore('passed', tests), failed: failed || (code === 0 ? 0 : 1) }
}

/**
 * From Playwright's closing lines "  2 failed", "  12 passed (40s)"; what did not run has not passed, and what passed
 * only at a second try is counted apart.
 */
export function parsePlaywrightTotals({ code, text }: Ended): TestTotals & { readonly flaky: number } {
  const lines = plain(text).split('\n')
  const count = (word: string) =>
    numberBefore(word, lines.findLast((line) => /^ {2}\d/.test(line) && numberBefore(word, line) > 0) ?? '')
  const failed = count('failed') + count('did not run')
  return { passed: count('passed'), failed: failed || (code === 0 ? 0 : 1), flaky: count('flaky') }
}

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

const plain = (text: string): string => text.replace(colours, '')

function numberBefore(word: string, line: string): number {
  const part = line
    .split(/[:,]/)
    .find((candidate) => candidate.trim().replace(/^\d+ /, '').startsWith(word) && /^\d/.test(candidate.trim()))
  return Number(part?.trim().split(' ')[0] ?? 0)
}
