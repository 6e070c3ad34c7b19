import { formatPage } from './clauseReporter.ts'

const ran = (title: string, outcome: 'expected' | 'unexpected') => ({
  title,
  location: { file: 'a.e2e.ts', line: 1 },
  outcome: () => outcome,
  parent: { project: () => ({ name: 'desktop' }) },
})
const clause = (id: string, behaviour: string) => ({ id, behaviour, isNote: false, tests: [] })

describe('the report by clause', () => {
  const page = formatPage(
    [ran('signs in [2.03, P07]', 'expected'), ran('signs <out> [2.03]', 'unexpected')],
    'https://dmp.example',
    'host (1), remote-scan 1.2.3 (2)',
    [clause('2.03', 'Sign-in'), clause('2.04', 'Nobody looks'), clause('P07', 'No telling')],
  )

  it('says at its head which composition was tried, and where', () => {
    expect(page).toContain('<dd>https://dmp.example</dd>')
    expect(page).toContain('<dd>host (1), remote-scan 1.2.3 (2)</dd>')
    expect(page).toContain('2, 1 failed; 2 of 3 clauses named')
  })

  it('lists under each clause the journeys that name it, and how they went', () => {
    const row = page.split('\n').find((line) => line.includes('>2.03<')) ?? ''
    expect(row).toContain('passed</span> signs in')
    expect(row).toContain('FAILED</span> signs &lt;out&gt;')
    expect(page).not.toContain('Nobody looks')
  })
})
