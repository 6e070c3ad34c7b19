import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { BuildRecord } from '@dmp/contract/release'
import { singletons } from './singletons.ts'

const program = `
const [remote, output] = process.argv.slice(-2)
const { compile, loadConfiguration } = await import('${path.join(import.meta.dirname, 'build.ts')}')
const { listParts } = await import('${path.join(import.meta.dirname, 'workspace.ts')}')
const configuration = await loadConfiguration(listParts().find((part) => part.name === remote), 'production')
await compile({ ...configuration, cache: false, output: { ...configuration.output, path: output } })
`

/** Builds a remote of this repository into a folder of its own, in a process of its own, as the command line does. */
function built(remote: string): { folder: string; record: BuildRecord; text: (file: string) => string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'dmp-build-'))
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'dmp-build-')), 'build.mjs')
  writeFileSync(file, program)
  execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', file, remote, folder], { stdio: 'pipe' })
  const text = (file: string): string => readFileSync(path.join(folder, file), 'utf8')
  return { folder, record: JSON.parse(text('build.json')) as BuildRecord, text }
}

describe('a remote’s build', () => {
  const { folder, record, text } = built('remote-user')
  const scripts = readdirSync(folder).filter((file) => file.endsWith('.js'))

  it('says what it is, what it needs first, and what it takes from the host', () => {
    expect(record).toMatchObject({ name: 'remote-user', entry: 'remoteEntry.js', initial: [], provides: {} })
    expect(record.declaration?.routes).toContainEqual({ prefix: '/user', guard: 'policy' })
    expect(Object.keys(record.consumes)).toEqual(Object.keys(singletons))
    expect(record.consumes['@dmp/kit/table']).toBe(record.declaration?.needs.kit)
    expect(record.chunks['./App']).toContainEqual(expect.stringMatching(/^App\.[0-9a-f]{8}\.js$/))
    expect(record.uses['./App']).toEqual(expect.arrayContaining(['@dmp/kit', '@dmp/kit/table', 'react/jsx-runtime']))
  })

  it('holds no copy of a shared module', () => {
    const all = scripts.map(text).join('\n')
    for (const mark of [
      'unstable_useCacheRefresh',
      'rendererPackageName',
      'No QueryClient set',
      'You cannot render a <Router>',
      'The page has no valid runtime settings',
      'getInitialState:',
    ])
      expect(all).not.toContain(mark)
  })

  it('carries in its first script the hash of every later one', () => {
    const entry = text(record.entry)
    const later = scripts.filter((file) => file !== record.entry)
    expect(later.length).toBeGreaterThan(0)
    for (const file of later)
      expect(entry).toContain(
        `sha384-${createHash('sha384')
          .update(readFileSync(path.join(folder, file)))
          .digest('base64')}`,
      )
  })

  it('is a container that asks the share scope for what it takes, and names what is missing', async () => {
    const entry = text(record.entry)
    expect(entry).toMatch(/window\.remote_user=/)
    expect(entry).toContain("doesn't exist in shared scope default")
    expect(entry).not.toContain('Unsatisfied version')
  })
})
