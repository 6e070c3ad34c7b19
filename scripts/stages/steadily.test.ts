import type { TestTotals } from '../workspace/testTotals.ts'
import { steadily } from './steadily.ts'

const passes: TestTotals = { passed: 3, failed: 0 }
const fails: TestTotals = { passed: 2, failed: 1, failures: ['a.test.ts › signs in'] }
const one: TestTotals = { passed: 20, failed: 1, failures: ['a.test.ts › signs in'] }

/** Answers one after the other, the last one again and again. */
function runner(...answers: readonly TestTotals[]): { runs: string[]; run: (file: string) => Promise<TestTotals> } {
  const runs: string[] = []
  return {
    runs,
    run: async (file) => answers[Math.min(runs.push(file), answers.length) - 1] ?? passes,
  }
}

it('a file that passes ten times by itself is unsteady and no failure', async () => {
  const { runs, run } = runner(passes)
  expect(await steadily(one, run, () => 0)).toEqual({
    passed: 21,
    failed: 0,
    failures: [],
    unsteady: ['a.test.ts failed, and passed 10 times by itself'],
  })
  expect(runs).toEqual(Array(10).fill('a.test.ts'))
})

it('one that fails again stays a failure, however late', async () => {
  expect(await steadily(one, runner(fails).run, () => 0)).toBe(one)
  expect(await steadily(one, runner(...Array<TestTotals>(9).fill(passes), fails).run, () => 0)).toBe(one)
  const two = { passed: 19, failed: 2, failures: ['a.test.ts › signs in', 'b.test.ts › signs out'] }
  expect(await steadily(two, runner(...Array<TestTotals>(10).fill(passes), fails).run, () => 0)).toBe(two)
})

it('a file of which nothing runs by itself has not passed', async () => {
  expect(await steadily(one, runner({ passed: 0, failed: 0 }).run, () => 0)).toBe(one)
})

it('a long file is run twice at least, and not for longer than some minutes', async () => {
  let minutes = 0
  const { runs, run } = runner(passes)
  const result = await steadily(one, run, () => (minutes += 4) * 60_000)
  expect([runs.length, result.unsteady]).toEqual([2, ['a.test.ts failed, and passed 2 times by itself']])
})

it('nothing is tried again where a failure has no name, or where many files fail', async () => {
  const { runs, run } = runner(passes)
  const nameless = { passed: 20, failed: 1, failures: [] }
  const files = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `${name}.test.ts › fails`)
  const many = { passed: 20, failed: 6, failures: files }
  expect(await steadily(nameless, run)).toBe(nameless)
  expect(await steadily(many, run)).toBe(many)
  expect(await steadily(passes, run)).toBe(passes)
  expect(runs).toEqual([])
})
