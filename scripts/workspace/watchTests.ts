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
  const children = findJestConfigs(words).map((config, index) =>
    spawn(node, [...(config === nodeTests ? nodeOptions : []), jest, '-c', config, mode, ...words], {
      cwd: root,
      stdio: [index === 0 ? 'inherit' : 'ignore', 'inherit', 'inherit'],
    }),
  )
  const end = (signal: NodeJS.Signals = 'SIGTERM') => children.forEach((child) => child.kill(signal))
  // An editor that stops its task tells this process alone.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => end(signal))
  const code = await new Promise<number>((resolve) => {
    for (const child of children) child.on('exit', (exitCode) => resolve(exitCode ?? 0))
  })
  end()
  return code
}
