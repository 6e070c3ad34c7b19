import { join } from 'node:path'
import type { ReleaseStore } from '../../shared/release/src/index.ts'
import type { BrowserTrial } from '../../shared/release/src/preflight/preflight.ts'
import type { Finding } from '../../shared/release/src/preflight/verdicts.ts'
import { root } from '../workspace/files.ts'
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
      return {
        findings: toFindings(await runSmokeJourneys(throwaway.url, report, names), names),
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
    return { check, passed: false, says: `"${wrong.title}" fails: ${wrong.reason}`, cure, seconds: sum(journeys) }
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
