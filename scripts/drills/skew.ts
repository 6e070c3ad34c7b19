import { join } from 'node:path'
import type { Release } from '../../shared/contract/src/release.ts'
import {
  openFolderStore,
  listReleaseRefs,
  publishAll,
  readRelease,
  readSnapshot,
  type ReleaseStore,
} from '../../shared/release/src/index.ts'
import { unpackBaseline } from '../../shared/release/src/baseline.ts'
import type { TestTotals } from '../workspace/testTotals.ts'
import { buildStale, checkoutStore } from '../workspace/builds.ts'
import { root } from '../workspace/files.ts'
import { createPairPlan, type AgedRelease, type CandidateComposition } from './pairPlan.ts'
import { runSmokeJourneys, type JourneyResult } from '../releaseGate/smokeJourneys.ts'
import { startTemporaryServer } from '../releaseGate/temporaryServer.ts'

interface TriedComposition {
  readonly row: CandidateComposition
  readonly journeys: readonly JourneyResult[]
}

/**
 * Composes host and remotes of now and before in a browser until every pair stood together, runs the smoke journeys
 * each time, and prints the table.
 */
export async function skew(): Promise<TestTotals> {
  const store = openFolderStore(checkoutStore)
  const levels = await listAgedReleases(store)
  const plan = createPairPlan(levels)
  const began = performance.now()
  const triedCompositions: TriedComposition[] = []
  const live = await liveSnapshot(store)
  // The viewer is a page of its own, opened by scans.
  const viewer = live.viewer ? [live.viewer] : []
  const throwaway = await startTemporaryServer(
    store,
    live,
    levels.map(({ release }) => release),
  )
  try {
    for (const [index, row] of plan.rows.entries()) {
      await throwaway.show([...row.map(({ release }) => release), ...viewer])
      triedCompositions.push({
        row,
        journeys: await runSmokeJourneys(throwaway.url, join(root, '.cache', 'skew', String(index + 1))),
      })
      print(`composition ${index + 1} of ${plan.rows.length}`, triedCompositions.at(-1)!)
    }
  } finally {
    await throwaway.stop()
  }
  const table = createTable(
    levels,
    triedCompositions,
    plan.refused.map(({ pair }) => pair),
  )
  console.log(`\n${table.text}`)
  for (const { refusal } of plan.refused) console.log(`  refused, so nobody meets it: ${refusal.reason}`)
  console.log(
    `${table.pairs} pairs of releases in ${plan.rows.length} compositions, ${table.failed} of them failing, ${Math.round((performance.now() - began) / 1000)} s. Reports: .cache/skew/<composition>/report/index.html`,
  )
  return { passed: table.pairs - table.failed, failed: table.failed }
}

async function liveSnapshot(store: ReleaseStore) {
  const { live } = await publishAll(checkoutStore)
  return readSnapshot(store, live)
}

/**
 * The releases that this checkout builds, and those of the baseline; a part that did not change since has one release
 * only.
 */
async function listAgedReleases(store: ReleaseStore): Promise<AgedRelease[]> {
  await buildStale()
  const parts = listReleaseRefs(await liveSnapshot(store)).filter(({ name }) => name !== 'viewer')
  const now = await Promise.all(parts.map(({ name, releaseId }) => readRelease(store, name, releaseId)))
  const baselineReleases = await unpackBaseline(store)
  for (const { name, releaseId, commit, publishedAt } of baselineReleases)
    console.log(`  before: ${name} ${releaseId}, built ${publishedAt.slice(0, 10)} from ${commit}`)
  const isOther = (release: Release): boolean =>
    now.some(({ name }) => name === release.name) && now.every(({ releaseId }) => releaseId !== release.releaseId)
  return [
    ...now.map((release): AgedRelease => ({ release, age: 'now' })),
    ...baselineReleases.filter(isOther).map((release): AgedRelease => ({ release, age: 'before' })),
  ]
}

function print(title: string, { row, journeys }: TriedComposition): void {
  const earlierNames = row.filter(({ age }) => age === 'before').map(({ release }) => release.name)
  const wrong = journeys.filter(({ hasPassed }) => !hasPassed)
  console.log(
    `  ${wrong.length === 0 ? '✓' : '✗'} ${title}: before are ${earlierNames.join(', ') || 'none'}; ${journeys.length - wrong.length} of ${journeys.length} journeys pass`,
  )
  for (const { title: name, reason } of wrong) console.log(`      "${name}" fails: ${reason}`)
}

/** Remotes down, host across: whether their journeys passed each time they stood together; and all pairs counted. */
export function createTable(
  levels: readonly AgedRelease[],
  triedCompositions: readonly TriedComposition[],
  refused: ReadonlyArray<readonly [AgedRelease, AgedRelease]>,
): { text: string; pairs: number; failed: number } {
  const works = (a: AgedRelease, b: AgedRelease): boolean | undefined => {
    const both = triedCompositions.filter(({ row }) => row.includes(a) && row.includes(b))
    const names = [a.release.name, b.release.name]
    return both.length === 0
      ? undefined
      : both.every(({ journeys }) =>
          journeys.every(({ parts, hasPassed }) => hasPassed || !parts.some((part) => names.includes(part))),
        )
  }
  const isRefused = (a: AgedRelease, b: AgedRelease): boolean =>
    refused.some((pair) => pair.includes(a) && pair.includes(b))
  const cell = (a: AgedRelease, b: AgedRelease): string =>
    isRefused(a, b)
      ? 'refused'
      : ({ true: 'works', false: 'FAILS', undefined: 'not together' }[String(works(a, b))] ?? '')
  const hosts = levels.filter(({ release }) => release.name === 'host')
  const remotes = levels
    .filter(({ release }) => release.name !== 'host')
    .sort((a, b) => a.release.name.localeCompare(b.release.name))
  const name = ({ release, age }: AgedRelease): string => `${release.name} ${age} (${release.releaseId.slice(0, 8)})`
  const lines = [
    ['', ...hosts.map(name)],
    ...remotes.map((remote) => [name(remote), ...hosts.map((host) => cell(host, remote))]),
  ]
  const widths = lines[0]!.map((_cell, column) => Math.max(...lines.map((line) => line[column]!.length)))
  const pairs = levels.flatMap((a, at) =>
    levels
      .slice(at + 1)
      .filter((b) => b.release.name !== a.release.name && !isRefused(a, b))
      .map((b) => works(a, b)),
  )
  const tried = pairs.filter((outcome) => outcome !== undefined)
  return {
    text: lines
      .map((line) => `  ${line.map((text, column) => text.padEnd(widths[column]!)).join('  ')}`.trimEnd())
      .join('\n'),
    pairs: tried.length,
    failed: tried.filter((outcome) => !outcome).length,
  }
}
