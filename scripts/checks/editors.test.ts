import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../workspace/files.ts'
import { checkEditors, findEditorProblems, type EditorFacts } from './editors.ts'

const names = ['settings', 'extensions', 'tasks', 'launch'].map((name) => `.vscode/${name}.json`)
const texts = Object.fromEntries(
  [...names, '.devcontainer/devcontainer.json', '.devcontainer/Dockerfile'].map((file) => [
    file,
    readFileSync(join(root, file), 'utf8'),
  ]),
)
const facts: EditorFacts = {
  texts,
  scripts: ['start', 'dev', 'build', 'check'],
  node: '24',
  hasFile: (path) => existsSync(join(root, path)),
}
const changed = (file: string, from: string, to: string): EditorFacts => ({
  ...facts,
  texts: { ...texts, [file]: (texts[file] ?? '').replace(from, to) },
})

it('finds nothing wrong with what editors and containers are told', () => {
  expect(checkEditors()).toEqual([])
  expect(findEditorProblems(facts)).toEqual([])
})

it.each([
  ['a program', changed('.vscode/launch.json', 'scripts/dmp.cjs', 'scripts/gone.mjs'), 'names scripts/gone.mjs'],
  ['a configuration', changed('.vscode/launch.json', 'jest.config', 'jest.gone'), 'names jest.gone.mjs'],
  ['a command', changed('.vscode/tasks.json', '"script": "dev"', '"script": "devel"'), 'npm run devel'],
  ['a port', changed('.vscode/launch.json', 'localhost:4000', 'localhost:3000'), 'names port 3000'],
  ['the compiler', changed('.vscode/settings.json', 'shared/build/node_modules', 'gone'), 'no TypeScript for editors'],
  ['the image', changed('.devcontainer/Dockerfile', 'node:24', 'node:22'), 'brings Node 22'],
  ['an extension', changed('.vscode/extensions.json', 'oxc.oxc-vscode', 'a.b'), 'other extensions'],
])('says when %s that they name is not there', (_what, wrong, sentence) => {
  expect(findEditorProblems(wrong)).toEqual([expect.stringContaining(sentence)])
})

it.each([
  ['remote-complaint/src/detail/Facts.tsx(1,10): error TS6133: never read.', 'remote-complaint/src/detail/Facts.tsx 1'],
  ['remote-complaint/src/detail/Facts.tsx:62 is 142 columns wide.', 'remote-complaint/src/detail/Facts.tsx 62'],
])('the task "check" finds file and line of what it prints: %s', (problem, found) => {
  const { tasks } = JSON.parse(texts['.vscode/tasks.json'] ?? '') as {
    tasks: { label: string; problemMatcher: { pattern: { regexp: string; file: number; line: number } }[] }[]
  }
  const matchers = tasks.find(({ label }) => label === 'check')?.problemMatcher ?? []
  // As `runCheck` prints it.
  const matches = matchers.map(({ pattern }) => {
    const match = new RegExp(pattern.regexp).exec(`      ${problem}`)
    return match && `${match[pattern.file]} ${match[pattern.line]}`
  })
  expect(matches.filter((match) => match !== null)).toEqual([found])
})
