import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from './files.ts'
import { toBuildFailure, toSentence } from './toSentence.ts'

const full = 'ENOSPC: no space left on device, write'
const cure = /^The disk is full\. .*free some space and run the same command again, which continues where it stopped\.$/

describe('what a command says of an error', () => {
  it('is the cure where the disk is full, and nothing of the program', () => {
    const address = JSON.stringify(join(root, 'scripts/workspace/runProcess.ts'))
    const program = `import(${address}).then((it) => it.exitOnError(() => { throw new Error(${JSON.stringify(full)}) }))`
    const { status, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '-e', program], {
      encoding: 'utf8',
    })
    expect([status, stderr.trim()]).toEqual([1, expect.stringMatching(cure)])
  })

  it('is another cure where the system watches no more files', () => {
    expect(toSentence(new Error("ENOSPC: System limit for number of file watchers reached, watch '/a'"))).toMatch(
      /^Programs on this machine watch as many files as the system lets them\. .*: sudo sysctl fs\.inotify/,
    )
  })

  it('is its own sentence otherwise', () => {
    expect(toSentence(new Error('Port 4000 is taken.'))).toBe('Port 4000 is taken.')
  })
})

describe('what is said of parts that were not built', () => {
  it('is each text once, and what follows from it', () => {
    expect(
      toBuildFailure(['App.tsx(1,2): a bracket is missing', 'App.tsx(1,2): a bracket is missing', 'no host']),
    ).toBe(
      'App.tsx(1,2): a bracket is missing\n\nno host\n\nThe build failed; the lines above say where. Nothing of it was published.',
    )
  })

  it('is one sentence where the disk is full, however many parts it struck', () => {
    expect(toBuildFailure([`${full}\n    at write`, full, 'the process that builds it ended'])).toMatch(cure)
  })
})
