import { readText } from '../workspace/files.ts'
import { checkAsvs, findAsvsProblems } from './asvs.ts'

const page = readText('docs/asvs.md')
const read = (): string => `it('does it')`
const row = (here: string, shownBy: string): string => `| 9.1.1 | 1 | signature before content | ${here} | ${shownBy} |`
const judge = (line: string): string[] =>
  findAsvsProblems(line, read).filter((problem) => problem.startsWith('9.1.1 ') || problem.startsWith('9.1.1:'))

it('finds every requirement of levels 1 and 2 with its tests in this checkout', () => {
  expect(checkAsvs()).toEqual([])
  expect(page.match(/^\| \d+\.\d+\.\d+ \| 1 \|/gm)).toHaveLength(70)
  expect(page.match(/^\| \d+\.\d+\.\d+ \| 2 \|/gm)).toHaveLength(183)
})

it('takes a row with a test that exists, and one that is not met with its reason', () => {
  expect(judge(row('met', '`a.test.ts` *does it*'))).toEqual([])
  expect(judge(row('**not met**: clause 9.11', ''))).toEqual([])
})

it('finds a requirement that is missing, doubled, unknown or of another level', () => {
  expect(findAsvsProblems('', read)).toHaveLength(253)
  expect(judge([row('met', '`a.ts`'), row('met', '`a.ts`')].join('\n'))).toEqual([
    '9.1.1 stands 2 times in docs/asvs.md; it has to stand once.',
  ])
  expect(judge(row('met', '`a.ts`').replace('| 1 |', '| 2 |'))).toEqual(['9.1.1 is of level 1; docs/asvs.md says 2.'])
  expect(findAsvsProblems(row('met', '`a.ts`').replace('9.1.1', '9.1.9'), read).at(-1)).toMatch(
    '9.1.9 is no requirement',
  )
})

it.each([
  [row('met', ''), 'nothing shows it'],
  [row('fine', '`a.ts`'), 'is none of'],
  [row('in part', '`a.ts`'), 'Say why'],
  [row('met', '`a.test.ts`'), 'not which of its tests'],
  [row('met', '`a.test.ts` *does something else*'), 'does not have: does something else'],
])('finds what %s lacks', (line, problem) => {
  expect(judge(line)).toEqual([expect.stringContaining(problem)])
})

it('finds a file that does not exist', () => {
  expect(findAsvsProblems(row('met', '`gone.ts`'), () => undefined).at(-1)).toBe(
    '9.1.1 names gone.ts, which does not exist.',
  )
})
