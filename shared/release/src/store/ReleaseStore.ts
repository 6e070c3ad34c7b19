import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { Registry, Release, Snapshot } from '@dmp/contract/release'
import * as v from 'valibot'

/**
 * Where releases, snapshots and the registry lie: a folder (`openStore`) or a bucket.
 *
 *     <part>/<releaseId>/…files, each with .br and .gz beside it, and release.json, written last
 *     snapshots/<snapshotId>.json
 *     registry/<version>.json      the highest version is the registry
 *
 * Nothing in it is ever changed, only added: several processes and machines may read and write the same store.
 */
export interface ReleaseStore {
  /** For messages: the folder, or the bucket's address. */
  readonly location: string
  /** What lies under a key; undefined where nothing does. */
  read(key: string): Promise<Buffer | undefined>
  /** The same without holding all of it at once. */
  stream(key: string): Promise<Readable | undefined>
  /** Adds a thing as a whole; false, and nothing done, where the key is taken: comparing and setting in one step. */
  add(key: string, content: Uint8Array): Promise<boolean>
  /** Names directly below a key. */
  list(key: string): Promise<string[]>
  /** Removing what is not there is no error. */
  remove(key: string): Promise<void>
}

/** The store is damaged or lacks what was asked for; the message says what and how to mend it. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Somebody else moved the registry first; read it again and decide again. */
export class RegistryConflict extends Error {
  override readonly name = 'RegistryConflict'
}

/** What was to be changed is no longer there: somebody decided on it before. Nothing was done. */
export class Superseded extends Error {
  override readonly name = 'Superseded'
}

const maxVersions = 100

/** Key of a file of a release. */
export const releaseKey = (name: string, releaseId: string, file: string): string => `${name}/${releaseId}/${file}`

/** The release's own document. Throws `StoreError` where there is none. */
export function readRelease(store: ReleaseStore, name: string, releaseId: string): Promise<Release> {
  return readDocument(store, Release, releaseKey(name, releaseId, 'release.json'), `release ${releaseId} of ${name}`)
}

/** A release is there once its own document is: it is written last. */
export const hasRelease = async (store: ReleaseStore, name: string, releaseId: string): Promise<boolean> =>
  (await store.read(releaseKey(name, releaseId, 'release.json'))) !== undefined

/** All releases of a part, newest first. */
export async function listReleases(store: ReleaseStore, name: string): Promise<Release[]> {
  const names = (await store.list(name)).filter((releaseId) => /^[0-9a-f]{16}$/.test(releaseId))
  const found = await Promise.all(
    names.map(async (releaseId) =>
      (await hasRelease(store, name, releaseId)) ? readRelease(store, name, releaseId) : undefined,
    ),
  )
  return found.filter((release) => release !== undefined).sort((a, b) => b.publishedAt.localeCompare(a.publishedAt))
}

export const readSnapshot = (store: ReleaseStore, id: string): Promise<Snapshot> =>
  readDocument(store, Snapshot, `snapshots/${id}.json`, `snapshot ${id}`)

/** The name of a snapshot is made from its content. */
export const snapshotId = (snapshot: Snapshot): string =>
  createHash('sha256').update(formatSnapshot(snapshot)).digest('hex').slice(0, 16)

const formatSnapshot = (snapshot: Snapshot): string => `${JSON.stringify(v.parse(Snapshot, snapshot))}\n`

/** Adds a snapshot and answers its name. */
export async function writeSnapshot(store: ReleaseStore, snapshot: Snapshot): Promise<string> {
  const id = snapshotId(snapshot)
  await store.add(`snapshots/${id}.json`, Buffer.from(formatSnapshot(snapshot)))
  return id
}

/** Version of the registry as it is now; 0 where nothing was ever activated. */
export async function registryVersion(store: ReleaseStore): Promise<number> {
  const versions = (await store.list('registry')).map((name) =>
    /^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : 0,
  )
  return Math.max(0, ...versions)
}

/** The registry as it is now, or undefined where nothing was ever activated. */
export async function readRegistry(store: ReleaseStore): Promise<Registry | undefined> {
  const version = await registryVersion(store)
  return version === 0 ? undefined : readDocument(store, Registry, registryKey(version), `registry version ${version}`)
}

/**
 * Replaces the registry, if it still is the version that the change was made from (`next.version - 1`).
 * Throws `RegistryConflict` otherwise. All or nothing, also when the process dies in the middle.
 */
export async function swapRegistry(store: ReleaseStore, next: Registry): Promise<void> {
  const text = `${JSON.stringify(v.parse(Registry, next), null, 1)}\n`
  const isStill = (await registryVersion(store)) === next.version - 1
  if (!isStill || !(await store.add(registryKey(next.version), Buffer.from(text))))
    throw new RegistryConflict(`The registry is no longer at version ${next.version - 1}.`)
  await store.remove(registryKey(next.version - maxVersions))
}

const registryKey = (version: number): string => `registry/${version}.json`

async function readDocument<S extends v.GenericSchema>(
  store: ReleaseStore,
  schema: S,
  key: string,
  what: string,
): Promise<v.InferOutput<S>> {
  const where = `${store.location}/${key}`
  const content = await store.read(key)
  if (content === undefined)
    throw new StoreError(`The release store has no ${what} (${where}). Publish and activate it again.`)
  let value: unknown
  try {
    value = JSON.parse(content.toString('utf8'))
  } catch {
    throw new StoreError(`The document of ${what} is not JSON (${where}). Delete it and publish again.`)
  }
  const result = v.safeParse(schema, value)
  if (!result.success)
    throw new StoreError(
      `The document of ${what} does not fit this version of the product (${where}): ${result.issues[0].message}`,
    )
  return result.output
}
