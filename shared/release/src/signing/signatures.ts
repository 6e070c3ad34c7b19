import type { Release, ReleaseRef } from '@dmp/contract/release'
import type { Incompatibility } from '../preflight/compatibility.ts'
import { ReleaseRefused } from '../ReleaseRefused.ts'
import { findAlteredFile } from '../store/releaseFiles.ts'
import { readRelease, releaseKey, StoreError, type ReleaseStore } from '../store/ReleaseStore.ts'
import { openEnvelope } from './envelope.ts'
import { countingKeys, nameKeys, readPartKeys, type PartKeys, type ReleaseKey } from './releaseKeys.ts'
import { isAbout, type Provenance } from './statement.ts'

/** in-toto's type of a statement. */
export const statementType = 'application/vnd.in-toto+json'

/** A statement per key, so that a key that comes later adds its own. */
export const signatureKey = ({ name, releaseId }: ReleaseRef, keyId: string): string =>
  releaseKey(name, releaseId, `provenance.${keyId}.dsse.json`)

/** How far a release is to be trusted: by a key, as one that was live before the part had keys, or not at all. */
export type Trust =
  | { readonly by: 'key'; readonly key: ReleaseKey; readonly statement: Provenance }
  | { readonly by: 'history' }
  | { readonly by: 'nothing'; readonly problem: Incompatibility }
  /** The part has no keys, so its releases need no signature. */
  | { readonly by: 'nobody' }

/** Judges the signature of a release by the keys of its part; its files are not read. */
export async function findTrust(store: ReleaseStore, release: Release): Promise<Trust> {
  return judge(store, release, await readPartKeys(store, release.name))
}

async function judge(store: ReleaseStore, release: Release, partKeys: PartKeys | undefined): Promise<Trust> {
  if (partKeys === undefined) return { by: 'nobody' }
  const { keys, known } = partKeys
  const found = await Promise.all(keys.map(async (key) => ({ key, answer: await readSignature(store, release, key) })))
  const signed = found.flatMap(({ key, answer }) => (typeof answer === 'object' ? [{ key, statement: answer }] : []))
  const good = signed.find(({ key }) => !key.revoked || key.known.has(release.releaseId))
  if (good) return { by: 'key', ...good }
  if (known.has(release.releaseId)) return { by: 'history' }
  const { name, releaseId } = release
  const reason =
    signed.length > 0
      ? `Release ${releaseId} of ${name} is signed by ${nameKeys(signed.map(({ key }) => key))} alone, which was revoked before the release went live.`
      : found.some(({ answer }) => answer === 'wrong')
        ? `The signature of release ${releaseId} of ${name} does not fit: the release or the signature was altered, or another key made it.`
        : `Release ${releaseId} of ${name} is not signed by a key of ${name}.`
  return {
    by: 'nothing',
    problem: {
      parties: [name, 'signature'],
      reason,
      cure:
        countingKeys(keys).length === 0
          ? `All keys of ${name} are revoked: have another registered, and publish it again with that.`
          : `Publish it again from its sources with DMP_RELEASE_KEY set to ${nameKeys(countingKeys(keys))}.`,
    },
  }
}

async function readSignature(
  store: ReleaseStore,
  release: Release,
  key: ReleaseKey,
): Promise<Provenance | 'wrong' | undefined> {
  const content = await store.read(signatureKey(release, key.keyId))
  if (content === undefined) return undefined
  const opened = openEnvelope(statementType, content)
  return opened?.isSignedBy(key) && isAbout(opened.value, release) ? opened.value : 'wrong'
}

/** Judges signature and files, the files only of what is signed or has to be. */
async function judgeWhole(store: ReleaseStore, release: Release, keys: PartKeys | undefined): Promise<Trust> {
  const trust = await judge(store, release, keys)
  if (trust.by === 'nobody' || trust.by === 'nothing') return trust
  const fault = await findAlteredFile(store, release)
  return fault ? { by: 'nothing', problem: { parties: [release.name, 'signature'], ...fault } } : trust
}

/** Throws `ReleaseRefused` where one of the releases is of a part with keys and not as one of them signed it. */
export async function assertTrusted(store: ReleaseStore, releases: readonly ReleaseRef[]): Promise<void> {
  const trusts = await Promise.all(
    releases.map(async ({ name, releaseId }) => {
      const keys = await readPartKeys(store, name)
      return keys && judgeWhole(store, await readRelease(store, name, releaseId), keys)
    }),
  )
  const problems = trusts.flatMap((trust) => (trust?.by === 'nothing' ? [trust.problem] : []))
  if (problems.length > 0) throw new ReleaseRefused(problems)
}

interface Judged {
  readonly head: string
  readonly at: number
  readonly trust: Promise<Trust>
}

const judgedByStore = new WeakMap<ReleaseStore, Map<string, Judged>>()
const retryMs = 1000

/**
 * Reads a release that pages may run: once judged well by the keys of its part it stays so until these change. One that
 * was refused is judged again after a second, so that pages that ask for it cost no more than that.
 */
export async function readTrustedRelease(store: ReleaseStore, part: string, releaseId: string): Promise<Release> {
  const [release, keys] = await Promise.all([readRelease(store, part, releaseId), readPartKeys(store, part)])
  if (keys === undefined) return release
  const trust = await judgeOnce(store, release, keys)
  if (trust.by !== 'nothing') return release
  throw new StoreError(`${trust.problem.reason} It is not used. ${trust.problem.cure}`)
}

async function judgeOnce(store: ReleaseStore, release: Release, keys: PartKeys): Promise<Trust> {
  const judged = judgedByStore.get(store) ?? new Map<string, Judged>()
  judgedByStore.set(store, judged)
  const key = `${release.name}/${release.releaseId}`
  const earlier = judged.get(key)
  if (earlier?.head === keys.head) {
    const trust = await earlier.trust
    if (trust.by !== 'nothing' || Date.now() - earlier.at < retryMs) return trust
  }
  const trust = judgeWhole(store, release, keys)
  judged.set(key, { head: keys.head, at: Date.now(), trust })
  trust.catch(() => judged.delete(key))
  return trust
}
