import { calls } from '@dmp/contract/calls'
import type { ReleaseRef, Snapshot } from '@dmp/contract/release'
import type { JudgedRelease, Judgement } from '@dmp/contract/releaseDoor'
import { checkCompatibility, listReleaseRefs, replaceReleases } from '@dmp/release/move'
import { toCallShapes } from '@dmp/release/preflight/calls'
import { isAboutQuality, judgeDocuments, toJudgement } from '@dmp/release/preflight/preflight'
import { readVerdict, toPairing } from '@dmp/release/preflight/verdicts'
import { findTrust } from '@dmp/release/signing/signatures'
import { readRegistry, readRelease, readSnapshot, StoreError, type ReleaseStore } from '@dmp/release/store/ReleaseStore'
import type { Viewer } from '../../../core/context.ts'
import { FairTurns } from '../../../core/fairTurns.ts'
import { withoutPlace } from '../refuseStore.ts'

/** The calls that this server answers. */
export const answeredCalls = toCallShapes(calls)

/**
 * The platform's own judgement of a stored release beside what is live now, by this server's rules and calls. The trial
 * in a browser is one that the platform's team ran; its verdict lies in the store, where no team can write.
 */
export const judgeRelease = (
  store: ReleaseStore,
  { organizationId, userId }: Viewer,
  release: Pick<ReleaseRef, 'name' | 'releaseId'>,
): Promise<JudgedRelease> => turns.run({ customer: organizationId, person: userId }, () => judgeNow(store, release))

/** Each reads and unpacks every file of a release. */
const turns = new FairTurns({
  atOnce: 2,
  perCustomer: 2,
  perPerson: 1,
  waitingPerPerson: 8,
  waitingInAll: 200,
})

async function judgeNow(
  store: ReleaseStore,
  { name, releaseId }: Pick<ReleaseRef, 'name' | 'releaseId'>,
): Promise<JudgedRelease> {
  const release = await readRelease(store, name, releaseId)
  const live = await readLive(store)
  const isLive = listReleaseRefs(live).some((ref) => ref.name === name && ref.releaseId === releaseId)
  const snapshot = replaceReleases(live, [{ name, releaseId }])
  const trust = await findTrust(store, release)
  const findings: Judgement[] = [
    ...(await judgeDocuments(store, snapshot, [name], answeredCalls)).map(toJudgement),
    trust.by === 'nothing'
      ? { check: 'signature', passed: false, says: trust.problem.reason, cure: trust.problem.cure }
      : { check: 'signature', passed: true, says: sayTrust(name, trust), cure: null },
    ...(isLive ? [] : await findTrial(store, snapshot, name, releaseId)),
  ]
  return {
    part: name,
    releaseId,
    passed: findings.every(({ passed }) => passed),
    findings: findings.map(({ says, cure, ...finding }) => ({
      ...finding,
      says: withoutPlace(store, says),
      cure: cure && withoutPlace(store, cure),
    })),
  }
}

/**
 * What keeps a release from going live; with a reason to go unchecked, what no reason goes around: only the trial in a
 * browser and the weights can be left out.
 */
export async function findObstacles(
  store: ReleaseStore,
  viewer: Viewer,
  ref: Pick<ReleaseRef, 'name' | 'releaseId'>,
  isUnchecked: boolean,
): Promise<Judgement[]> {
  return listObstacles(store, ref, await judgeRelease(store, viewer, ref), isUnchecked)
}

/** The same of a judgement that was made. */
export async function listObstacles(
  store: ReleaseStore,
  ref: Pick<ReleaseRef, 'name' | 'releaseId'>,
  { findings }: JudgedRelease,
  isUnchecked: boolean,
): Promise<Judgement[]> {
  const failed = findings.filter((finding) => !finding.passed && !(isUnchecked && isAboutQuality(finding)))
  if (failed.length > 0) return failed
  // All that pages could get together, canaries of other parts included, is compared once more by the move itself.
  const problems = await checkCompatibility(store, replaceReleases(await readLive(store), [ref]))
  return problems.map(({ reason, cure }) => ({ check: 'needs', passed: false, says: reason, cure }))
}

/** Whether people get this release: it is live or a canary. */
export async function isOffered(store: ReleaseStore, part: string, releaseId: string): Promise<boolean> {
  const registry = await readRegistry(store)
  const offered = registry
    ? [...listReleaseRefs(await readSnapshot(store, registry.live)), ...(registry.canaries ?? [])]
    : []
  return offered.some((ref) => ref.name === part && ref.releaseId === releaseId)
}

export async function readLive(store: ReleaseStore): Promise<Snapshot> {
  const registry = await readRegistry(store)
  if (registry === undefined) throw new StoreError('Nothing is live on this server yet.')
  return readSnapshot(store, registry.live)
}

const sayTrust = (part: string, { by }: Awaited<ReturnType<typeof findTrust>>): string =>
  by === 'nobody' ? `${part} has no release keys, so its releases need no signature.` : 'It is signed as its part asks.'

/** The verdict of the platform's team on this release beside the very releases that are live. */
async function findTrial(
  store: ReleaseStore,
  snapshot: Snapshot,
  part: string,
  releaseId: string,
): Promise<Judgement[]> {
  const verdict = await readVerdict(store, toPairing(snapshot, [part]))
  const tried = verdict?.findings.filter(({ check }) => /^(?:journey|accessibility|looks) /.test(check)) ?? []
  if (tried.length > 0) return tried.map(toJudgement)
  return [
    {
      check: `journey ${part}`,
      passed: false,
      says: `${part} was not tried in a browser beside what is live now.`,
      cure: `The platform's team tries it: npm run release -- check ${part} --release ${releaseId}. Then do this again.`,
    },
  ]
}
