import { countSteps, getPackage, isTest, type ImportGraph } from './importGraph.ts'
import { isWebTest } from './jestConfigs.ts'

/** What `npm test` runs for a change. */
export interface Choice {
  /** The first changed file that everything stands on. */
  readonly foundation?: string
  readonly web: readonly string[]
  readonly node: readonly string[]
  /** Files of journeys; `all` where any might show it, `smoke` where nothing has changed. */
  readonly journeys: 'all' | 'smoke' | readonly string[]
}

/** Packages, settings and tools of which any test might notice a change. */
const foundations = [
  /^[^/]+$/,
  /(?:^|\/)(?:package|remote|tsconfig(?:\.\w+)?)\.json$/,
  /(?:^|\/)jest[\w.]*\.mjs$/,
  /^\.(?:ci|github|changeset)\//,
  /^shared\/build\//,
  /^scripts\/(?:jest|workspace)\//,
  /^scripts\/(?:commands\/test\.ts|[^/]+\.mjs)$/,
]

const isText = (file: string): boolean =>
  /\.md$|^docs\/|^(?:LICENSE|CODEOWNERS)$|^\.(?:vscode|devcontainer)\//.test(file)
const isSource = (file: string): boolean => /\.tsx?$/.test(file)

/** Their tests start programs and ask each other's tables, so imports do not say all that they stand on. */
const joinedParts = new Set(['server', 'uploader', 'scripts'])

/**
 * The tests that depend on the files: by imports, mocks and whatever else is named in quotes; where that does not say
 * enough, all of a package, or everything. Tests of `scripts` look at all sources and are always chosen. Where nothing
 * has changed, every test of Jest and the journeys that only look.
 */
export function chooseTests(changed: readonly string[], graph: ImportGraph): Choice {
  const tests = [...graph.sources.keys()].filter(isTest).sort()
  const foundation = changed.find((file) => !isText(file) && foundations.some((pattern) => pattern.test(file)))
  const isEverything = foundation !== undefined || changed.length === 0
  const chosen = isEverything ? tests : tests.filter(createJudge(changed, graph))
  return {
    ...(foundation ? { foundation } : {}),
    web: chosen.filter(isWebTest),
    node: chosen.filter((test) => !isWebTest(test)),
    journeys: foundation ? 'all' : changed.length === 0 ? 'smoke' : chooseJourneys(changed, graph),
  }
}

function createJudge(changed: readonly string[], graph: ImportGraph): (test: string) => boolean {
  const reached = new Set(changed.flatMap((file) => [...countSteps(file, graph.users).keys()]))
  const parts = new Set(changed.filter(isOfWholePart).map(getPackage))
  // A stylesheet or a catalogue of a package that others stand on.
  const isShared = [...parts].some((part) => part.startsWith('shared/'))
  const texts = changed.filter(isText)
  const reads = (test: string) => texts.length > 0 && /docs\/|\.md['"`]/.test(graph.sources.get(test) ?? '')
  return (test) => {
    const part = getPackage(test)
    return part === 'scripts' || isShared || reached.has(test) || parts.has(part) || reads(test)
  }
}

/** Of one that no import names. */
const isOfWholePart = (file: string): boolean =>
  !isText(file) && (joinedParts.has(getPackage(file)) ? !isTest(file) : !isSource(file))

/** Parts whose fault shows on their own pages alone. */
const isOnOwnPages = (file: string): boolean => /^(?:remote-[a-z0-9-]+|viewer)\//.test(file)

function chooseJourneys(changed: readonly string[], graph: ImportGraph): 'all' | string[] {
  const seen = changed.filter(
    (file) => !isText(file) && !isTest(file) && !/^(?:uploader|scripts\/(?!journeys|dev))/.test(file),
  )
  const journeys = [...graph.sources].filter(([file]) => /^e2e\/.*\.e2e\.ts$/.test(file))
  const chosen = new Set<string>()
  for (const file of seen) {
    if (/^e2e\/.*\.e2e\.ts$/.test(file)) chosen.add(file)
    else if (file.startsWith('e2e/looks/')) chosen.add('e2e/visual.e2e.ts')
    else if (isOnOwnPages(file)) for (const journey of listJourneysOf(getPackage(file), journeys)) chosen.add(journey)
    else return 'all'
  }
  return [...chosen].filter((file) => graph.sources.has(file)).sort()
}

/** Those that speak of the area, and those that go through the pages of all. */
function listJourneysOf(part: string, journeys: readonly (readonly [string, string])[]): string[] {
  const area = part.replace('remote-', '')
  const speaks = new RegExp(`\\b${area}\\b|\\bstates\\b|\\broutes\\b`, 'i')
  return journeys.filter(([, source]) => speaks.test(source)).map(([file]) => file)
}
