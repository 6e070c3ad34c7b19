import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findChanges, findCleanCommit, notePassed } from './changedFiles.ts'
import { writeFiles } from './files.ts'

let checkout: string
const git = (...args: string[]): string => {
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@north.example', '-c', 'commit.gpgsign=false']
  const { status, stdout, stderr } = spawnSync('git', [...who, ...args], { cwd: checkout, encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout.trim()
}
const commit = (files: Record<string, string>): string => {
  writeFiles(checkout, files)
  git('add', '-A')
  git('commit', '-q', '-m', 'a step')
  return git('rev-parse', 'HEAD')
}

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'dmp-changes-'))
  git('init', '-q', '-b', 'main')
  commit({ '.gitignore': '.cache\n', 'a.ts': '1', 'b.ts': '1', 'c.ts': '1' })
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

describe('what has changed', () => {
  it('is nothing on the main branch as it was cloned', () => {
    expect(findChanges(checkout)?.files).toEqual([])
  })

  it('is committed or not, added, moved or removed, since the branch left the main one', () => {
    git('checkout', '-q', '-b', 'mine')
    commit({ 'a.ts': '2' })
    git('mv', 'b.ts', 'moved.ts')
    rmSync(join(checkout, 'c.ts'))
    writeFiles(checkout, { 'a file with ä.ts': '1' })
    expect(findChanges(checkout)?.files).toEqual(['a file with ä.ts', 'a.ts', 'b.ts', 'c.ts', 'moved.ts'].sort())
    expect(findChanges(checkout)?.since).toMatch(/^where this branch left main \([0-9a-f]{8}\)$/)
  })

  it('is what came after the last commit that passed, which a commit of another branch is not', () => {
    git('checkout', '-q', '-b', 'mine')
    notePassed(checkout, commit({ 'a.ts': '2' }))
    commit({ 'b.ts': '2' })
    expect(findChanges(checkout)).toMatchObject({ files: ['b.ts'] })
    expect(findChanges(checkout)?.since).toMatch(/^the last commit that passed here/)
    git('checkout', '-q', '-b', 'other', 'main')
    commit({ 'c.ts': '2' })
    expect(findChanges(checkout)).toMatchObject({ files: ['c.ts'] })
  })

  it('is not known where there is no main branch, or no git', () => {
    git('branch', '-q', '-m', 'elsewhere')
    expect(findChanges(checkout)).toBeUndefined()
    rmSync(join(checkout, '.git'), { recursive: true })
    expect(findChanges(checkout)).toBeUndefined()
  })
})

it('a commit counts as tried only where nothing lies beside it', () => {
  const head = git('rev-parse', 'HEAD')
  expect(findCleanCommit(checkout)).toBe(head)
  writeFiles(checkout, { 'new.ts': '1' })
  expect(findCleanCommit(checkout)).toBeUndefined()
})
