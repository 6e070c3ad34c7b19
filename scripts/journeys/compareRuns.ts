import { formatPart, type JourneyRecord, type RunRecord } from './runRecord.ts'

export interface Comparison {
  readonly lines: readonly string[]
  /** Journeys that passed in the first run and did not pass, or could not run, in the second. */
  readonly lost: number
}

const isPassed = (journey: JourneyRecord | undefined): boolean =>
  journey?.outcome === 'passed' || journey?.outcome === 'flaky'

const formatRun = ({ address, startedAt, mode, journeys }: RunRecord): string => {
  const count = (outcome: string) => journeys.filter((journey) => journey.outcome === outcome).length
  return `${startedAt.slice(0, 16).replace('T', ' ')} ${address} (${mode}): ${count('passed')} passed, ${count('failed')} failed, ${count('flaky')} flaky, ${count('skipped')} skipped`
}

/** What is different between two runs: parts, accounts, and how each journey went. */
export function compareRuns(first: RunRecord, second: RunRecord): Comparison {
  const before = new Map(first.journeys.map((journey) => [journey.name, journey]))
  const after = new Map(second.journeys.map((journey) => [journey.name, journey]))
  const shared = second.journeys.filter(({ name }) => before.has(name))
  const changed = shared.filter(({ name, outcome }) => before.get(name)?.outcome !== outcome)
  const lost = changed.filter((journey) => isPassed(before.get(journey.name)) && !isPassed(journey))
  const won = changed.filter((journey) => !isPassed(before.get(journey.name)) && isPassed(journey))
  const other = changed.filter((journey) => !lost.includes(journey) && !won.includes(journey))
  const toLine = (journey: JourneyRecord): string =>
    `${before.get(journey.name)?.outcome} → ${journey.outcome}: ${journey.name}${journey.reason ? ` (${journey.reason})` : ''}`
  return {
    lost: lost.length,
    lines: [
      `A  ${formatRun(first)}`,
      `B  ${formatRun(second)}`,
      ...toSection('Parts', compareLists(partLines(first), partLines(second))),
      ...toSection('Accounts', compareLists(first.accounts, second.accounts)),
      ...toSection('Changed during A', first.changes),
      ...toSection('Changed during B', second.changes),
      ...toSection('No longer passing', lost.map(toLine)),
      ...toSection('Passing now', won.map(toLine)),
      ...toSection('Otherwise different', other.map(toLine)),
      ...toSection('Only in A', namesOf(first.journeys.filter(({ name }) => !after.has(name)))),
      ...toSection('Only in B', namesOf(second.journeys.filter(({ name }) => !before.has(name)))),
      ...toSection('Much slower in B', listSlower(before, shared)),
      ...(changed.length === 0 ? ['', `All ${shared.length} journeys that both runs have went the same way.`] : []),
    ],
  }
}

const toSection = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)]

const partLines = ({ parts }: RunRecord): string[] => parts.map(formatPart)
const namesOf = (journeys: readonly JourneyRecord[]): string[] => journeys.map(({ name }) => name)

const compareLists = (first: readonly string[], second: readonly string[]): string[] => [
  ...first.filter((line) => !second.includes(line)).map((line) => `A  ${line}`),
  ...second.filter((line) => !first.includes(line)).map((line) => `B  ${line}`),
]

/** Differences below these are the machine's. */
const slower = { times: 2, seconds: 5 }

const listSlower = (before: ReadonlyMap<string, JourneyRecord>, journeys: readonly JourneyRecord[]): string[] =>
  journeys.flatMap((journey) => {
    const previous = before.get(journey.name)
    if (!isPassed(previous) || !isPassed(journey) || previous === undefined) return []
    const isSlower =
      journey.seconds > previous.seconds * slower.times && journey.seconds - previous.seconds > slower.seconds
    return isSlower ? [`${previous.seconds} s → ${journey.seconds} s: ${journey.name}`] : []
  })
