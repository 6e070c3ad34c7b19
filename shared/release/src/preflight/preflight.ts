import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import type { Release, ReleaseFile, Snapshot } from '@dmp/contract/release'
import { getBudget, measureWeight } from './budgets.ts'
import { findRouteCollisions, findUnmetNeeds, type Incompatibility } from './compatibility.ts'
import { partsOf } from '../move.ts'
import { toIntegrity } from '../publish.ts'
import { readRelease, releaseKey, type ReleaseStore } from '../store/ReleaseStore.ts'
import { addVerdict, toPairing, readVerdict, type Finding, type Verdict } from './verdicts.ts'

/** Composes a snapshot somewhere where nothing live is touched, and goes through it in a real browser. */
export type BrowserTrial = (
  snapshot: Snapshot,
  names: readonly string[],
) => Promise<{ readonly findings: readonly Finding[]; readonly report?: string }>

export interface PreflightOptions {
  readonly by: string
  readonly trial: BrowserTrial
}

type CheckResult = Omit<Finding, 'check' | 'seconds'>

const [unbrotli, unzip] = [promisify(brotliDecompress), promisify(gunzip)]

/** The verdict that is kept on these releases beside those others, or, where there is none, a new one. */
export async function getVerdict(
  store: ReleaseStore,
  snapshot: Snapshot,
  names: readonly string[],
  judging: PreflightOptions,
): Promise<Verdict> {
  return (await readVerdict(store, toPairing(snapshot, names))) ?? preflight(store, snapshot, names, judging)
}

/**
 * Tries whether the named releases of a snapshot could be live beside its others, and keeps the verdict. What the documents
 * and files say comes first; a browser is started only for what they do not already refuse.
 *
 * @param snapshot what would be live
 * @param names the parts that are new in it
 */
export async function preflight(
  store: ReleaseStore,
  snapshot: Snapshot,
  names: readonly string[],
  { by, trial }: PreflightOptions,
): Promise<Verdict> {
  const all = await Promise.all(partsOf(snapshot).map((ref) => readRelease(store, ref.name, ref.releaseId)))
  const findings: Finding[] = []
  for (const [check, find] of Object.entries(createChecks(store, all, names)))
    findings.push(await runCheck(check, find))
  const isFit = findings.every(({ passed }) => passed)
  const tried = isFit ? await trial(snapshot, names) : undefined
  findings.push(...(tried?.findings ?? []))
  const verdict: Verdict = {
    ...toPairing(snapshot, names),
    passed: findings.every(({ passed }) => passed),
    findings,
    by,
    at: new Date().toISOString(),
    ...(tried?.report === undefined ? {} : { report: tried.report }),
  }
  await addVerdict(store, verdict)
  return verdict
}

/** What a verdict speaks against, in the words of every other refusal. */
export function toIncompatibilities({ candidates, findings }: Verdict): Incompatibility[] {
  const who = candidates.map(({ name }) => name).join(', ')
  return findings
    .filter(({ passed }) => !passed)
    .map(({ check, says, cure }) => ({ parties: [who, check], reason: says, cure: cure ?? '' }))
}

async function runCheck(check: string, find: () => CheckResult | Promise<CheckResult>): Promise<Finding> {
  const began = performance.now()
  const found = await find()
  return { check, ...found, seconds: Math.round((performance.now() - began) / 100) / 10 }
}

