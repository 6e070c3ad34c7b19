import { findChanges } from '../workspace/changedFiles.ts'
import { chooseTests, type Choice } from '../workspace/chooseTests.ts'
import { isTest, readImportGraph } from '../workspace/importGraph.ts'
import type { Stage } from './stages.ts'

export interface Plan {
  readonly stages: readonly Stage[]
  /** Why these, and what is left out, to be printed. */
  readonly words: readonly string[]
}

/** What `npm test` runs: the stages, and of them the tests, that depend on what has changed. */
export function planRun(all: readonly Stage[], checkout: string): Plan {
  const changes = findChanges(checkout)
  if (!changes)
    return { stages: all, words: ['  Everything is run: there is no commit here to compare these files with.'] }
  const graph = readImportGraph(checkout)
  const testCount = [...graph.sources.keys()].filter(isTest).length
  return planFor(all, chooseTests(changes.files, graph), { ...changes, testCount })
}

interface Known {
  readonly since: string
  readonly files: readonly string[]
  /** How many test files there are. */
  readonly testCount: number
}

export function planFor(all: readonly Stage[], choice: Choice, { since, files, testCount }: Known): Plan {
  if (choice.foundation)
    return { stages: all, words: [`  Everything is run: all stands on ${choice.foundation}, changed since ${since}.`] }
  const runs = all.map((stage) => [stage, choose(stage, choice, files)] as const)
  const leftOut = runs.filter(([, count]) => !count).map(([{ name }]) => `    ${name}`)
  const chosenCount = choice.web.length + choice.node.length
  const what =
    files.length === 0
      ? `Nothing has changed since ${since}: every test of Jest is run, and the journeys that only look (@smoke).`
      : `${sayCount(files.length, 'file has', 'files have')} changed since ${since}: ${files.slice(0, 5).join(', ')}${files.length > 5 ? ', …' : ''}`
  return {
    stages: runs.flatMap(([stage, count]) => (count ? [{ ...stage, count }] : [])),
    words: [
      `  ${what}`,
      ...(files.length > 0
        ? [`  ${chosenCount} of ${testCount} test files and ${sayJourneys(choice)} depend on that.`]
        : []),
      ...(leftOut.length > 0 ? ['  Left out, because nothing that they are about has changed:', ...leftOut] : []),
      '  npm test -- --all runs everything.',
    ],
  }
}

/**
 * Whether a stage is not begun any more: what runs the tests ends them all after a while, and would then say nothing of
 * those that were over. Stages for every change begin at any time.
 *
 * @param elapsed seconds since the run began
 * @param most `TEST_SECONDS`; nothing where the run may take as long as it does
 */
export const isTooLate = ({ about }: Stage, elapsed: number, most = ''): boolean =>
  about !== undefined && most !== '' && elapsed > Number(most)

/** The stages that were not begun, or not over, in one line: what a log is cut to has room for what failed. */
export const sayTooLate = (how: 'begun' | 'over', stages: readonly Stage[], most = ''): readonly string[] =>
  stages.length === 0
    ? []
    : [`  – not ${how}, because ${most} s were over (TEST_SECONDS): ${stages.map(({ name }) => name).join('; ')}`]

/** Seconds that what is under way gets for its end after `TEST_SECONDS`. */
const secondsToEnd = 1100

/**
 * Ends a stage that is still under way long after no other is begun, so that all others are told of; nothing where the
 * run may take as long as it does.
 *
 * @param elapsed seconds since the run began
 * @param most `TEST_SECONDS`
 */
export function untilTooLate(elapsed: number, most = ''): AbortSignal | undefined {
  if (most === '' || Number.isNaN(Number(most))) return undefined
  return AbortSignal.timeout(Math.max(0, Math.ceil((Number(most) + secondsToEnd - elapsed) * 1000)))
}

function choose(stage: Stage, choice: Choice, files: readonly string[]): Stage['count'] | undefined {
  const { about } = stage
  if (about && !files.some((file) => about.test(file))) return undefined
  return stage.some ? stage.some(choice) : stage.count
}

const sayJourneys = ({ journeys }: Choice): string =>
  journeys === 'all' ? 'all journeys' : sayCount(journeys.length, 'file of journeys', 'files of journeys')

const sayCount = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`
