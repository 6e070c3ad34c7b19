import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findLostPromises } from '../checks/promises.ts'
import { getPackage } from '../workspace/importGraph.ts'
import { isWebTest } from '../workspace/jestConfigs.ts'
import { node } from '../workspace/runProcess.ts'
import { applyFault, type Fault } from './faults.ts'
import { journeysOfPackage } from './journeysOfPackage.ts'
import type { RelatedTests } from './relatedTests.ts'

/**
 * Those that a fault is most likely to be noticed by; they get less time, because a fault may make a loop endless. Then
 * as many as are asked in all.
 */
const nearestCount = 6
const usualCount = 24
const nearestTimeoutMs = 10 * 60_000
const usualTimeoutMs = 20 * 60_000

/** Tries one fault after the other in a checkout. */
export class Judge {
  readonly #checkout: string
  readonly #related: RelatedTests
  readonly #sound: Map<string, boolean>

  /** @param sound tests that pass without a fault, and those that do not: these say nothing */
  constructor(checkout: string, related: RelatedTests, sound: Map<string, boolean>) {
    this.#checkout = checkout
    this.#related = related
    this.#sound = sound
  }

  /**
   * The stage that noticed the fault: types, then the tests that reach it, the nearest first, then journeys and
   * pictures; undefined when none did.
   */
  async findCatcher(fault: Fault, most: 'near' | 'usual' | 'all' = 'usual'): Promise<string | undefined> {
    const path = join(this.#checkout, fault.file)
    const source = readFileSync(path, 'utf8')
    const isFaulty = (yes: boolean) => writeFileSync(path, yes ? applyFault(source, fault) : source)
    isFaulty(true)
    try {
      const part = getPackage(fault.file)
      if (await this.#isSeenBy(`types of ${part}`, () => this.#breaksTypes(part), isFaulty)) return 'types'
      if (await this.#isSeenBy(`promises of ${fault.file}`, () => this.#losesPromises(fault.file), isFaulty))
        return 'promises'
      const all = this.#related.testsOf(fault.file)
      const rounds = [
        all.slice(0, nearestCount),
        ...(most === 'near' ? [] : [all.slice(nearestCount, most === 'all' ? undefined : usualCount)]),
      ]
      for (const tests of rounds) {
        const failing = await this.#failing(tests, tests === rounds[0] ? nearestTimeoutMs : usualTimeoutMs, isFaulty)
        if (failing) return failing
        isFaulty(true)
      }
      return most === 'near' ? undefined : await this.#journeys(fault, isFaulty)
    } finally {
      isFaulty(false)
    }
  }

  async #isSeenBy(name: string, isWrong: () => Promise<boolean>, isFaulty: (yes: boolean) => void): Promise<boolean> {
    if (!(await isWrong())) return false
    isFaulty(false)
    if (!this.#sound.has(name)) this.#sound.set(name, !(await isWrong()))
    isFaulty(true)
    if (!this.#sound.get(name)) console.log(`    ${name} are wrong without a fault as well: they say nothing.`)
    return this.#sound.get(name) === true
  }

  async #losesPromises(file: string): Promise<boolean> {
    return (await findLostPromises([file], this.#checkout)).length > 0
  }

  /** What a dropped step leaves unused is no help: whoever drops it takes that away as well. */
  async #breaksTypes(part: string): Promise<boolean> {
    const record = join(this.#checkout, '.cache/types', `${part.replace('/', '-')}.mutation.json`)
    const args = ['--noEmit', '--noUnusedLocals', 'false', '--noUnusedParameters', 'false', '-p', part]
    const known = ['--incremental', '--tsBuildInfoFile', record, '--checkers', '1']
    return (await this.#run('tsc', [...args, ...known], nearestTimeoutMs)) !== undefined
  }

  /** The first of the tests that fails with the fault and passes without it. */
  async #failing(tests: string[], ms: number, isFaulty: (yes: boolean) => void): Promise<string | undefined> {
    for (const isWeb of [true, false]) {
      let candidates = tests.filter((test) => isWebTest(test) === isWeb && this.#sound.get(test) !== false)
      while (candidates.length > 0) {
        const output = await this.#jest(candidates, ms)
        if (output === undefined) break
        const failed = candidates.find((test) =>
          new RegExp(`^FAIL .*${test.replace(/^(?:shared\/)?[^/]+\//, '').replaceAll('.', '\\.')}`, 'm').test(output),
        )
        isFaulty(false)
        // A loop without end; on a machine that is merely busy, the same tests do not end without the fault either.
        if (!failed) return (await this.#jest(candidates, ms)) === undefined ? 'a run without end' : undefined
        if (!this.#sound.has(failed)) this.#sound.set(failed, (await this.#jest([failed], ms)) === undefined)
        isFaulty(true)
        if (this.#sound.get(failed)) return failed
        console.log(`    ${failed} fails without a fault as well: it is not asked.`)
        candidates = candidates.filter((test) => test !== failed)
      }
    }
    return undefined
  }

  async #journeys({ file }: Fault, isFaulty: (yes: boolean) => void): Promise<string | undefined> {
    const options = journeysOfPackage(getPackage(file))
    if (!options) return undefined
    const journeys = () =>
      this.#run(
        node,
        [join(this.#checkout, 'scripts/dmp.mjs'), 'e2e', ...options, '--max-failures=1', '--retries=1'],
        usualTimeoutMs,
      )
    if ((await journeys()) === undefined) return undefined
    const name = `journeys ${options.join(' ')}`
    isFaulty(false)
    if (!this.#sound.has(name)) this.#sound.set(name, (await journeys()) === undefined)
    if (!this.#sound.get(name)) console.log(`    ${name} fail without a fault as well: they say nothing.`)
    return this.#sound.get(name) ? name : undefined
  }

  #jest(tests: string[], ms: number): Promise<string | undefined> {
    const isWeb = isWebTest(tests[0] ?? '')
    const projects = [...new Set(tests.map((test) => getPackage(test).replace('shared/', '')))]
    const command = [
      join(this.#checkout, 'node_modules/jest/bin/jest.js'),
      '-c',
      isWeb ? 'jest.config.mjs' : 'jest.node.config.mjs',
    ]
    const how = [
      '--ci',
      '--bail',
      '-w',
      '1',
      '--testSequencer',
      join(import.meta.dirname, 'testOrder.mjs'),
      '--selectProjects',
      ...projects,
    ]
    return this.#run(
      node,
      [...command, ...how, '--runTestsByPath', ...tests.map((test) => join(this.#checkout, test))],
      ms,
      { MUTATION_TESTS: tests.join('\n') },
    )
  }

  /**
   * The last words of a program that fails; undefined when it ends well. It has a group of its own, so that workers in
   * a loop end with it.
   */
  #run(command: string, args: string[], ms: number, env: Record<string, string> = {}): Promise<string | undefined> {
    const program = command === 'tsc' ? join(this.#checkout, 'node_modules/.bin/tsc') : command
    const child = spawn(program, args, {
      cwd: this.#checkout,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, TEST_DATABASE_URL: '', E2E_VIDEO: '0', ...env },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => (output += chunk))
    const end = () => {
      try {
        if (child.pid) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    const timer = setTimeout(end, ms)
    process.once('exit', end)
    return new Promise((resolve) => {
      const done = (code: number | null) => {
        clearTimeout(timer)
        process.off('exit', end)
        resolve(code === 0 ? undefined : output)
      }
      child.on('error', () => done(1))
      child.on('close', done)
    })
  }
}
