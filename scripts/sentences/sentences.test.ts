import { readText } from '../workspace/files.ts'
import { findSentences, isOdd, listSentences } from './listSentences.ts'
import { createQuoteSearch, parseQuotes } from './quotedWording.ts'

const textsIn = (source: string): string[] => findSentences('a.tsx', source).map(({ text }) => text)

describe('sentences that people read', () => {
  it('are found with their line in JSX text, shown attributes and templates', () => {
    const source = `
const a = (
  <Modal title="Share" className="Wide and Tall">
    The link works
    once, don&apos;t pass it on.
    <Field label="Valid for" name="expireInDay" />
  </Modal>
)
notify.success(\`\${count} files were stored.\`)
const b = \`Uploaded \${count} of \${all}\``
    expect(findSentences('a.tsx', source).map(({ line, text }) => `${line} ${text}`)).toEqual([
      '3 Share',
      "4 The link works once, don't pass it on.",
      '6 Valid for',
      '9 {…} files were stored.',
      '10 Uploaded {…} of {…}',
    ])
  })

  it('are refusals and messages of validation, and not the codes beside them', () => {
    expect(textsIn("throw new Refusal(404, 'NOT_FOUND', 'The scan does not exist.')")).toEqual([
      'The scan does not exist.',
    ])
    expect(textsIn("v.maxValue(2, 'File size must be less than 2MB.')")).toEqual(['File size must be less than 2MB.'])
  })

  it('are no imports, types, queries, names or addresses', () => {
    expect(
      textsIn(
        "import x from 'Some Module'; type T = 'Not Created'; const q = sql`Select all of it`; const h = 'Content-Type'; at('/scan/list')",
      ),
    ).toEqual([])
  })

  it('are odd where a native reader stumbles', () => {
    const odd = ['Whoever opens the link has to type it.', 'The server answers nothing.', 'A file changed meanwhile.']
    const plain = ['The link is invalid or has expired.']
    expect([...odd, ...plain].filter((text) => isOdd({ file: '', line: 1, text }))).toEqual(odd)
  })

  it('include those of the screens, the contract, the server and the command line', () => {
    const files = new Set(listSentences().map(({ file }) => file.split('/').slice(0, 2).join('/')))
    for (const folder of [
      'host/src',
      'remote-scan/src',
      'shared/contract',
      'shared/release',
      'server/src',
      'viewer/src',
    ])
      expect(files).toContain(folder)
    expect([...files].filter((file) => file.startsWith('e2e'))).toEqual([])
  })
})

describe('wording that the specification fixes', () => {
  const quotes = parseQuotes(
    [
      "| 2.09 | greets: 'This is the {role display name} dashboard', and one's own cards | |",
      "| 2.43 | then 'Go to login' or 'Log in' | |",
      "| clause | 'not a row' | |",
    ].join('\n'),
  )
  const findClauses = createQuoteSearch(quotes)

  it('stands in quotes in a row of docs/product.md; an apostrophe is no quote', () => {
    expect(quotes).toEqual([
      { clause: '2.09', text: 'This is the {role display name} dashboard' },
      { clause: '2.43', text: 'Go to login' },
      { clause: '2.43', text: 'Log in' },
    ])
  })

  it('is recognized whatever its values are called, and within a longer sentence', () => {
    expect(findClauses('This is the {…} dashboard.')).toEqual(['2.09'])
    expect(findClauses('Back: Go to login')).toEqual(['2.43'])
  })

  it('of one or two words fixes only the sentence that is equal to it', () => {
    expect(findClauses('Log in')).toEqual(['2.43'])
    expect(findClauses('Log in again')).toEqual([])
  })

  it('is on a screen of today', () => {
    const search = createQuoteSearch(parseQuotes(readText('docs/product.md')))
    const fixed = listSentences().flatMap(({ text }) => search(text))
    expect(fixed).toEqual(expect.arrayContaining(['2.12', '2.38', '2.57', '8.02']))
  })
})
