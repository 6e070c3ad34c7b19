import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface Changes {
  /** "the last commit that passed here (1a2b3c4)": what the files differ from. */
  readonly since: string
  /** Changed, added, moved or removed since then, whether committed or not. */
  readonly files: readonly string[]
}

const passedFile = '.cache/passed-commit'

/**
 * What differs from the last commit that passed here, or else from where this branch left the main one; undefined where
 * neither is known.
 */
export function findChanges(checkout: string): Changes | undefined {
  const base = findPassed(checkout) ?? findFork(checkout)
  if (!base) return undefined
  const changed = git(checkout, ['diff', '--name-only', '--no-renames', '-z', base.commit])
  const added = git(checkout, ['ls-files', '--others', '--exclude-standard', '-z'])
  if (changed === undefined || added === undefined) return undefined
  const files = `${changed}\0${added}`.split('\0').filter(Boolean)
  return { since: `${base.name} (${base.commit.slice(0, 8)})`, files: [...new Set(files)].sort() }
}

/** The commit that lies here with nothing changed beside it; undefined where something is. */
export const findCleanCommit = (checkout: string): string | undefined =>
  git(checkout, ['status', '--porcelain']) === '' ? git(checkout, ['rev-parse', 'HEAD']) : undefined

/** From now on the next run looks at what differs from this commit. */
export function notePassed(checkout: string, commit: string): void {
  const file = join(checkout, passedFile)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${commit}\n`)
}

interface Base {
  readonly name: string
  readonly commit: string
}

function findPassed(checkout: string): Base | undefined {
  const file = join(checkout, passedFile)
  const commit = existsSync(file) ? readFileSync(file, 'utf8').trim() : ''
  // One of another branch says nothing of what was merged here meanwhile.
  const isAncestor =
    /^[0-9a-f]{40,64}$/.test(commit) && git(checkout, ['merge-base', '--is-ancestor', commit, 'HEAD']) !== undefined
  return isAncestor ? { name: 'the last commit that passed here', commit } : undefined
}

function findFork(checkout: string): Base | undefined {
  for (const branch of ['origin/main', 'main']) {
    const commit = git(checkout, ['merge-base', branch, 'HEAD'])
    if (commit) return { name: `where this branch left ${branch}`, commit }
  }
  return undefined
}

function git(checkout: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, { cwd: checkout, encoding: 'utf8', maxBuffer: 2 ** 26 })
  return status === 0 ? stdout.trimEnd() : undefined
}
