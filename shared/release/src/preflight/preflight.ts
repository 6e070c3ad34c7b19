import { calls } from '@dmp/contract/calls'
import { isGuest, isOpenToGuests } from '@dmp/contract/guest'
import contractPackage from '@dmp/contract/package.json' with { type: 'json' }
import type { Release, Snapshot } from '@dmp/contract/release'
import type { Judgement } from '@dmp/contract/releaseDoor'
import { getBudget, measureWeight } from './budgets.ts'
import { findUnansweredCalls, readCalls, toCallShapes, type CallShapes } from './calls.ts'
import { findRouteCollisions, findUnmetNeeds, type Incompatibility } from './compatibility.ts'
import { findUnlentClaims } from './lentAddresses.ts'
import { listReleaseRefs } from '../move.ts'
import { findAlteredFile } from '../store/releaseFiles.ts'
import { readRelease, type ReleaseStore } from '../store/ReleaseStore.ts'
import { findDeprecatedNames } from './names.ts'
import { findReachingStyle } from './styles.ts'
import { addVerdict, toPairing, readVerdict, type Finding, type Verdict } from './verdicts.ts'

/** Composes a snapshot on a server of its own and tries it in a real browser; nothing live is touched. */
export type BrowserTrial = (
  snapshot: Snapshot,
  parts: readonly string[],
) => Promise<{ readonly findings: readonly Finding[]; readonly report?: string }>

export interface PreflightOptions {
  readonly by: string
  readonly trial: BrowserTrial
}

type CheckResult = Omit<Finding, 'check' | 'seconds'>

/** The stored verdict on these releases beside the others of the snapshot, or a new one. */
export async function getVerdict(
  store: ReleaseStore,
  snapshot: Snapshot,
  parts: readonly string[],
  options: PreflightOptions,
): Promise<Verdict> {
  return (await readVerdict(store, toPairing(snapshot, parts))) ?? preflight(store, snapshot, parts, options)
}

/**
 * Checks whether some releases of a snapshot can be live beside its others, and stores the verdict. Documents and files
 * come first; the browser starts only if they refuse nothing.
 *
 * @param snapshot what would be live
 * @param parts the parts whose release is new in it
 */
export async function preflight(
  store: ReleaseStore,
  snapshot: Snapshot,
  parts: readonly string[],
  { by, trial }: PreflightOptions,
): Promise<Verdict> {
  const findings = await judgeDocuments(store, snapshot, parts)
  const isCompatible = findings.every(({ passed }) => passed)
  const trialResult = isCompatible ? await trial(snapshot, parts) : undefined
  findings.push(...(trialResult?.findings ?? []))
  const verdict: Verdict = {
    ...toPairing(snapshot, parts),
    passed: findings.every(({ passed }) => passed),
    findings,
    by,
    at: new Date().toISOString(),
    ...(trialResult?.report === undefined ? {} : { report: trialResult.report }),
  }
  await addVerdict(store, verdict)
  return verdict
}

/**
 * Everything that needs no browser: what the releases declare, their sizes and files, and the calls that they make.
 *
 * @param answered the calls of the server that the releases are for; those of this checkout where left out
 */
export async function judgeDocuments(
  store: ReleaseStore,
  snapshot: Snapshot,
  parts: readonly string[],
  answered: CallShapes = toCallShapes(calls),
): Promise<Finding[]> {
  const releases = await Promise.all(
    listReleaseRefs(snapshot).map((ref) => readRelease(store, ref.name, ref.releaseId)),
  )
  const findings: Finding[] = []
  for (const [check, find] of Object.entries(
    createChecks(store, { releases, parts, answered, guests: snapshot.guests }),
  ))
    findings.push(await runCheck(check, find))
  return findings
}

/** Whether a finding is about how good a release is, and not about whether it works at all. */
export const isAboutQuality = ({ check }: Pick<Finding, 'check'>): boolean =>
  check === 'budget' || /^(?:journey|accessibility|looks) /.test(check)

/** A finding as servers and commands tell it. */
export const toJudgement = ({ check, passed, says, cure, pictures }: Omit<Finding, 'seconds'>): Judgement => ({
  check,
  passed,
  says,
  cure: cure ?? null,
  ...(pictures && { pictures }),
})

