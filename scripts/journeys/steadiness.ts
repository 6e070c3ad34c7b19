import { join } from 'node:path'
import { leastRuns, longestMs, mostRuns } from '../stages/steadily.ts'
import { node, runProcess } from '../workspace/runProcess.ts'
import { journeys as suite } from './findBrowser.ts'
import type { JourneyRecord } from './runRecord.ts'

/** On a slow machine ten runs of one journey took the time of all others. */
const countRuns = ({ seconds }: Pick<JourneyRecord, 'seconds'>): number =>
  Math.max(leastRuns, Math.min(mostRuns, Math.floor(longestMs / 1000 / Math.max(seconds, 1))))

const escapeExpression = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)

const titleIn = ({ name }: Pick<JourneyRecord, 'name'>): string => name.split(' › ').slice(2).join(' › ')

/** Playwright's options that choose these journeys and no other. */
export const chooseJourneys = (journeys: readonly Pick<JourneyRecord, 'name'>[]): string[] => [
  '--grep',
  `(?:${journeys.map((journey) => escapeExpression(titleIn(journey))).join('|')})(?: @|$)`,
]

/** Playwright's options that choose the journey and nothing else, and run it again and again without a second try. */
export function chooseAgain(journey: Pick<JourneyRecord, 'name' | 'seconds'>): string[] {
  const [project = '', file = ''] = journey.name.split(' › ')
  return [
    escapeExpression(file),
    '--project',
    project,
    ...chooseJourneys([journey]),
    '--repeat-each',
    String(countRuns(journey)),
    '--retries',
    '0',
    '--workers',
    '1',
    '--trace',
    'retain-on-failure',
    '--reporter',
    'list',
  ]
}

/**
 * Runs each journey that passed only at a second try again, by itself. A hiccup of a busy machine passes every time
 * then; a race of the product or of the journey shows itself.
 *
 * @returns a sentence for each: of those that failed again, and of those that did not and are unsteady
 */
export async function judgeSecondTries(
  journeys: readonly JourneyRecord[],
  environment: Readonly<Record<string, string>>,
  folder: string,
): Promise<{ readonly failed: string[]; readonly unsteady: string[] }> {
  const [failed, unsteady]: [string[], string[]] = [[], []]
  for (const journey of journeys.filter(({ outcome }) => outcome === 'flaky')) {
    const why = journey.reason ?? 'without a word'
    console.log(`\nPassed only at a second try, ${why}: ${journey.name}`)
    const options = [...chooseAgain(journey), '--output', join(folder, 'again')]
    const { code } = await runProcess(node, [...suite, ...options], {
      // The record and the report are those of the run before.
      env: { ...environment, E2E_RUN: '' },
    })
    if (code === 0) unsteady.push(`${journey.name} failed (${why}), and passed ${countRuns(journey)} times by itself`)
    else failed.push(`Unsteady: ${journey.name} failed again among ${countRuns(journey)} runs by itself.`)
  }
  return { failed, unsteady }
}
