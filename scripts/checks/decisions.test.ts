import { checkDecisions, deadLinks, pageProblems, toIndex, wrongNumbers, type Page } from './decisions.ts'

const page = (file: string, head = 'Date: 2026-11-22 · Status: accepted', title = `# ${file.slice(0, 4)} Title`) => ({
  file,
  text: `${title}\n\n${head}\n\nText.\n`,
})
const problemsOf = (...pages: Page[]) => pageProblems(pages)

describe('decisions', () => {
  it('finds nothing in this checkout', () => {
    expect(checkDecisions()).toEqual([])
  })

  it('accepts a page, and one that is superseded by another', () => {
    expect(problemsOf(page('0001-a.md', 'Date: 2026-11-21 · Status: superseded by 0002'), page('0002-b.md'))).toEqual(
      [],
    )
  })

  it.each([
    ['a page without a number', page('own-node.md'), 'has no number'],
    ['a title with another number', page('0001-a.md', undefined, '# 0002 Title'), 'the first line'],
    ['a page without a head', page('0001-a.md', 'Text.'), 'has no date'],
    ['a date that does not exist', page('0001-a.md', 'Date: 2026-13-01 · Status: accepted'), 'has no date'],
    ['an unknown status', page('0001-a.md', 'Date: 2026-11-22 · Status: draft'), 'the status is neither'],
    ['a missing successor', page('0001-a.md', 'Date: 2026-11-22 · Status: superseded by 0009'), 'does not exist'],
    [
      'a page that succeeds itself',
      page('0001-a.md', 'Date: 2026-11-22 · Status: superseded by 0001'),
      'does not exist',
    ],
  ])('refuses %s', (_, wrong, problem) => {
    expect(problemsOf(wrong).join('\n')).toContain(problem)
  })

  it('refuses a number that two pages share', () => {
    expect(problemsOf(page('0001-a.md'), page('0001-b.md'))).toEqual([
      expect.stringContaining('0001-a.md and 0001-b.md share the number 0001'),
    ])
  })

  it('lists every page but the template with its date and status', () => {
    expect(
      toIndex([page('0000-template.md'), page('0001-a.md')])
        .split('\n')
        .slice(2),
    ).toEqual(['| [0001](0001-a.md) | Title | 2026-11-22 | accepted |'])
  })
})

describe('links', () => {
  const isThere = (path: string) => ['docs/a.md', 'README.md', 'docs/images'].includes(path)

  it('follows relative links from the folder of their page', () => {
    const text = '[a](a.md) [b](../README.md#map) ![c](images) [d](#here) [e](https://dmp.example/x) [f](mailto:x)'
    expect(deadLinks('docs/b.md', text, isThere)).toEqual([])
  })

  it('names the line of a link that leads nowhere', () => {
    expect(deadLinks('docs/b.md', 'one\n[a](../docs/gone.md#x)', isThere)).toEqual([
      'docs/b.md:2 links to ../docs/gone.md, which does not exist.',
    ])
  })

  it('lead to the decision that they say', () => {
    const text = '[0023](decisions/0023-overrides.md)\nand [0024](decisions/0035-dates.md)'
    expect(wrongNumbers('docs/b.md', text)).toEqual(['docs/b.md:2 says 0024, and its link leads to 0035.'])
  })
})
