import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importLines, judgeEach, KeptAnswers } from './keptAnswers.ts'

let checkout: string
const write = (file: string, text: string) => writeFileSync(join(checkout, file), text)
const open = (isWhole = false) => new KeptAnswers({ checkout, isWhole })

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'dmp-answers-'))
  mkdirSync(join(checkout, 'scripts/checks'), { recursive: true })
  write('a.ts', 'one')
  write('b.ts', 'two')
  write('pnpm-lock.yaml', 'packages')
  write('scripts/checks/lint.ts', 'a rule')
  const answers = open()
  answers.note('lint', answers.keyOf(['a.ts', 'b.ts']), true)
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

const isKnown = (answers = open(), files = ['a.ts', 'b.ts']) => answers.hasPassed('lint', answers.keyOf(files))

describe('a check that passed', () => {
  it('is not run again on the same content, whatever the times of the files say', () => {
    utimesSync(join(checkout, 'a.ts'), new Date(0), new Date(0))
    expect(isKnown()).toBe(true)
  })

  it.each([
    ['a file', 'a.ts'],
    ['an installed package', 'pnpm-lock.yaml'],
    ['the check', 'scripts/checks/lint.ts'],
    ['a setting of a tool', '.oxlintrc.json'],
  ])('is run again when %s has changed, even to the same size', (_what, file) => {
    write(file, 'six')
    expect(isKnown()).toBe(false)
  })

  it('is run again when a file came or went', () => {
    expect(isKnown(open(), ['a.ts'])).toBe(false)
    expect(isKnown(open(), ['a.ts', 'b.ts', 'c.ts'])).toBe(false)
  })

  it('is run again when everything is asked for, and when it failed since', () => {
    expect(isKnown(open(true))).toBe(false)
    const answers = open()
    answers.note('lint', answers.keyOf(['a.ts', 'b.ts']), false)
    expect(isKnown()).toBe(false)
  })

  it('stands on the content that was there when the run began', () => {
    const answers = open()
    const before = answers.keyOf(['a.ts', 'b.ts'])
    write('a.ts', 'six')
    expect(answers.keyOf(['a.ts', 'b.ts'])).toBe(before)
    expect(isKnown()).toBe(false)
  })
})

describe('a check of each file by itself', () => {
  const judge = async (found: string[]) => {
    const asked: string[] = []
    const problems = await judgeEach(open(), 'lint', ['a.ts', 'b.ts'], (files) => (asked.push(...files), found))
    return { asked, problems }
  }

  it('looks at what has changed, and again at what was wrong', async () => {
    expect(await judge(['a.ts:3 is wrong'])).toEqual({ asked: ['a.ts', 'b.ts'], problems: ['a.ts:3 is wrong'] })
    expect((await judge([])).asked).toEqual(['a.ts'])
    expect((await judge([])).asked).toEqual([])
    write('b.ts', 'six')
    expect((await judge([])).asked).toEqual(['b.ts'])
  })

  it('looks at all of them again where nobody says which one is wrong', async () => {
    await judge(['The tool did not start.'])
    expect((await judge([])).asked).toEqual(['a.ts', 'b.ts'])
  })

  it('looks at all of them where everything is asked for', async () => {
    await judge([])
    const asked: string[] = []
    await judgeEach(open(true), 'lint', ['a.ts', 'b.ts'], (files) => (asked.push(...files), []))
    expect(asked).toEqual(['a.ts', 'b.ts'])
  })
})

it('judges imports by the lines that could name a module, also over several lines', () => {
  const source =
    "import {\n  a,\n} from './a.ts'\nconst load = () =>\n  import(\n    './b.ts'\n  )\nexport const one = 'words that people read'\n"
  expect(importLines(source)).toBe("} from './a.ts'\n    './b.ts'")
})
