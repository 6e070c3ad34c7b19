import { createClauseReport, parseIds, parseClauses, titlesIn } from './clauseReport.ts'
import { readText } from '../workspace/files.ts'

describe('clause report', () => {
  it('reads ids from titles, several at once, and nothing else in brackets', () => {
    expect(parseIds('keeps it [3.01, 5.02] and [P12]')).toEqual(['3.01', '5.02', 'P12'])
    expect(parseIds('array [0] of [abc] and [12.1]')).toEqual([])
  })

  it('reads rows, those that gather others and notes', () => {
    const rows = parseClauses(
      '| 7.02 | Account | all of 7.03–7.05 |\n| 1.13 | Ours | note |\n| P01 | Refuses | |\n| clause | behaviour | |',
    )
    expect(rows.map(({ id, gathers, isNote }) => ({ id, gathers, isNote }))).toEqual([
      { id: '7.02', gathers: ['7.03', '7.04', '7.05'], isNote: false },
      { id: '1.13', gathers: undefined, isNote: true },
      { id: 'P01', gathers: undefined, isNote: false },
    ])
  })

  it('reads the titles of tests and the rows of their tables, and no other text', () => {
    const text = `
      const rows = [['a row [2.02]', 1]]
      describe('a group [2.03]', () => {
        it('a test [2.04]', () => expect(say('a text [2.05]')).toBe('an answer [2.06]'))
        it.each([['an inner row [2.07]', 1]])('a table [2.08]', () => void say(['a list [2.09]']))
        test.describe(\`a journey [2.10]\`, { tag: 'x' }, () => {})
      })
      const page = say([ran('made [2.11]')])
    `
    const titles = [...titlesIn('a.test.ts', text)].map(({ title }) => title)
    expect(titles.flatMap(parseIds).sort()).toEqual(['2.02', '2.03', '2.04', '2.07', '2.08', '2.10'])
  })

  it('has every clause of the nine chapters, in order and once', () => {
    const last: Record<number, number> = { 1: 13, 2: 63, 3: 19, 4: 16, 5: 19, 6: 10, 7: 44, 8: 10, 9: 15 }
    const wanted = Object.entries(last).flatMap(([chapter, count]) =>
      Array.from({ length: count }, (_, index) => `${chapter}.${String(index + 1).padStart(2, '0')}`),
    )
    const { clauses, unknown, crowded } = createClauseReport()
    expect(clauses.map(({ id }) => id).filter((id) => !id.startsWith('P'))).toEqual(wanted)
    expect(clauses.filter(({ id }) => id.startsWith('P')).length).toBeGreaterThanOrEqual(36)
    expect([...unknown, ...crowded]).toEqual([])
  })
})

describe('docs/promises.md', () => {
  const rows = readText('docs/promises.md')
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .filter(([, id = '']) => /^P\d\d$/.test(id))

  it('has every promise of docs/product.md, in order and once', () => {
    const ids = rows.map(([, id = '']) => id)
    const promised = createClauseReport().clauses.flatMap(({ id }) => (id.startsWith('P') ? [id] : []))
    expect(ids).toEqual(promised)
    // Numbers have gaps: each is given out before the work on it is done.
    expect(ids).toEqual([...new Set(ids)].sort())
  })

  it.each(rows.map(([, id = '', , files = '']) => [id, files]))(
    'sends the reader of %s to files that name it',
    (id, files) => {
      const paths = files.match(/[\w./-]+\.tsx?/g) ?? []
      expect(paths).not.toEqual([])
      for (const path of paths) expect(readText(path)).toContain(id)
    },
  )
})
