import { readFileSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Deployment } from '../../e2e/support/deployment.ts'
import { findSkipReason } from '../../e2e/support/needs.ts'
import { toReason } from '../releaseGate/toReason.ts'
import { root } from '../workspace/files.ts'
import { toSentence } from './round.ts'
import { startLiveWatch, type LiveWatch } from './liveWatch.ts'
import { formatAccounts, formatPart, toMode, type JourneyRecord, type Outcome, type RunRecord } from './runRecord.ts'

/** The properties that the reporter needs of a test that Playwright runs. */
export interface ReportedTest {
  readonly title: string
  readonly tags: readonly string[]
  readonly location: { readonly file: string }
  readonly annotations: readonly { readonly type: string; readonly description?: string }[]
  readonly results: readonly { readonly duration: number; readonly errors: readonly { readonly message?: string }[] }[]
  outcome(): 'skipped' | 'expected' | 'unexpected' | 'flaky'
  readonly parent: { project(): { readonly name: string } | undefined }
}

interface Config {
  readonly metadata: Record<string, unknown>
}

const outcomes: Readonly<Record<ReturnType<ReportedTest['outcome']>, Outcome>> = {
  expected: 'passed',
  unexpected: 'failed',
  flaky: 'flaky',
  skipped: 'skipped',
}

/**
 * Playwright reporter: says before the run what it will write, watches the deployment meanwhile, puts what was tested
 * at the head of the report, and keeps the run for a comparison.
 */
export default class JourneyReporter {
  #deployment: Deployment | undefined
  #tests: readonly ReportedTest[] = []
  #config: Config = { metadata: {} }
  #watch: Promise<LiveWatch> | undefined
  readonly #startedAt = new Date()

  onBegin(config: Config, suite: { allTests(): ReportedTest[] }): void {
    this.#config = config
    this.#tests = suite.allTests()
    const file = process.env.E2E_DEPLOYMENT
    if (!file) return
    this.#deployment = JSON.parse(readFileSync(file, 'utf8')) as Deployment
    const writes = listWrites(this.#tests, this.#deployment)
    if (writes.length > 0)
      console.log(['This run writes, and takes away again:', ...writes.map((line) => `  - ${line}`)].join('\n'))
    // Without a file for its record this is no run of `npm run e2e`, such as a list of the journeys.
    if (process.env.E2E_RUN) this.#watch = startLiveWatch(this.#deployment)
  }

  async onEnd(): Promise<void> {
    const changes = (await (await this.#watch)?.stop()) ?? []
    if (this.#deployment === undefined || !process.env.E2E_RUN) return
    const record = toRecord(this.#deployment, this.#tests, changes, this.#startedAt)
    Object.assign(this.#config.metadata, toMetadata(record))
    for (const line of formatSkips(record.journeys)) console.log(line)
    for (const change of changes) console.log(`Changed during the run: ${change}`)
    writeFileSync(process.env.E2E_RUN, JSON.stringify(record))
  }
}

/** What those of the journeys that can run will write, each sentence once. */
export const listWrites = (tests: readonly ReportedTest[], deployment: Deployment): string[] => [
  ...new Set(
    tests
      .filter((test) => findSkipReason(test, deployment) === undefined)
      .flatMap(({ annotations }) =>
        annotations.filter(({ type }) => type === 'writes').map(({ description = '' }) => description),
      ),
  ),
]

export function toRecord(
  deployment: Deployment,
  tests: readonly ReportedTest[],
  changes: readonly string[],
  startedAt: Date,
): RunRecord {
  return {
    address: deployment.address,
    snapshot: deployment.snapshot.id,
    startedAt: startedAt.toISOString(),
    endedAt: new Date().toISOString(),
    mode: toMode(deployment),
    clientId: deployment.settings.clientId,
    parts: deployment.parts,
    accounts: formatAccounts(deployment),
    changes,
    journeys: tests.map(toJourney),
  }
}

function toJourney(test: ReportedTest): JourneyRecord {
  const outcome = outcomes[test.outcome()]
  const skip = test.annotations.findLast(({ type }) => type === 'skip')?.description
  const messages = test.results.flatMap(({ errors }) => errors.map(({ message }) => message ?? ''))
  const failure = toReason(messages)
  // A journey that has no result at all was cut off, and no need was missing.
  const reason = outcome === 'skipped' ? (skip ?? 'it did not run') : failure
  const file = relative(root, test.location.file).replaceAll('\\', '/')
  const states = test.annotations.filter(({ type }) => type === 'looked at').length
  const sentence = toSentence(outcome === 'skipped' ? (reason ?? '') : (messages.at(-1) ?? ''))
  return {
    name: [test.parent.project()?.name ?? '', file, test.title].join(' › '),
    outcome,
    ...(reason ? { reason } : {}),
    seconds: Math.round(test.results.reduce((sum, { duration }) => sum + duration, 0) / 100) / 10,
    parts: listParts(test),
    area: areas[file] ?? 'use',
    ...(states === 0 ? {} : { states }),
    ...(sentence ? { sentence } : {}),
  }
}

const areas: Readonly<Record<string, JourneyRecord['area']>> = {
  'e2e/accessibility.e2e.ts': 'accessibility',
  'e2e/visual.e2e.ts': 'looks',
}

/** The parts that it is tagged with, and the remotes that it states as needs. */
function listParts({ tags, annotations }: ReportedTest): string[] {
  const words = [
    ...tags.map((tag) => tag.slice(1)),
    ...annotations.filter(({ type }) => type === 'needs').map(({ description = '' }) => description),
  ]
  return [...new Set(words.filter((word) => word === 'host' || word === 'viewer' || word.startsWith('remote-')))]
}

/** The head of the report: an entry per part, account and change. */
export function toMetadata({ address, mode, clientId, parts, accounts, changes }: RunRecord): Record<string, string> {
  const numbered = (word: string, lines: readonly string[]) =>
    Object.fromEntries(lines.map((line, at) => [`${word} ${at + 1}`, line]))
  return {
    address,
    deployment: `${mode}, client id ${clientId}`,
    ...Object.fromEntries(parts.map((part) => [part.name, formatPart(part)])),
    ...numbered('account', accounts),
    ...(changes.length === 0 ? { 'changed during the run': 'nothing' } : numbered('changed during the run', changes)),
  }
}

/** Each reason once, with the journeys that it left out. */
export function formatSkips(journeys: readonly JourneyRecord[]): string[] {
  const skipped = journeys.filter(({ outcome }) => outcome === 'skipped')
  return [...Map.groupBy(skipped, ({ reason = '' }) => reason)].flatMap(([reason, group]) => [
    `${group.length} ${group.length === 1 ? 'journey' : 'journeys'} ${reason}`,
  ])
}
