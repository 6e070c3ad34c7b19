import { findWideLines, maxColumns } from './lineWidth.ts'

const words = (columns: number): string => 'word '.repeat(Math.ceil(columns / 5)).slice(0, columns - 1) + '.'

describe('lines wider than 120 columns', () => {
  it('are found in code, comments and text files, with their line', () => {
    expect(findWideLines('a.ts', `const a = 1\n// ${words(130)}`)).toEqual([
      `a.ts:2 is 133 columns wide. Break the line: ${maxColumns} are the most.`,
    ])
    expect(findWideLines('a.css', `/* ${words(130)} */`)).toHaveLength(1)
    expect(findWideLines('a.ts', `// ${words(117)}`)).toEqual([])
  })

  it.each([
    ['a sentence', `const sentence = '${words(130)}'`],
    ['the title of a test', `  it('${words(130)}', () => undefined)`],
    ['a template', `const sentence = \`${words(130)} \${value}\``],
    ['a regular expression', `const pattern = /${'[a-z]'.repeat(30)}/`],
  ])('may be so for the sake of %s', (_what, line) => {
    expect(findWideLines('a.ts', line)).toEqual([])
  })

  it('may be so for a word without a space, an address in a comment for example', () => {
    expect(findWideLines('a.ts', `// See https://dmp.example/${'a'.repeat(120)}`)).toEqual([])
  })

  it('may not be so for a literal beside much else, nor for text of a template over several lines', () => {
    const call = `call(${'argument, '.repeat(8)}'${words(70)}')`
    expect(findWideLines('a.ts', call)).toHaveLength(1)
    expect(findWideLines('a.ts', `const query = sql\`\nselect ${words(130)}\n\``)).toHaveLength(1)
  })
})
