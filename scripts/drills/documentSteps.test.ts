import { readText } from '../workspace/files.ts'
import { applyDiff, readSteps } from './documentSteps.ts'

const document = `# Work

\`\`\`sh
git switch --create work
\`\`\`

## A line

\`a/list.ts\`

\`\`\`diff
 one
+two
\`\`\`

Look at <http://localhost:4000/a>: it says “two”.

## A file

The test:

\`a/list.test.ts\`

\`\`\`ts
it('is there')

\`\`\`

\`\`\`sh
npm test -- a
npm run check
\`\`\`
`

describe('the steps of a document', () => {
  it('are its blocks of code and its looks, by section and in their order', () => {
    expect(readSteps(document)).toEqual([
      { title: 'Work', steps: [{ kind: 'run', command: 'git switch --create work' }] },
      {
        title: 'A line',
        steps: [
          { kind: 'edit', file: 'a/list.ts', diff: ' one\n+two\n' },
          { kind: 'look', path: '/a', text: 'two' },
        ],
      },
      {
        title: 'A file',
        steps: [
          { kind: 'create', file: 'a/list.test.ts', text: "it('is there')\n\n" },
          { kind: 'run', command: 'npm test -- a' },
          { kind: 'run', command: 'npm run check' },
        ],
      },
    ])
  })

  it('are refused where nobody could follow them', () => {
    expect(() => readSteps('## A\nSee below.\n\n```ts\nconst a = 1\n```\n')).toThrow('names no file')
    expect(() => readSteps('## A\n```sh\nls\n')).toThrow('does not end')
    expect(() => readSteps('## A\nLook at the list.\n')).toThrow('says not where to look')
  })

  it('lead from a column to a screen in docs/first-change.md', () => {
    const sections = readSteps(readText('docs/first-change.md'))
    expect(sections.map(({ title }) => title)).toEqual([
      'Your first change',
      'A column',
      'A field',
      'A call',
      'A screen',
      'Merged',
    ])
    for (const { steps } of sections.slice(1, 5))
      expect(steps.filter(({ kind }) => kind === 'run').length).toBeGreaterThanOrEqual(3)
  })
})

describe('a diff', () => {
  it('adds, takes away and leaves lines at each of its places', () => {
    expect(applyDiff('a\nb\n\nc\nd\n', ' a\n+x\n@@\n-c\n+y\n d\n')).toBe('a\nx\nb\n\ny\nd\n')
    expect(applyDiff('a\n\nb\n', ' a\n \n+x\n b\n')).toBe('a\n\nx\nb\n')
  })

  it('is refused where its lines are not, or not only once, or not whole', () => {
    expect(() => applyDiff('a\nb\n', ' c\n+x\n')).toThrow('does not have these lines:\nc')
    expect(() => applyDiff('a\nb\na\n', ' a\n+x\n')).toThrow('more than once:\na')
    expect(() => applyDiff('a\na\n', ' a\n+x\n')).toThrow('more than once:\na')
    expect(() => applyDiff('ab\n', ' b\n+x\n')).toThrow('does not have')
    expect(() => applyDiff('a\n', '+x\n')).toThrow('does not have')
  })
})
