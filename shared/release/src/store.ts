import { mkdirSync, readdirSync, readFileSync, existsSync } from 'node:fs'
import { link, mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { createHash, randomUUID } from 'node:crypto'
import path from 'node:path'
import { Registry, Release, Snapshot } from '@dmp/contract/release'
import * as v from 'valibot'

/**
 * A folder that holds releases, snapshots and the registry:
 *
 *     <store>/<part>/<releaseId>/…files, each with .br and .gz beside it, and release.json
 *     <store>/snapshots/<snapshotId>.json
 *     <store>/registry/<version>.json      the highest version is the registry
 *
 * Nothing in it is ever changed, only added: several processes and machines may read and write the same folder.
 */
export interface Store {
  readonly folder: string
}

/** The store is damaged or lacks what was asked for; the message says what and how to mend it. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

/** Somebody else moved the registry first; read it again and decide again. */
export class RegistryConflict extends Error {
  override readonly name = 'RegistryConflict'
}

const keptVersions = 100

/** Opens (and where needed makes) the store in a folder. */
export function openStore(folder: string): Store {
  for (const room of ['snapshots', 'registry']) mkdirSync(path.join(folder, room), { recursive: true })
  return { folder }
}

/** Folder of one release's files. */
export const releaseFolder = (store: Store, name: string, releaseId: string): string => path.join(store.folder, name, releaseId)

/** The release's own document. Throws `StoreError` where there is none. */
export function readRelease(store: Store, name: string, releaseId: string): Release {
  return read(Release, path.join(releaseFolder(store, name, releaseId), 'release.json'), `release ${releaseId} of ${name}`)
}

export const hasRelease = (store: Store, name: string, releaseId: string): boolean => existsSync(path.join(releaseFolder(store, name, releaseId), 'release.json'))

/** All releases of a part, newest first. */
export function releasesOf(store: Store, name: string): Release[] {
  const folder = path.join(store.folder, name)
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .filter((releaseId) => hasRelease(store, name, releaseId))
    .map((releaseId) => readRelease(store, name, releaseId))
    .sort((a, b) => b.publishedAt.localeCompare(a.publishedAt))
}

export const readSnapshot = (store: Store, id: string): Snapshot => read(Snapshot, path.join(store.folder, 'snapshots', `${id}.json`), `snapshot ${id}`)

/** Adds a snapshot and answers its name, which is made from its content. */
export async function writeSnapshot(store: Store, snapshot: Snapshot): Promise<string> {
  const text = `${JSON.stringify(v.parse(Snapshot, snapshot))}\n`
  const id = createHash('sha256').update(text).digest('hex').slice(0, 16)
  const file = path.join(store.folder, 'snapshots', `${id}.json`)
  if (!existsSync(file)) await place(file, text, rename)
  return id
}

/** Version of the registry as it is now; 0 where nothing was ever activated. Cheap enough to ask at every page. */
export function registryVersion(store: Store): number {
  const versions = readdirSync(path.join(store.folder, 'registry')).map((name) => (/^\d+\.json$/.test(name) ? Number.parseInt(name, 10) : 0))
  return Math.max(0, ...versions)
}

/** The registry as it is now, or undefined where nothing was ever activated. */
export function readRegistry(store: Store): Registry | undefined {
  const version = registryVersion(store)
  return version === 0 ? undefined : read(Registry, registryFile(store, version), `registry version ${version}`)
}

/**
 * Replaces the registry, if it still is the version that the change was made from (`next.version - 1`).
 * Throws `RegistryConflict` otherwise. All or nothing, also when the process dies in the middle.
 */
export async function swapRegistry(store: Store, next: Registry): Promise<void> {
  const text = `${JSON.stringify(v.parse(Registry, next), null, 1)}\n`
  if (registryVersion(store) !== next.version - 1) throw new RegistryConflict(`The registry is no longer at version ${next.version - 1}.`)
  try {
    // A hard link to a finished file is made only if the name is free: that is the comparison and the setting in one step.
    await place(registryFile(store, next.version), text, async (from, to) => { await link(from, to); await unlink(from) })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw new RegistryConflict(`The registry is no longer at version ${next.version - 1}.`)
    throw error
  }
  await rm(registryFile(store, next.version - keptVersions), { force: true })
}

const registryFile = (store: Store, version: number): string => path.join(store.folder, 'registry', `${version}.json`)

/** Writes a file whole and on disk before it gets its name. */
async function place(file: string, text: string, move: (from: string, to: string) => Promise<void>): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true })
  const unfinished = `${file}.${randomUUID()}.unfinished`
  const handle = await open(unfinished, 'wx')
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  try {
    await move(unfinished, file)
  } finally {
    await rm(unfinished, { force: true })
  }
}

function read<S extends v.GenericSchema>(schema: S, file: string, what: string): v.InferOutput<S> {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    throw new StoreError(`The release store has no ${what} (${file}). Publish and activate it again.`)
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new StoreError(`The document of ${what} is not JSON (${file}). Delete it and publish again.`)
  }
  const result = v.safeParse(schema, value)
  if (!result.success) throw new StoreError(`The document of ${what} does not fit this version of the product (${file}): ${result.issues[0].message}`)
  return result.output
}