/** The failed findings of a verdict, in the form of every other incompatibility. */
export function toIncompatibilities({ candidates, findings }: Verdict): Incompatibility[] {
  const who = candidates.map(({ name }) => name).join(', ')
  return findings
    .filter(({ passed }) => !passed)
    .map(({ check, says, cure }) => ({ parties: [who, check], reason: says, cure: cure ?? '' }))
}

async function runCheck(check: string, find: () => CheckResult | Promise<CheckResult>): Promise<Finding> {
  const startedAt = performance.now()
  const result = await find()
  return { check, ...result, seconds: Math.round((performance.now() - startedAt) / 100) / 10 }
}

interface Judged {
  readonly releases: readonly Release[]
  readonly parts: readonly string[]
  readonly answered: CallShapes
  /** The parts that the registry holds as guests. */
  readonly guests: readonly string[] | undefined
}

function createChecks(
  store: ReleaseStore,
  { releases, parts, answered, guests }: Judged,
): Readonly<Record<string, () => CheckResult | Promise<CheckResult>>> {
  const host = releases.find(({ name }) => name === 'host')!
  const remotes = releases.filter(({ name }) => name.startsWith('remote-'))
  const candidates = releases.filter(({ name }) => parts.includes(name))
  const concerns = ({ parties }: Incompatibility): boolean => parties.some((party) => parts.includes(party))
  const first = (incompatibilities: readonly Incompatibility[], otherwise: string): CheckResult => {
    const problem = incompatibilities.find(concerns)
    return problem === undefined
      ? { passed: true, says: otherwise }
      : { passed: false, says: problem.reason, cure: problem.cure }
  }
  return {
    needs: () =>
      first(
        remotes.flatMap((remote) => findUnmetNeeds(host, remote)),
        `The host ${host.releaseId} provides everything that the remotes need: ${sayVersions(host)}.`,
      ),
    routes: async () =>
      first(
        [
          ...findRouteCollisions([host, ...remotes]),
          // Whoever claims answers for it, not whoever is claimed from.
          ...(await findUnlentClaims(store, [host, ...remotes])).filter(({ parties: [part] }) => parts.includes(part)),
        ],
        'No two parts claim the same route, and none takes an address of another.',
      ),
    contract: () => firstFailure(candidates.map(findMissingExport), 'Every required module is exposed.'),
    calls: async () => {
      const found = await Promise.all(
        candidates.map(async (release) => {
          const made = await readCalls(store, release)
          return findClosedCall(release, made, guests) ?? judgeCalls(release, made, answered)
        }),
      )
      return firstFailure(
        found.filter(({ passed }) => !passed),
        found.map(({ says }) => says).join(' '),
      )
    },
    names: async () => ({
      passed: true,
      says: (await Promise.all(candidates.map((one) => sayNames(store, one)))).join(' '),
    }),
    styles: async () =>
      firstFailure(
        await Promise.all(candidates.map((release) => judgeStyles(store, release))),
        'Every style is for what the part draws.',
      ),
    budget: () => firstFailure(candidates.map(findExceededBudget), candidates.map(formatSizes).join('; ')),
    files: async () =>
      firstFailure(
        await Promise.all(candidates.map((release) => findAlteredForm(store, release))),
        `All ${candidates.reduce((sum, { files }) => sum + files.length, 0)} files in the store are as they were released.`,
      ),
  }
}

const firstFailure = (failures: readonly (CheckResult | undefined)[], otherwise: string): CheckResult =>
  failures.find((failure) => failure !== undefined) ?? { passed: true, says: otherwise }

type MadeCalls = Awaited<ReturnType<typeof readCalls>>

/** The page would refuse it to a guest; better said before it is live. */
function findClosedCall(
  { name, declaration }: Release,
  made: MadeCalls,
  guests: readonly string[] | undefined,
): CheckResult | undefined {
  if (!isGuest({ name, trust: declaration?.trust }, guests) || typeof made !== 'object') return undefined
  const closed = Object.keys(made).find((call) => !isOpenToGuests(call))
  return closed === undefined
    ? undefined
    : {
        passed: false,
        says: `${name} is a guest and makes the call ${closed}, which no guest may make.`,
        cure: 'Leave the call out. Calls that hand out access or send data elsewhere are made by parts of the page alone.',
      }
}

