import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareRuns } from './compareRuns.ts'
import { aDeployment } from './deploymentInTests.ts'
import { formatHead, keepRun, listRefusals, readRun, type JourneyRecord, type RunRecord } from './runRecord.ts'

const journey = (name: string, outcome: JourneyRecord['outcome'], seconds = 1, reason?: string): JourneyRecord => ({
  name,
  outcome,
  seconds,
  ...(reason ? { reason } : {}),
})

const aRun = (over: Partial<RunRecord>): RunRecord => ({
  address: 'https://dmp.example',
  startedAt: '2026-11-23T01:00:00.000Z',
  endedAt: '2026-11-23T01:10:00.000Z',
  mode: 'production',
  clientId: 'lakeside-web',
  parts: aDeployment().parts,
  accounts: ['staff: staff@lakeside.test'],
  changes: [],
  journeys: [journey('a', 'passed'), journey('b', 'failed'), journey('c', 'passed'), journey('d', 'skipped')],
  ...over,
})

describe('two runs compared', () => {
  it('are the same where nothing differs', () => {
    const { lines, lost } = compareRuns(aRun({}), aRun({}))
    expect(lost).toBe(0)
    expect(lines.join('\n')).toContain('All 4 journeys that both runs have went the same way.')
    expect(lines[0]).toContain('2 passed, 1 failed, 0 flaky, 1 skipped')
  })

  it('say what is lost, won, new and gone, and count what is lost', () => {
    const second = aRun({
      journeys: [
        journey('a', 'failed', 1, 'the table is empty'),
        journey('b', 'passed'),
        journey('c', 'skipped', 1, 'skipped, because E2E_SYS does not name an account'),
        journey('e', 'passed'),
      ],
    })
    const { lines, lost } = compareRuns(aRun({}), second)
    expect(lost).toBe(2)
    const text = lines.join('\n')
    expect(text).toContain(
      'No longer passing\n  passed → failed: a (the table is empty)\n  passed → skipped: c (skipped,',
    )
    expect(text).toContain('Passing now\n  failed → passed: b')
    expect(text).toContain('Only in A\n  d')
    expect(text).toContain('Only in B\n  e')
  })

  it('say which parts and accounts differ, what changed meanwhile, and what became slow', () => {
    const [part] = aDeployment().parts
    const second = aRun({
      parts: [{ ...part!, version: '1.4.3', commit: 'beef' }],
      accounts: ['staff: not used, because E2E_STAFF was refused'],
      changes: ['01:05:00 UTC remote-scan 1.4.3 (…) → 1.4.2 (…)'],
      journeys: [
        journey('a', 'passed', 20),
        journey('b', 'failed'),
        journey('c', 'passed', 3),
        journey('d', 'skipped'),
      ],
    })
    const text = compareRuns(aRun({}), second).lines.join('\n')
    expect(text).toMatch(
      /Parts\n {2}A {2}remote-scan 1\.4\.2 .*commit c0ffee\n {2}B {2}remote-scan 1\.4\.3 .*commit beef/,
    )
    expect(text).toContain('Accounts\n  A  staff: staff@lakeside.test\n  B  staff: not used')
    expect(text).toContain('Changed during B\n  01:05:00 UTC')
    expect(text).toContain('Much slower in B\n  1 s → 20 s: a')
    expect(text).not.toContain('3 s: c')
  })
})

describe('the record of a run', () => {
  const folder = mkdtempSync(join(tmpdir(), 'dmp-runs-'))

  it('is read by its file, its name, and the folder of its report', () => {
    const file = keepRun(aRun({}), folder)
    expect(readRun(file)).toEqual(aRun({}))
    expect(readRun('2026-11-23T01-00-00-dmp.example', folder)).toEqual(aRun({}))
    writeFileSync(join(folder, 'run.json'), JSON.stringify(aRun({ mode: 'demo' })))
    expect(readRun(folder).mode).toBe('demo')
    expect(() => readRun('yesterday', folder)).toThrow(/There is no run yesterday/)
  })

  it('pushes the oldest out when there are many', () => {
    for (let day = 1; day <= 60; day += 1)
      keepRun(aRun({ startedAt: new Date(Date.UTC(2026, 0, day)).toISOString() }), folder)
    expect(readdirSync(folder)).toHaveLength(50)
  })
})

describe('the head of a run', () => {
  const refused = {
    isReady: false,
    email: 's@lakeside.test',
    isNamed: true,
    because: 'E2E_SYS was refused: “No.”',
  } as const
  const missing = { isReady: false, email: null, isNamed: false, because: 'E2E_MFA does not name an account' } as const
  const deployment = aDeployment({
    mayWrite: false,
    accounts: { ...aDeployment().accounts, sys: refused, mfa: missing },
  })

  it('says address, client id, each part with its commit, and each account once', () => {
    const lines = formatHead(deployment)
    expect(lines[0]).toMatch(/^Against https:\/\/dmp\.example: .*production, client id lakeside-web$/)
    expect(lines[1]).toBe(`  remote-scan 1.4.2 · release ${'a'.repeat(16)} · commit c0ffee`)
    expect(lines.filter((line) => line.includes('refused'))).toEqual([
      '  sys: not used, because E2E_SYS was refused: “No.”',
    ])
    expect(lines.at(-1)).toContain('E2E_WRITES=1')
  })

  it('fails for an account that was named and refused, not for one that nobody named', () => {
    expect(listRefusals(deployment)).toEqual(['E2E_SYS was refused: “No.”'])
  })
})
