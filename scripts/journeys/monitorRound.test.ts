import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Round } from '../../shared/contract/src/releaseRounds.ts'
import { Round as RoundSchema } from '../../shared/contract/src/releaseRounds.ts'
import { aDeployment } from './deploymentInTests.ts'
import { lockFile } from './lockFile.ts'
import { runRound, type Teller } from './monitorRound.ts'
import { titleOf, toRound, toSentence } from './round.ts'
import type { JourneyRun } from './runJourneys.ts'
import type { JourneyRecord, RunRecord } from './runRecord.ts'

const [part, previous] = ['remote-scan', 'c'.repeat(16)]
const { parts } = aDeployment()
const journey = (title: string, outcome: JourneyRecord['outcome'], more: Partial<JourneyRecord> = {}) => ({
  name: `desktop › e2e/scan.e2e.ts › ${title}`,
  outcome,
  seconds: 1,
  parts: [part],
  ...more,
})
const aRun = (journeys: readonly JourneyRecord[], over: Partial<RunRecord> = {}): JourneyRun => ({
  passed: 0,
  failed: journeys.filter(({ outcome }) => outcome === 'failed').length,
  record: {
    address: 'https://dmp.example',
    snapshot: '1'.repeat(16),
    startedAt: '2026-11-23T01:00:00.000Z',
    endedAt: '2026-11-23T01:01:00.000Z',
    mode: 'production',
    clientId: 'x',
    parts,
    accounts: [],
    changes: [],
    journeys,
    ...over,
  },
})
const withPrevious = parts.map((live) => (live.name === part ? { ...live, releaseId: previous } : live))

/** Runs these one after the other, against a deployment that asks for a trial where something failed. */
async function watch(...runs: JourneyRun[]) {
  const [asked, told, judged]: [unknown[][], Round[], unknown[]] = [[], [], []]
  const teller: Teller = {
    addRound: (round) => {
      told.push(round as Round)
      const trials = round.journeys.some(({ outcome }) => outcome === 'failed')
        ? [{ part, releaseId: 'a'.repeat(16), previous, cookie: 'dmp-overrides=1' }]
        : []
      return Promise.resolve({ id: 'id', trials })
    },
    judgeRound: (judgement) => {
      judged.push(judgement)
      return Promise.resolve({ isTakenBack: true, because: 'remote-scan: rolled back.' })
    },
  }
  const round = await runRound((...options) => {
    asked.push(options)
    return Promise.resolve(runs.shift() ?? aRun([]))
  }, teller)
  return { asked, told, judged, notes: round.notes }
}

describe('a round of a monitor', () => {
  it('tries what failed once more with the release before, and tells which passed [P52]', async () => {
    const failing = [journey('opens (a) scan [2.58]', 'failed'), journey('other', 'failed', { parts: ['host'] })]
    const { asked, told, judged, notes } = await watch(
      aRun([...failing, journey('fine', 'passed')]),
      aRun([journey('opens (a) scan [2.58]', 'passed')], { parts: withPrevious }),
    )
    // A failure is tried again right away: what passes then is flaky.
    expect(asked[0]).toEqual([['--grep', '@smoke', '--retries', '1']])
    expect(asked[1]).toEqual([
      ['--grep', String.raw`(?:opens \(a\) scan \[2\.58\])(?: @|$)`, '--retries', '0'],
      { overrides: 'dmp-overrides=1' },
    ])
    expect(await RoundSchema['~standard'].validate(told[0])).not.toHaveProperty('issues')
    expect(told[0]?.journeys[0]).toMatchObject({ title: 'opens (a) scan [2.58]', clauses: ['2.58'], parts: [part] })
    expect(judged).toEqual([{ id: 'id', part, passed: ['opens (a) scan [2.58]'] }])
    expect(notes).toEqual(['remote-scan: rolled back.'])
  })

  it('proves nothing by a trial that met the same release, that failed, or that never ran [P52]', async () => {
    const failing = aRun([journey('opens', 'failed')])
    for (const trial of [
      aRun([journey('opens', 'passed')]),
      aRun([journey('opens', 'failed')], { parts: withPrevious }),
      aRun([journey('opens', 'skipped')], { parts: withPrevious }),
      { passed: 0, failed: 1 },
    ])
      expect((await watch(failing, trial)).judged).toEqual([{ id: 'id', part, passed: [] }])
  })

  it('tries nothing again where all is well or passed at the second try', async () => {
    const { asked, judged } = await watch(aRun([journey('opens', 'flaky'), journey('fine', 'passed')]))
    expect([asked.length, judged]).toEqual([1, []])
  })

  it('goes on when the deployment cannot be told', async () => {
    const refused = () => Promise.reject(new Error('This API token is not valid.'))
    const { notes } = await runRound(() => Promise.resolve(aRun([])), { addRound: refused, judgeRound: refused })
    expect(notes).toEqual(['The deployment could not be told: This API token is not valid.'])
  })
})

describe('what is told of a failure', () => {
  it.each([
    ['Error: its first screen shows no error\n\nexpect(locator)…', 'its first screen shows no error'],
    ['Error: page.goto: net::ERR_FAILED at https://clinic.example/scan/detail/7', 'page.goto: net::ERR_FAILED at …'],
    ['Error: the row “Doe^Jane” is there', 'the row … is there'],
    ['Error: Doe^Jane^^Dr of 1.2.840.113619.2.55 is missing', '… of … is missing'],
    ['Error: "Jane Doe, born 1970" was cut', '… was cut'],
    ['skipped, because ann@clinic.example was refused', 'skipped, because … was refused'],
  ])('says no more than the words of the journey: %s [P23]', (message, sentence) => {
    expect(toSentence(message)).toBe(sentence)
  })

  it('is in one line, of a length that the deployment takes', () => {
    expect(toSentence(`Error: ${'x'.repeat(900)}\nmore`)).toHaveLength(300)
    expect(titleOf({ name: `mobile › e2e/a.e2e.ts › a › b` })).toBe('a › b (mobile)')
  })

  it('lists in a whole run the clauses that no journey names', () => {
    const { untried = [] } = toRound(aRun([journey('opens [2.58]', 'passed')]).record!, 'suite')
    expect([untried.includes('2.58'), untried.includes('2.01'), untried.length > 100]).toEqual([false, true, true])
    expect(toRound(aRun([]).record!, 'monitor').untried).toBeUndefined()
  })
})

describe('a lock', () => {
  it('keeps a second monitor out, and outlives no process', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'dmp-lock-')), 'x', 'monitor.pid')
    const unlock = lockFile(file, 'busy')
    expect(() => lockFile(file, 'busy')).toThrow('busy')
    unlock()
    lockFile(file, 'busy')()
    // A process id that no system gives.
    writeFileSync(file, '4194999')
    expect(() => lockFile(file, 'busy')()).not.toThrow()
  })
})