function judgeCalls(release: Release, made: MadeCalls, answered: CallShapes): CheckResult {
  if (made === undefined)
    return { passed: true, says: `${release.name} does not say which calls it makes, so they were not compared.` }
  if (made === 'unreadable')
    return {
      passed: false,
      says: `calls.json of ${release.name} is not readable.`,
      cure: 'Build it again with @dmp/build, which writes that file.',
    }
  const [problem] = findUnansweredCalls(release.name, made, answered)
  return problem
    ? { passed: false, says: problem.reason, cure: problem.cure }
    : {
        passed: true,
        says: `The server, of contract ${contractPackage.version}, answers all ${Object.keys(made).length} calls of ${release.name}, ${sayContract(release)}.`,
      }
}

/** What the ground of a page is: the rest of what it shares is of the same packages. */
const sayVersions = ({ provides }: Release): string =>
  ['@dmp/contract', '@dmp/kit', 'react'].map((module) => `${module} ${provides[module] ?? 'none'}`).join(', ')

const sayContract = ({ declaration, provides }: Release): string =>
  declaration?.needs.contract === undefined
    ? `of contract ${provides['@dmp/contract'] ?? 'none'}`
    : `which needs ${declaration.needs.contract}`

/** What is deprecated works as long as its major version is live: its team is told, and nothing is refused. */
async function sayNames(store: ReleaseStore, release: Release): Promise<string> {
  const taken = await findDeprecatedNames(store, release)
  if (taken === undefined) return `${release.name} does not say which names of contract and kit it takes.`
  if (taken.length === 0) return `${release.name} takes no deprecated name of contract and kit.`
  const named = taken.map(({ name, says }) => `${name} (${says})`).join('; ')
  return `${release.name} takes names that leave with the next major version: ${named}.`
}

function findMissingExport({ name, chunks, declaration }: Release): CheckResult | undefined {
  if (!name.startsWith('remote-')) return undefined
  if (declaration === undefined)
    return { passed: false, says: `${name} has no declaration.`, cure: 'Add a remote.json and build it again.' }
  if (chunks['./App'] === undefined)
    return {
      passed: false,
      says: `${name} does not expose ./App.`,
      cure: 'Export App, the route table, from src/index.ts.',
    }
  const [card, search] = [declaration.cards[0], declaration.searches?.[0]]
  const missing = (what: string, module: string): CheckResult => ({
    passed: false,
    says: `${name} declares the ${what} but does not expose ./${module}.`,
    cure: `Export each ${what.split(' ')[0]} by its name from src/${module}.ts, or remove it from remote.json.`,
  })
  if (card && chunks['./cards'] === undefined) return missing(`card ${card.name}`, 'cards')
  if (search && chunks['./search'] === undefined) return missing(`search ${search.name}`, 'search')
  return undefined
}

async function judgeStyles(store: ReleaseStore, release: Release): Promise<CheckResult | undefined> {
  if (!release.name.startsWith('remote-')) return undefined
  const reaching = await findReachingStyle(store, release)
  return (
    reaching && {
      passed: false,
      says: `${reaching.file} of ${release.name} has a style for ${reaching.selector}, which reaches the shell and other parts.`,
      cure: 'Begin the selector with a class of the part’s own: not html, body or :root, no attribute alone, and no class that begins with dmp- or ant-.',
    }
  )
}

function findExceededBudget(release: Release): CheckResult | undefined {
  const [weight, budget] = [measureWeight(release), getBudget(release.name)]
  const exceeded = (['entry', 'firstRoute'] as const).find((size) => weight[size] > budget[size])
  if (exceeded === undefined) return undefined
  const what = exceeded === 'entry' ? 'first script' : 'first page'
  return {
    passed: false,
    says: `The ${what} of ${release.name} weighs ${weight[exceeded]} bytes (brotli); its budget is ${budget[exceeded]}.`,
    cure: 'Load a route lazily, or use the kit in place of bundled code. If it needs the size, ask the platform’s team for a budget of its own (budgets.ts of their preflight), with the size and why.',
  }
}

function formatSizes(release: Release): string {
  const [weight, budget] = [measureWeight(release), getBudget(release.name)]
  return `${release.name}: first script ${weight.entry} of ${budget.entry} bytes, first page ${weight.firstRoute} of ${budget.firstRoute} (brotli)`
}

async function findAlteredForm(store: ReleaseStore, release: Release): Promise<CheckResult | undefined> {
  const fault = await findAlteredFile(store, release)
  return fault && { passed: false, says: fault.reason, cure: fault.cure }
}
