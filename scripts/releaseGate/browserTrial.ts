import { join } from 'node:path'
import type { ReleaseStore } from '../../shared/release/src/index.ts'
import { listReleaseRefs } from '../../shared/release/src/move.ts'
import type { BrowserTrial } from '../../shared/release/src/preflight/preflight.ts'
import { readLooks, type Finding } from '../../shared/release/src/preflight/verdicts.ts'
import { readRegistry, readSnapshot } from '../../shared/release/src/store/ReleaseStore.ts'
import { root } from '../workspace/files.ts'
import { comparePictures } from './pictures.ts'
import { runSmokeJourneys, type JourneyResult } from './smokeJourneys.ts'
import { startTemporaryServer } from './temporaryServer.ts'

/**
 * Composes the candidate with what would stand beside it on a server that is thrown away afterwards, and runs the smoke
 * journeys of all parts in a real browser.
 *
 * @param store where the releases lie; it is only read
 */
export const createBrowserTrial =
  (store: ReleaseStore): BrowserTrial =>
  async (snapshot, names) => {
    console.error(`Trying ${names.join(', ')} in a browser, beside what is live …`)
    const report = join(root, '.cache', 'trials', names.join('+'))
    const throwaway = await startTemporaryServer(store, snapshot)
    try {
      const journeys = await runSmokeJourneys(throwaway.url, report, names)
      return {
        findings: [...toFindings(journeys, names), ...(await findLooks(store, journeys, names))],
        report: join(report, 'report', 'index.html'),
      }
    } finally {
      await throwaway.stop()
    }
  }

/**
 * One finding per candidate, one of axe on its first screen, one for each other part that fails beside it, and one for
 * those that do not.
 */
export function toFindings(journeys: readonly JourneyResult[], names: readonly string[]): Finding[] {
  const isOwn = ({ parts }: JourneyResult): boolean => parts.some((part) => names.includes(part))
  const own = names.map((name) =>
    toFinding(
      name,
      journeys.filter(({ parts }) => parts.includes(name)),
      'Read the report; no live release was changed.',
    ),
  )
  const looked = names.flatMap((name) => {
    const found = journeys.find(({ parts, violations }) => parts.includes(name) && violations !== undefined)?.violations
    return found === undefined ? [] : [toAccessibility(name, found)]
  })
  const others = journeys.filter((journey) => !isOwn(journey))
  const failing = [...new Set(others.filter(({ hasPassed }) => !hasPassed).flatMap(({ parts }) => parts))]
  const beside = failing.map((name) =>
    toFinding(
      name,
      others.filter(({ parts }) => parts.includes(name)),
      `Does it fail without ${names.join(', ')} too? npm run release -- check ${name}`,
    ),
  )
  const rest = others.filter(({ parts, hasPassed }) => hasPassed && !parts.some((part) => failing.includes(part)))
  if (rest.length === 0) return [...own, ...looked, ...beside]
  return [
    ...own,
    ...looked,
    ...beside,
    {
      check: 'journeys beside it',
      passed: true,
      says: `${[...new Set(rest.flatMap(({ parts }) => parts))].join(', ')} work beside it.`,
      seconds: sum(rest),
    },
  ]
}

/** How the first screen of each candidate looks, beside the live release. People judge it: it refuses nothing. */
export async function findLooks(
  store: ReleaseStore,
  journeys: readonly JourneyResult[],
  names: readonly string[],
): Promise<Finding[]> {
  const registry = await readRegistry(store)
  const live = registry ? listReleaseRefs(await readSnapshot(store, registry.live)) : []
  const findings = names.map(async (name): Promise<Finding | undefined> => {
    const seen = journeys.find(({ parts, firstScreen }) => parts.includes(name) && firstScreen)?.firstScreen
    if (seen === undefined) return undefined
    const ref = live.find((one) => one.name === name)
    const before = ref && (await readLooks(store, name, ref.releaseId))
    return {
      check: `looks ${name}`,
      passed: true,
      says: before === undefined ? sayAlone(name) : sayChange(name, await comparePictures(before, seen)),
      seconds: 0,
      pictures: { seen, ...(before !== undefined && { live: before }) },
    }
  })
  return (await Promise.all(findings)).filter((finding) => finding !== undefined)
}

const sayAlone = (name: string): string =>
  `The first screen of ${name} as the trial saw it; of the release that is live no trial kept a picture.`

const sayChange = (name: string, share: number): string =>
  share === 0
    ? `The first screen of ${name} looks as live.`
    : `${share < 0.001 ? 'Less than 0.1' : (share * 100).toFixed(1)} % of the first screen of ${name} looks different from live.`

const toAccessibility = (name: string, found: string): Finding => ({
  check: `accessibility ${name}`,
  passed: found === '',
  says:
    found === ''
      ? `axe finds nothing against WCAG 2.2 A and AA on the first screen of ${name}.`
      : `axe finds on the first screen of ${name}: ${found}.`,
  cure: 'Run axe on that screen: its report says at which element and why.',
  seconds: 0,
})

function toFinding(name: string, journeys: readonly JourneyResult[], cure: string): Finding {
  const wrong = journeys.find(({ hasPassed }) => !hasPassed)
  const check = `journey ${name}`
  // The viewer is opened by scans and has no smoke journey of its own.
  if (journeys.length === 0) return { check, passed: true, says: `No smoke journey is tagged @${name}.`, seconds: 0 }
  if (wrong)
    return {
      check,
      passed: false,
      says: `"${wrong.title}" fails: ${wrong.reason}`,
      cure,
      seconds: sum(journeys),
      ...(wrong.picture && { pictures: { seen: wrong.picture } }),
    }
  const flaky = journeys.filter(({ isFlaky }) => isFlaky)
  return {
    check,
    passed: true,
    says: `${journeys.length === 1 ? 'Its smoke journey passes' : `Its ${journeys.length} smoke journeys pass`}${flaky.length > 0 ? `, ${flaky.length} only at the second try` : ''}.`,
    seconds: sum(journeys),
  }
}

const sum = (journeys: readonly JourneyResult[]): number =>
  Math.round(journeys.reduce((total, { seconds }) => total + seconds, 0) * 10) / 10
