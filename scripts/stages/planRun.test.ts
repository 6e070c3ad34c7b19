import type { Choice } from '../workspace/chooseTests.ts'
import { jestOf } from './jestRuns.ts'
import { isTooLate, planFor, sayTooLate, untilTooLate } from './planRun.ts'
import { all, type Stage } from './stages.ts'

const count = async () => ({ passed: 1, failed: 0 })
const stages: Stage[] = [
  { name: 'check', count },
  { name: 'screens', count, some: ({ web }) => (web.length > 0 ? count : undefined) },
  { name: 'releases', count, about: /^shared\/release\// },
]
const nothing: Choice = { web: [], node: [], journeys: [] }
const plan = (choice: Choice, ...files: string[]) => {
  const { stages: planned, words } = planFor(stages, choice, { since: 'then', files, testCount: 9 })
  return { names: planned.map(({ name }) => name), words: words.join('\n') }
}

describe('the stages of a run', () => {
  it('are those that the change needs, and what is left out is said', () => {
    const { names, words } = plan({ ...nothing, web: ['host/a.test.ts'] }, 'host/a.ts')
    expect(names).toEqual(['check', 'screens'])
    expect(words).toContain('1 file has changed since then: host/a.ts')
    expect(words).toContain('1 of 9 test files and 0 files of journeys depend on that.')
    expect(words).toContain('Left out, because nothing that they are about has changed:\n    releases\n')
    expect(words).toContain('npm test -- --all runs everything.')
    expect(plan(nothing, 'shared/release/src/store.ts').names).toEqual(['check', 'releases'])
  })

  it('are all, where the change is one on which everything stands', () => {
    const { names, words } = plan({ ...nothing, foundation: 'package.json' }, 'package.json')
    expect(names).toEqual(['check', 'screens', 'releases'])
    expect(words).toBe('  Everything is run: all stands on package.json, changed since then.')
  })

  it('are check, Jest and the journeys that only look, where nothing has changed', () => {
    const { names, words } = plan({ ...nothing, web: ['host/a.test.ts'], journeys: 'smoke' })
    expect(names).toEqual(['check', 'screens'])
    expect(words).toContain('Nothing has changed since then')
  })
})

describe('the stages of this checkout', () => {
  const names = (choice: Choice, file: string) =>
    planFor(all, choice, { since: 'then', files: [file], testCount: 1 }).stages.map(({ name }) => name.split(' (')[0])

  it('of a screen are check, its tests, its journeys, its weight and the clauses', () => {
    const choice: Choice = { ...nothing, web: ['remote-user/a.test.ts'], journeys: ['e2e/customers.e2e.ts'] }
    expect(names(choice, 'remote-user/src/User.tsx')).toEqual([
      'check',
      'screens and shared code',
      'journeys in a real browser',
      'first pages: within their limits',
      'clauses',
    ])
  })

  it('divide tests of programs from others, and journeys through every page from those of a matter', () => {
    const of = (choice: Partial<Choice>, file: string) => names({ ...nothing, ...choice }, file)
    const [tool, program] = ['server/src/dicom/part10.test.ts', 'server/src/main.test.ts']
    expect(of({ node: [tool] }, 'server/src/main.ts')).toContain('server and tools')
    expect(of({ node: [tool] }, 'server/src/main.ts')).not.toContain('programs as people start them')
    expect(of({ node: [program] }, 'server/src/main.ts')).toContain('programs as people start them')
    expect(of({ node: [program] }, 'server/src/main.ts')).not.toContain('server and tools')
    const [pages, matter] = ['every page: accessibility, keyboard, looks', 'journeys in a real browser']
    expect(of({ journeys: ['e2e/visual.e2e.ts'] }, 'host/src/a.ts')).toContain(pages)
    expect(of({ journeys: ['e2e/visual.e2e.ts'] }, 'host/src/a.ts')).not.toContain(matter)
    expect(of({ journeys: ['e2e/scan.e2e.ts'] }, 'host/src/a.ts')).not.toContain(pages)
    expect(of({ journeys: 'all' }, 'host/src/a.ts')).toEqual(expect.arrayContaining([pages, matter]))
  })

  it('of the gateway are those of releases, too, and of what reads objects the stores and the fuzzer', () => {
    expect(names(nothing, 'server/src/gateway/gateway.ts')).toEqual(
      expect.arrayContaining([
        'a hundred releases under open and opening pages',
        'a changed line: what browsers get again',
        'bad releases, taken back by what pages report',
      ]),
    )
    expect(names(nothing, 'server/src/dicom/part10.ts')).toEqual(
      expect.arrayContaining(['scans in a bucket', 'encrypted scans', 'broken input, for a minute']),
    )
  })
})

describe('a run that has little time', () => {
  const late = (elapsed: number, most?: string) =>
    sayTooLate(
      'begun',
      stages.filter((stage) => isTooLate(stage, elapsed, most)),
      most,
    )

  it('begins no stage that is not for every change after it, and names what it left out', () => {
    expect(late(4601, '4600')).toEqual(['  – not begun, because 4600 s were over (TEST_SECONDS): releases'])
    expect(late(4600, '4600')).toEqual([])
  })

  it('ends what is still under way 1,100 s later', async () => {
    expect(untilTooLate(5699.0003, '4600')?.aborted).toBe(false)
    const ending = untilTooLate(5699.9876, '4600')
    await new Promise((resolve) => ending?.addEventListener('abort', resolve))
    expect(ending?.aborted).toBe(true)
    expect([untilTooLate(100_000), untilTooLate(100_000, ''), untilTooLate(100_000, 'an hour')]).toEqual(
      Array.from({ length: 3 }),
    )
  })

  it('begins every stage where nobody set a time', () => {
    expect(late(100_000)).toEqual([])
    expect(late(100_000, '')).toEqual([])
    expect(late(100_000, 'an hour')).toEqual([])
  })
})

it('tests that are not there start nothing', () => {
  expect(jestOf('jest.config.mjs', [])).toBeUndefined()
})
