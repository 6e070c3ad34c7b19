import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { nodeOptions } from '../stages/jestRuns.ts'
import { root } from '../workspace/files.ts'
import { node, runProcess } from '../workspace/runProcess.ts'

/**
 * `npm run kills -- 1000`: the test of durability with so many rounds. Each starts a server on what the rounds before
 * left, uploads, moves and deletes, and kills it at any moment; at the end everything that was acknowledged is read.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    /** Where the server keeps objects: files, segments, or both after each other. */
    objects: { type: 'string', default: 'files,segments' },
  },
})
const rounds = Number(positionals[0] ?? 20)
if (!Number.isInteger(rounds) || rounds < 1) throw new Error('npm run kills -- 1000 [--objects segments]')
const jest = [join(root, 'node_modules/jest/bin/jest.js'), '-c', 'jest.node.config.mjs', '--ci', '-i']
const test = ['--runTestsByPath', 'server/src/modules/scan/intake/durability.test.ts']
const { code } = await runProcess(node, [...nodeOptions, ...jest, ...test], {
  env: { DMP_TEST_KILL_ROUNDS: String(rounds), DMP_TEST_KILL_OBJECTS: values.objects },
})
process.exitCode = code ?? 1
