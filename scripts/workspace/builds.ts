import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { listStaleParts } from '../../shared/build/src/buildCache.ts'
import { listParts } from '../../shared/build/src/workspace.ts'
import { buildInLanes } from './buildInLanes.ts'
import { root } from './files.ts'

/** Everything that the product writes lives under this folder. */
export const dataFolder = (): string => resolve(root, process.env.DMP_DATA_DIR?.trim() || '.data')

/** Folder or bucket of the releases that are served. */
export function releaseStoreLocation(): string {
  const releaseStore = process.env.DMP_RELEASES?.trim()
  if (!releaseStore) return join(dataFolder(), 'releases')
  return releaseStore.startsWith('s3://') ? releaseStore : resolve(root, releaseStore)
}

/** Releases of this checkout, compressed once, whatever data folder they are then published to. */
export const checkoutStore = join(root, '.cache', 'releases')

/** Builds what is stale, of these parts or of all; nothing is loaded where nothing is. */
export async function buildStale(only?: readonly string[]): Promise<void> {
  const stale = listStale(only)
  if (stale.length === 0) return
  console.log(`Building ${stale.join(', ')} …`)
  const began = performance.now()
  await buildInLanes(stale, { store: checkoutStore })
  console.log(`Built in ${((performance.now() - began) / 1000).toFixed(1)} s.`)
}

/** Names of the parts whose `dist/` was not made from the sources as they are, those that take longest first. */
export function listStale(only?: readonly string[]): string[] {
  const parts = listParts().filter(({ name }) => only?.includes(name) ?? true)
  return listStaleParts(parts, 'production')
    .map(({ name }) => name)
    .sort((a, b) => Number(slow.includes(b)) - Number(slow.includes(a)))
}

/** Names of the host and the remotes: what a page of the product is made of. */
export const listPartsOfPage = (): string[] =>
  listParts()
    .filter(({ kind }) => kind !== 'viewer')
    .map(({ name }) => name)

const slow = ['viewer', 'host', 'remote-scan']

/**
 * Makes builds of this checkout live in the release registry that is served, in one move.
 *
 * @param only parts; the others stay as they are
 */
export async function publishBuilt(only?: readonly string[]): Promise<void> {
  const {
    addDrawn,
    drawPages,
    toBucketAccess,
    isBucketAddress,
    openFolderStore,
    activate,
    mapsLocation,
    publishParts,
    openStore,
    readSigner,
  } = await import('../../shared/release/src/index.ts')
  const signer = readSigner(process.env)
  const location = releaseStoreLocation()
  const store = openStore(location, toBucketAccess(process.env))
  const kept = isBucketAddress(location) ? store : openFolderStore(checkoutStore)
  const parts = await publishParts(kept, { only, ...(kept === store && { signer }) })
  for (const release of kept === store ? [] : parts)
    copyMissing([join(release.name, release.releaseId), mapsLocation(release)], checkoutStore, location)
  // They lie there; what is missing is their signature.
  if (signer && kept !== store) await publishParts(store, { only, signer })
  const drawn = await drawPages(kept, parts, { ...(kept === store && { signer }), log: console.warn })
  for (const pages of kept === store ? [] : drawn) await addDrawn(store, pages, signer)
  await activate(store, { parts }, { by: 'local build' })
}

/** Copies those folders of one store that the other lacks; a release of an earlier build has no maps. */
export function copyMissing(folders: readonly string[], from: string, to: string): void {
  for (const folder of folders)
    if (existsSync(join(from, folder)) && !existsSync(join(to, folder)))
      copyAtomically(join(from, folder), join(to, folder))
}

/** A release is there as a whole or not at all, whenever this process is ended. */
export function copyAtomically(from: string, to: string): void {
  const unfinished = join(dirname(to), `.${randomUUID()}`)
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, unfinished, { recursive: true })
  try {
    renameSync(unfinished, to)
  } catch (error) {
    // Another start on the same folder published the same content first.
    if (!existsSync(to)) throw error
    rmSync(unfinished, { recursive: true, force: true })
  }
}

/** Nothing was ever made live there. */
export async function isRegistryEmpty(): Promise<boolean> {
  const { toBucketAccess, registryVersion, openStore } = await import('../../shared/release/src/index.ts')
  return (await registryVersion(openStore(releaseStoreLocation(), toBucketAccess(process.env)))) === 0
}
