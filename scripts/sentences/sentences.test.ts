import { findTexts, isOdd, listSentences, type Text } from './listSentences.ts'

const findSentences = (source: string): Text[] => findTexts('a.tsx', source).filter(({ isSentence }) => isSentence)

const textsIn = (source: string): string[] => findSentences(source).map(({ text }) => text)

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
    expect(findSentences(source).map(({ line, text }) => `${line} ${text}`)).toEqual([
      '3 Share',
      "4 The link works once, don't pass it on.",
      '6 Valid for',
      '9 {…} files were stored.',
      '10 Uploaded {…} of {…}',
    ])
  })

  it('are whole although values and inner elements stand between their words', () => {
    expect(textsIn('const a = <p>This is the {role} <b>dashboard</b>, with <Count /> cards<Icon /></p>')).toEqual([
      'This is the {…} dashboard, with {…} cards',
      'dashboard',
    ])
    expect(textsIn("const a = <p><Icon /> Signed in as{' '}<b>{name}</b></p>")).toEqual(['Signed in as {…}'])
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
    expect([...odd, ...plain].filter((text) => isOdd({ text }))).toEqual(odd)
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
