import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { everybody } from '../../e2e/support/accounts.ts'
import type { Deployment, LivePart } from '../../e2e/support/deployment.ts'
import { root } from '../workspace/files.ts'

export type Outcome = 'passed' | 'failed' | 'flaky' | 'skipped'

export interface JourneyRecord {
  /** The same in every run: project, file and title. */
  readonly name: string
  readonly outcome: Outcome
  /** Why it was skipped, or the first line of its failure. */
  readonly reason?: string
  readonly seconds: number
  /** The parts that it is about. */
  readonly parts?: readonly string[]
  readonly area?: 'use' | 'looks' | 'accessibility'
  /** States of screens that it looked at. */
  readonly states?: number
  /** Its failure without what was on the page. */
  readonly sentence?: string
}

/** One run of the journeys, for `npm run e2e -- compare` and for machines. */
export interface RunRecord {
  readonly address: string
  /** What its pages were made of. */
  readonly snapshot?: string
  readonly startedAt: string
  readonly endedAt: string
  readonly mode: string
  readonly clientId: string
  readonly parts: readonly LivePart[]
  /** What became of each account, a line each. */
  readonly accounts: readonly string[]
  /** What changed in the deployment while the journeys ran, a line each. */
  readonly changes: readonly string[]
  readonly journeys: readonly JourneyRecord[]
}

/** Where runs are kept, out of the report that the next run replaces. */
export const runsFolder = join(root, 'e2e', 'runs')
const keptRuns = 50

export const toMode = ({ settings }: Pick<Deployment, 'settings'>): string => (settings.isDemo ? 'demo' : 'production')

/** @example 'remote-scan 1.4.2 · release 0123456789abcdef · commit 6f3a… · put in by E2E_COMPOSITION' */
export function formatPart({ name, releaseId, version, commit, isOverridden }: LivePart): string {
  return [
    version === null ? name : `${name} ${version}`,
    `release ${releaseId}`,
    ...(commit === null ? [] : [`commit ${commit}`]),
    ...(isOverridden ? ['put in by E2E_COMPOSITION'] : []),
  ].join(' · ')
}

export const formatAccounts = ({ accounts }: Pick<Deployment, 'accounts'>): string[] =>
  everybody.map((who) => {
    const state = accounts[who]
    if (!state.isReady) return `${who}: not used, because ${state.because}`
    return `${who}: ${state.email}${state.organization ? `, ${state.role} of ${state.organization}` : ''}`
  })

/** The accounts that somebody named for this run and that it could not use: a wrong password is no choice. */
export const listRefusals = ({ accounts }: Pick<Deployment, 'accounts'>): string[] =>
  everybody.flatMap((who) => {
    const state = accounts[who]
    return !state.isReady && state.isNamed ? [state.because] : []
  })

/** The head of a run: address, one line per part, one line per account. */
export function formatHead(deployment: Deployment): string[] {
  const { address, settings, parts } = deployment
  return [
    `Against ${address}: ${settings.applicationName} ${settings.productVersion}, ${toMode(deployment)}, client id ${settings.clientId}`,
    ...parts.map((part) => `  ${formatPart(part)}`),
    ...formatAccounts(deployment).map((line) => `  ${line}`),
    ...(deployment.mayWrite ? [] : ['  Journeys that write are left out: allow them with E2E_WRITES=1']),
  ]
}

/** Keeps the record of a run, and the newest of those before it. Returns the file. */
export function keepRun(record: RunRecord, folder = runsFolder): string {
  mkdirSync(folder, { recursive: true })
  const stamp = record.startedAt.replaceAll(':', '-').slice(0, 19)
  const file = join(folder, `${stamp}-${new URL(record.address).hostname}.json`)
  writeFileSync(file, `${JSON.stringify(record, null, 1)}\n`)
  for (const old of listRuns(folder).slice(0, -keptRuns)) rmSync(old)
  return file
}

/** The kept runs, oldest first. */
export const listRuns = (folder = runsFolder): string[] =>
  existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.json'))
        .sort()
        .map((name) => join(folder, name))
    : []

/** Reads the record of a run: a file, the name of a kept run, or the folder of a report. */
export function readRun(name: string, folder = runsFolder): RunRecord {
  const file = [name, join(name, 'run.json'), join(folder, name), join(folder, `${name}.json`)].find(
    (path) => path.endsWith('.json') && existsSync(path),
  )
  if (file === undefined)
    throw new Error(
      `There is no run ${name}. Name a file of e2e/runs, or the folder of a report that holds a run.json.`,
    )
  return JSON.parse(readFileSync(file, 'utf8')) as RunRecord
}
