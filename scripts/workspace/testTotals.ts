import type { ProcessResult } from './runProcess.ts'

export interface TestTotals {
  passed: number
  failed: number
  /** What failed, by name, where the runner's output says it. */
  failures?: readonly string[]
  /** What failed once and is no failure: one sentence each. */
  unsteady?: readonly string[]
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
  return {
    passed: numberBefore('passed', tests),
    failed: failed || (code === 0 ? 0 : 1),
    failures: listJestFailures(lines),
  }
}

/** "FAIL server src/login.test.ts", and beneath it "  ● signs in › with a code" for each of its tests. */
function listJestFailures(lines: readonly string[]): string[] {
  const failures = new Set<string>()
  let file: string | undefined
  for (const line of lines) {
    const suite = /^(PASS|FAIL) (?:\S+ )?(\S+\.test\.tsx?)/.exec(line)
    if (suite) file = suite[1] === 'FAIL' ? suite[2] : undefined
    const test = / {2}● (.+)/.exec(line)?.[1]
    if (file && test && test !== 'Console') failures.add(`${file} › ${test}`)
  }
  return [...failures]
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
  return {
    passed: count('passed'),
    failed: failed || (code === 0 ? 0 : 1),
    flaky: count('flaky'),
    failures: listPlaywrightFailures(lines),
  }
}

/** Beneath "  2 failed" the runner names each of them. */
function listPlaywrightFailures(lines: readonly string[]): string[] {
  const start = lines.findLastIndex((line) => /^ {2}\d+ failed$/.test(line.trimEnd()))
  if (start < 0) return []
  const names = lines.slice(start + 1)
  const end = names.findIndex((line) => !/^ {4}\S/.test(line))
  return (end < 0 ? names : names.slice(0, end)).map((line) => line.trim().replace(/ ─+$/, ''))
}

/**
 * From the closing lines of `npm test -- --stage …`: "12 passed, 1 failed", the failures beneath the stage, and what it
 * used of the processors.
 */
export function parseStageTotals({ code, text }: Ended): TestTotals & { readonly used?: number | undefined } {
  const lines = plain(text).split('\n')
  const start = lines.findLastIndex((line) => line.startsWith('── all stages'))
  const closing = lines.slice(start).findLast((line) => /^\d+ passed, \d+ failed$/.test(line)) ?? ''
  const failed = numberBefore('failed', closing)
  const said = lines.slice(start).flatMap((line) => /^ {2}[✓✗] .*, (\d+) s of processor$/.exec(line)?.[1] ?? [])
  return {
    passed: numberBefore('passed', closing),
    failed: failed || (code === 0 && start >= 0 ? 0 : 1),
    used: said.length === 0 ? undefined : said.reduce((sum, seconds) => sum + Number(seconds), 0),
    failures: start < 0 ? [] : linesAfter(lines.slice(start), /^ {6}(?=\S)/),
    unsteady: start < 0 ? [] : linesAfter(lines.slice(start), /^ {4}unsteady: /),
  }
}

const linesAfter = (lines: readonly string[], mark: RegExp): string[] =>
  lines.filter((line) => mark.test(line)).map((line) => line.replace(mark, '').trim())

const colours = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g')

const plain = (text: string): string => text.replace(colours, '')

function numberBefore(word: string, line: string): number {
  const part = line
    .split(/[:,]/)
    .find((candidate) => candidate.trim().replace(/^\d+ /, '').startsWith(word) && /^\d/.test(candidate.trim()))
  return Number(part?.trim().split(' ')[0] ?? 0)
}
