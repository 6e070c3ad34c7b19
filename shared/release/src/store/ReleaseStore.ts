import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Registry, Release, Snapshot } from '@dmp/contract/release'
import * as v from 'valibot'
import { createReleaseId } from './releaseId.ts'

/**
 * Where releases, snapshots and the registry lie: a folder (`openStore`) or a bucket.
 *
 *     <part>/<releaseId>/…files, each with .br and .gz beside it, and release.json, written last
 *     snapshots/<snapshotId>.json
 *     registry/<version>.json      the highest version counts
 *
 * Things are added, never changed, so several processes and machines may share a store.
 */
export interface ReleaseStore {
  /** For messages: the folder, or the bucket's address. */
  readonly location: string
  /** Returns the content under a key; undefined if there is none. */
  read(key: string): Promise<Buffer | undefined>
  /** The same as a stream, without holding all of it in memory. */
  stream(key: string): Promise<Readable | undefined>
  /** Adds content in one step; returns false, and does nothing, if the key is taken. */
  add(key: string, content: Uint8Array): Promise<boolean>
  /** Names directly below a key. */
  list(key: string): Promise<string[]>
  /** Does nothing if the key is free. */
  remove(key: string): Promise<void>
}

/** The store is damaged or incomplete; the message says what is wrong and how to repair it. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** For `catch`: what cannot be read, or is not to be trusted, is undefined. */
export function unlessDamaged(error: unknown): undefined {
  if (!(error instanceof StoreError)) throw error
}

/** Another writer moved the registry first: read it again and decide again. */
export class RegistryConflict extends Error {
  override readonly name = 'RegistryConflict'
}

/** Another change came first; nothing was done. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

const maxVersions = 100

/** Key of a file of a release. */
export const releaseKey = (part: string, releaseId: string, file: string): string => `${part}/${releaseId}/${file}`

/**
 * Reads a release's document. Throws `StoreError` if there is none, or if its content does not have the name that it
 * lies under: then somebody changed it after it was published.
 */
export async function readRelease(store: ReleaseStore, part: string, releaseId: string): Promise<Release> {
  const key = releaseKey(part, releaseId, 'release.json')
  const release = await readDocument(store, Release, key, `release ${releaseId} of ${part}`)
  const { releaseId: named, files, commit: _commit, publishedAt: _publishedAt, ...record } = release
  const content = createReleaseId(record, files)
  if (release.name === part && named === releaseId && content === releaseId) return release
  throw new StoreError(
    `Release ${releaseId} of ${part} was altered after it was published: its content is ${release.name} ${content} (${store.location}/${key}). It is not used. Make another release live, remove this one from the store, and find out who writes to it.`,
  )
}

/** A release is complete once its document is there, because that is written last. */
export const hasRelease = async (store: ReleaseStore, part: string, releaseId: string): Promise<boolean> =>
  (await store.read(releaseKey(part, releaseId, 'release.json'))) !== undefined

/** All releases of a part, newest first. */
export async function listReleases(store: ReleaseStore, part: string): Promise<Release[]> {
  const releaseIds = (await store.list(part)).filter((releaseId) => /^[0-9a-f]{16}$/.test(releaseId))
  const releases = await Promise.all(
    releaseIds.map(async (releaseId) =>
      (await hasRelease(store, part, releaseId)) ? readRelease(store, part, releaseId) : undefined,
    ),
  )
  return releases.filter((release) => release !== undefined).sort((a, b) => b.publishedAt.localeCompare(a.publishedAt))
}

export const readSnapshot = (store: ReleaseStore, id: string): Promise<Snapshot> =>
  readDocument(store, Snapshot, `snapshots/${id}.json`, `snapshot ${id}`)

/** A snapshot's id is a hash of its content. */
export const snapshotId = (snapshot: Snapshot): string =>
  createHash('sha256').update(formatSnapshot(snapshot)).digest('hex').slice(0, 16)

const formatSnapshot = (snapshot: Snapshot): string => `${JSON.stringify(v.parse(Snapshot, snapshot))}\n`

/** Adds a snapshot and returns its id. */
export async function writeSnapshot(store: ReleaseStore, snapshot: Snapshot): Promise<string> {
  const id = snapshotId(snapshot)
  await store.add(`snapshots/${id}.json`, Buffer.from(formatSnapshot(snapshot)))
  return id
}

/** The registry's current version; 0 if nothing was ever activated. */
export async function registryVersion(store: ReleaseStore): Promise<number> {
  const versions = (await store.list('registry')).map((name) =>
    /^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : 0,
  )
  return Math.max(0, ...versions)
}

/** The current registry; undefined if nothing was ever activated. */
export async function readRegistry(store: ReleaseStore): Promise<Registry | undefined> {
  const version = await registryVersion(store)
  return version === 0 ? undefined : readDocument(store, Registry, registryKey(version), `registry version ${version}`)
}

/**
 * Replaces the registry if it is still the version that the change started from (`next.version - 1`), otherwise throws
 * `RegistryConflict`. Either way it is complete, even if the process dies.
 */
export async function swapRegistry(store: ReleaseStore, next: Registry): Promise<void> {
  const text = `${JSON.stringify(v.parse(Registry, next), null, 1)}\n`
  const isUnchanged = (await registryVersion(store)) === next.version - 1
  if (!isUnchanged || !(await store.add(registryKey(next.version), Buffer.from(text))))
    throw new RegistryConflict(
      `The registry is no longer at version ${next.version - 1}: someone else changed it. Try again.`,
    )
  await store.remove(registryKey(next.version - maxVersions))
}

const registryKey = (version: number): string => `registry/${version}.json`

async function readDocument<S extends v.GenericSchema>(
  store: ReleaseStore,
  schema: S,
  key: string,
  description: string,
): Promise<v.InferOutput<S>> {
  const address = `${store.location}/${key}`
  const content = await store.read(key)
  if (content === undefined)
    throw new StoreError(`The release store has no ${description} (${address}). Publish and activate it again.`)
  let value: unknown
  try {
    value = JSON.parse(content.toString('utf8'))
  } catch {
    throw new StoreError(`The document of ${description} is not JSON (${address}). Delete it and publish again.`)
  }
  const result = v.safeParse(schema, value)
  if (!result.success)
    throw new StoreError(
      `The document of ${description} does not fit this version of the product (${address}): ${result.issues[0].message}`,
    )
  return result.output
}