function createChecks(
  store: ReleaseStore,
  all: readonly Release[],
  names: readonly string[],
): Readonly<Record<string, () => CheckResult | Promise<CheckResult>>> {
  const host = all.find(({ name }) => name === 'host')!
  const remotes = all.filter(({ name }) => name.startsWith('remote-'))
  const candidates = all.filter(({ name }) => names.includes(name))
  const concerns = ({ parties }: Incompatibility): boolean => parties.some((party) => names.includes(party))
  const first = (found: readonly Incompatibility[], otherwise: string): CheckResult => {
    const [refusal] = found.filter(concerns)
    return refusal === undefined
      ? { passed: true, says: otherwise }
      : { passed: false, says: refusal.reason, cure: refusal.cure }
  }
  return {
    needs: () =>
      first(
        remotes.flatMap((remote) => findUnmetNeeds(host, remote)),
        `The host ${host.releaseId} provides everything that is asked for.`,
      ),
    routes: () => first(findRouteCollisions([host, ...remotes]), 'No address is claimed twice.'),
    contract: () => firstFailure(candidates.map(findMissingExport), 'Everything is exposed that a remote must expose.'),
    budget: () => firstFailure(candidates.map(findExceededBudget), candidates.map(formatSizes).join('; ')),
    files: async () =>
      firstFailure(
        await Promise.all(candidates.map((release) => findAlteredFile(store, release))),
        `All ${candidates.reduce((sum, { files }) => sum + files.length, 0)} files came back as they were released.`,
      ),
  }
}

const firstFailure = (found: readonly (CheckResult | undefined)[], otherwise: string): CheckResult =>
  found.find((one) => one !== undefined) ?? { passed: true, says: otherwise }

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
  if (declaration.cards.length === 0 || chunks['./cards'] !== undefined) return undefined
  return {
    passed: false,
    says: `${name} declares the card ${declaration.cards[0]?.name} but does not expose ./cards.`,
    cure: 'Export each card by its name from src/cards.ts, or take it out of remote.json.',
  }
}

function findExceededBudget(release: Release): CheckResult | undefined {
  const [weight, budget] = [measureWeight(release), getBudget(release.name)]
  const over = (['entry', 'firstRoute'] as const).find((what) => weight[what] > budget[what])
  if (over === undefined) return undefined
  const what = over === 'entry' ? 'first script' : 'first page'
  return {
    passed: false,
    says: `The ${what} of ${release.name} weighs ${weight[over]} bytes (brotli); its budget is ${budget[over]}.`,
    cure: 'Load a route lazily or take from the kit what is built in; what is really needed is allowed in shared/release/src/preflight/budgets.ts.',
  }
}

function formatSizes(release: Release): string {
  const [weight, budget] = [measureWeight(release), getBudget(release.name)]
  return `${release.name}: first script ${weight.entry} of ${budget.entry} bytes, first page ${weight.firstRoute} of ${budget.firstRoute} (brotli)`
}

async function findAlteredFile(store: ReleaseStore, release: Release): Promise<CheckResult | undefined> {
  const wrong = await Promise.all(release.files.map((file) => findFault(store, release, file)))
  const found = wrong.find((one) => one !== undefined)
  return found === undefined
    ? undefined
    : {
        passed: false,
        says: `${found} It is not what release ${release.releaseId} of ${release.name} was made from.`,
        cure: `Remove ${store.location}/${release.name}/${release.releaseId} and publish ${release.name} again; find out who writes to the store.`,
      }
}

/** A file in each form that it may travel in. */
async function findFault(
  store: ReleaseStore,
  { name, releaseId }: Release,
  { path, integrity, bytes, gzip, brotli }: ReleaseFile,
): Promise<string | undefined> {
  const forms = [
    { ending: '', isKept: true, unpack: async (content: Buffer) => content },
    { ending: '.br', isKept: brotli < bytes, unpack: unbrotli },
    { ending: '.gz', isKept: gzip < bytes, unpack: unzip },
  ]
  for (const { ending, isKept, unpack } of forms) {
    if (!isKept) continue
    const content = await store.read(releaseKey(name, releaseId, `${path}${ending}`))
    if (content === undefined) return `${path}${ending} is missing.`
    const plain = await unpack(content).catch(() => undefined)
    if (plain === undefined) return `${path}${ending} cannot be unpacked.`
    if (toIntegrity(plain) !== integrity) return `${path}${ending} has another hash.`
  }
  return undefined
}
