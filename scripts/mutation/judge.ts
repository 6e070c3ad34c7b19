import { spawn } from 'node:child_process'
import { dirname, join } from 'node:path'
import { node } from '../stage.ts'

/** One run of Jest: a configuration, its projects (none: all), and the folder that the tests stand in (none: anywhere). */
interface Tests {
  config: 'jest.config.mjs' | 'jest.node.config.mjs'
  project?: string
  folder?: string
}

export const partOf = (file: string): string => file.split('/').slice(0, file.startsWith('shared/') ? 2 : 1).join('/')

/** What would notice a fault in the part, the nearest first: its own tests, then those of the parts that stand on it. */
export function testsOf(part: string): Tests[] {
  const project = part.replace('shared/', '')
  if (part === 'server' || part === 'shared/release') return [{ config: 'jest.node.config.mjs', project }]
  const own: Tests = { config: 'jest.config.mjs', project }
  if (part === 'shared/contract') return [own, { config: 'jest.node.config.mjs', project: 'server' }, { config: 'jest.config.mjs' }]
  return part === 'shared/kit' ? [own, { config: 'jest.config.mjs' }] : [own]
}

/** The tests in the folder of the file. */
export const testsBeside = (file: string): Tests => ({ ...(testsOf(partOf(file))[0] as Tests), folder: dirname(file) })

/** Whether the checkout in the folder fails for the fault in the file: types, the tests beside it, then (unless only what is near counts) all that could notice. */
export async function isCaught(checkout: string, file: string, isNear = false): Promise<boolean> {
  const part = partOf(file)
  if ((await failure(checkout, join(checkout, 'node_modules/.bin/tsc'), ['--noEmit', '-p', part])) !== undefined) return true
  for (const tests of [testsBeside(file), ...(isNear ? [] : testsOf(part))]) if ((await testsFail(checkout, tests)) !== undefined) return true
  return false
}

/** The last words of tests that fail; undefined when they pass. */
export function testsFail(checkout: string, { config, project, folder }: Tests): Promise<string | undefined> {
  const modules = config === 'jest.node.config.mjs' ? ['--experimental-vm-modules'] : []
  const wanted = [...(project ? ['--selectProjects', project] : []), ...(folder ? ['--testPathPatterns', `/${folder}/`] : [])]
  return failure(checkout, node, [...modules, join(checkout, 'node_modules/jest/bin/jest.js'), '-c', config, '--ci', '--bail', '--silent', '--passWithNoTests', '--testTimeout', '300000', ...wanted])
}

/** A fault may make a loop endless: whoever is not done by now has noticed it. */
const patienceMs = 15 * 60_000

/** A group of its own, so that workers that are caught in a loop end with it. */
function failure(cwd: string, command: string, args: string[]): Promise<string | undefined> {
  const child = spawn(command, args, { cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, TEST_DATABASE_URL: '' } })
  let words = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (chunk: string) => (words = (words + chunk).slice(-6000)))
  const end = () => {
    try {
      if (child.pid) process.kill(-child.pid, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
  }
  const timer = setTimeout(end, patienceMs)
  process.once('exit', end)
  return new Promise((resolve) => {
    const done = (code: number | null) => {
      clearTimeout(timer)
      process.off('exit', end)
      resolve(code === 0 ? undefined : words)
    }
    child.on('error', () => done(1))
    child.on('close', done)
  })
}
