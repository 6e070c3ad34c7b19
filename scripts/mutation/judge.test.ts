import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Fault } from './faults.ts'
import { Judge } from './judge.ts'

const source = 'export const limit = 12\n'
const file = 'server/src/limit.ts'
const test = 'server/src/limit.test.ts'
const fault: Fault = { file, line: 1, kind: 'limit', start: 21, end: 23, text: '13', what: '12 becomes 13' }
let checkout: string

function write(path: string, text: string): void {
  mkdirSync(dirname(join(checkout, path)), { recursive: true })
  writeFileSync(join(checkout, path), text)
}

/** A compiler and a Jest that judge the source as the script of the test says; each call is noted. */
function fakeTools({ tsc = 'exit 0', jest = 'process.exit(0)' }): void {
  write('node_modules/.bin/tsc', `#!/bin/sh\necho tsc >> calls\n${tsc}\n`)
  chmodSync(join(checkout, 'node_modules/.bin/tsc'), 0o755)
  write(
    'node_modules/jest/bin/jest.js',
    `const { readFileSync, appendFileSync } = require('node:fs')
appendFileSync('calls', 'jest\\n')
const isFaulty = readFileSync('${file}', 'utf8').includes('13')
${jest}`,
  )
}

const fails = `console.log('FAIL server src/limit.test.ts'); process.exit(1)`
const calls = (): string[] => readFileSync(join(checkout, 'calls'), 'utf8').trim().split('\n')
const createJudge = (sound = new Map<string, boolean>()): Judge =>
  new Judge(checkout, { files: [file, test], testsOf: () => [test] }, sound)

beforeEach(() => {
  checkout = mkdtempSync(join(tmpdir(), 'dmp-judge-'))
  write(file, source)
  write('package.json', '{}')
  jest.spyOn(console, 'log').mockImplementation(() => undefined)
})
afterEach(() => rmSync(checkout, { recursive: true, force: true }))

describe('who catches a fault', () => {
  afterEach(() => expect(readFileSync(join(checkout, file), 'utf8')).toBe(source))

  it('is the compiler, before any test is run', async () => {
    fakeTools({ tsc: `grep -q 13 ${file} && exit 1; exit 0`, jest: fails })
    expect(await createJudge().findCatcher(fault, 'near')).toBe('types')
    // Once more without it: a compiler that is never content says nothing.
    expect(calls()).toEqual(['tsc', 'tsc'])
  })

  it('is not a compiler that fails without it as well', async () => {
    fakeTools({ tsc: 'exit 1' })
    expect(await createJudge().findCatcher(fault, 'near')).toBeUndefined()
    expect(calls()).toEqual(['tsc', 'tsc', 'jest'])
  })

  it('is the test that fails with it and passes without it', async () => {
    fakeTools({ jest: `if (isFaulty) { ${fails} }` })
    expect(await createJudge().findCatcher(fault, 'near')).toBe(test)
    expect(calls()).toEqual(['tsc', 'jest', 'jest'])
  })

  it('is no test that fails without it as well, and that test is not run for the next fault', async () => {
    fakeTools({ jest: fails })
    const sound = new Map<string, boolean>()
    expect(await createJudge(sound).findCatcher(fault, 'near')).toBeUndefined()
    expect(sound.get(test)).toBe(false)
    writeFileSync(join(checkout, 'calls'), '')
    expect(await createJudge(sound).findCatcher(fault, 'near')).toBeUndefined()
    expect(calls()).toEqual(['tsc'])
  })

  it('is a run that ends only without it', async () => {
    fakeTools({ jest: 'process.exit(isFaulty ? 1 : 0)' })
    expect(await createJudge().findCatcher(fault, 'near')).toBe('a run without end')
  })

  it('is nobody when everything passes', async () => {
    fakeTools({})
    expect(await createJudge().findCatcher(fault, 'near')).toBeUndefined()
  })
})
