import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { root } from './files.ts'
import { node } from './runProcess.ts'

/**
 * `npm test -- --watch`: Jest runs what depends on files that differ from the last commit, and again with each save.
 * With words, as in `npm test -- --watch remote-scan`, it runs all tests of those paths with each save.
 */
export async function watchTests(args: readonly string[], nodeOptions: readonly string[]): Promise<number> {
  const words = args.filter((word) => word !== '--watch')
  const jest = join(root, 'node_modules/jest/bin/jest.js')
  const mode = words.length === 0 ? '--watch' : '--watchAll'
  const child = spawn(node, [...nodeOptions, jest, '-c', 'jest.watch.config.mjs', mode, ...words], {
    cwd: root,
    stdio: 'inherit',
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code ?? 0)))
}
