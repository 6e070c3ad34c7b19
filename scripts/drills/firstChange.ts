import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { copyCheckout } from '../workspace/checkoutCopy.ts'
import { readText, root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { watchTestsOnce } from './watchedTests.ts'
import { readSteps, writeChange, type DocumentSection, type DocumentStep } from './documentSteps.ts'

const document = 'docs/first-change.md'

export const readFirstChange = (): DocumentSection[] => readSteps(readText(document))

/**
 * Does what docs/first-change.md tells a stranger, in a copy of this checkout: edits, tests, checks, commits and merge.
 * Its looks at pages are taken where the product runs from its sources (`hotEdits.ts`).
 */
export async function firstChange(): Promise<TestTotals> {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-first-change-'))
  const began = performance.now()
  const seconds = (): string => `${Math.round((performance.now() - began) / 1000)} s`
  let passed = 0
  try {
    createRepository(folder)
    for (const { title, steps } of readFirstChange()) {
      for (const step of steps) {
        const problem = await follow(folder, step)
        // What comes after it stands on it.
        if (problem !== undefined)
          return { passed, failed: 1, failures: [toFailure(`${document}, "${title}": ${problem}`)] }
        passed += 1
      }
      console.log(`  ✓ ${title} (${seconds()})`)
    }
    const problem = await watchTestsOnce(folder, environment())
    if (problem !== undefined) return { passed, failed: 1, failures: [toFailure(`npm test -- --watch: ${problem}`)] }
    console.log(`  ✓ npm test -- --watch runs what depends on what was saved, and nothing else (${seconds()})`)
    return { passed: passed + 1, failed: 0 }
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 200 })
  }
}

function toFailure(sentence: string): string {
  console.log(`  ✗ ${sentence}`)
  return sentence
}

/** As a fresh clone is, with the packages of this checkout and what its checks know already. */
function createRepository(folder: string): void {
  // In a linked worktree .git is a file, by which the copy would write to the repository itself.
  copyCheckout(folder, (file) => file !== '.git')
  const hidden = readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && /^\.(?!git$|cache|data|pnpm)/.test(entry.name))
    .map(({ name }) => name)
  for (const name of hidden) cpSync(join(root, name), join(folder, name), { recursive: true })
  const known = join(root, '.cache/checks.json')
  if (existsSync(known)) cpSync(known, join(folder, '.cache/checks.json'))
  const exclude = join(folder, '.git/info/exclude')
  for (const args of [
    ['init', '--quiet', '--initial-branch', 'main'],
    ['add', '--all'],
    ['commit', '--quiet', '--message', 'Base'],
  ]) {
    const { status, stderr } = spawnSync('git', args, { cwd: folder, env: environment(), encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${args[0]} failed in a copy of the checkout: ${stderr.trim()}`)
    // There it is a link, which .gitignore does not mean.
    if (args[0] === 'init') writeFileSync(exclude, 'node_modules\n')
  }
}

/** A person at a keyboard: no CI, and a name for commits. */
function environment(): NodeJS.ProcessEnv {
  const person = { NAME: 'A Stranger', EMAIL: 'stranger@dmp.example' }
  const names = ['AUTHOR', 'COMMITTER'].flatMap((role) =>
    Object.entries(person).map(([key, value]) => [`GIT_${role}_${key}`, value]),
  )
  const path = [dirname(node), process.env.PATH].join(delimiter)
  return { ...process.env, ...Object.fromEntries(names), PATH: path, CI: '', TEST_DATABASE_URL: '' }
}

/** Returns what went wrong. */
async function follow(folder: string, step: DocumentStep): Promise<string | undefined> {
  if (step.kind === 'look') return undefined
  if (step.kind === 'run') {
    const { code, text } = await runProcess('sh', ['-c', step.command], {
      cwd: folder,
      env: environment(),
      isQuiet: true,
    })
    return code === 0 ? undefined : `\`${step.command}\` ended with ${code}.\n${text.slice(-4000)}`
  }
  try {
    writeChange(folder, step)
    return undefined
  } catch (error) {
    return `${step.file} cannot be changed. ${error instanceof Error ? error.message : String(error)}`
  }
}
