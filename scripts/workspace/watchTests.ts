import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './files.ts'
import { findJestConfigs, nodeTests } from './jestConfigs.ts'
import { node } from './runProcess.ts'

/**
 * `npm test -- --watch`: Jest runs what depends on files that differ from the last commit, and again with each save.
 * With words, as in `npm test -- --watch remote-scan`, it runs all tests of those paths with each save.
 *
 * Tests of screens and tests that run in Node need processes of their own (docs/decisions/0004-two-jests.md); keys go
 * to the first one.
 */
export async function watchTests(args: readonly string[], nodeOptions: readonly string[]): Promise<number> {
  const words = args.filter((word) => word !== '--watch')
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const mode = words.length === 0 ? '--watch' : '--watchAll'
  console.log(introduce(words))
  const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}
  const children = findJestConfigs(words).map((config, index) => {
    const own = config === nodeTests ? nodeOptions : []
    const child = spawn(node, [...own, jest, '-c', config, mode, ...words], {
      cwd: root,
      env: { ...process.env, ...color },
      stdio: [index === 0 ? 'inherit' : 'ignore', 'pipe', 'pipe'],
    })
    // Not the terminal itself: each Jest would clear it of what the other one, and this command, said.
    child.stdout?.pipe(process.stdout, { end: false })
    child.stderr?.pipe(process.stderr, { end: false })
    return child
  })
  const end = (signal: NodeJS.Signals = 'SIGTERM') => children.forEach((child) => child.kill(signal))
  // An editor that stops its task tells this process alone.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal))
  const code = await new Promise<number>((resolve) => {
    for (const child of children) child.on('exit', (exitCode) => resolve(exitCode ?? 0))
  })
  end()
  return code
}

/** What it does first, and what it waits for then: Jest's own words are of a run that has already been. */
const introduce = (words: readonly string[]): string =>
  words.length === 0
    ? 'Runs the tests that depend on files that differ from the last commit: now, and again with each save. Tests of screens\nand tests that run in Node are two runs beside each other. "No tests found" says that no file differs yet: it waits for\nyou to save one. Ctrl+C ends it.\n'
    : `Runs all tests whose path contains ${words.map((word) => `"${word}"`).join(' or ')}: now, and again with each save. Ctrl+C ends it.\n`
