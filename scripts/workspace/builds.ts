import { randomUUID } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { listStaleParts } from '../../shared/build/src/buildCache.ts'
import { listParts } from '../../shared/build/src/workspace.ts'
import { node, runProcess } from './runProcess.ts'
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

/** Builds what is stale; nothing is loaded where nothing is. */
export async function buildStale(options: string[] = []): Promise<void> {
  if (options.length === 0 && listStaleParts(listParts(), 'production').length === 0) return
  console.log('Building what changed …')
  const { code, seconds } = await runProcess(node, [
    '--disable-warning=ExperimentalWarning',
    join(root, 'shared/build/src/cli.ts'),
    ...options,
  ])
  if (code !== 0) throw new Error('The build failed; the output above says where. Nothing was published.')
  console.log(`Built in ${seconds.toFixed(1)} s.`)
}

/** Makes the builds of this checkout live in the release registry that is served. */
export async function publishBuilt(): Promise<void> {
  const {
    isBucketAddress,
    listReleaseRefs,
    openFolderStore,
    openStore,
    publishAll,
    readSigner,
    readSnapshot,
    toBucketAccess,
  } = await import('../../shared/release/src/index.ts')
  const store = releaseStoreLocation()
  const signer = readSigner(process.env)
  if (isBucketAddress(store)) {
    await publishAll(openStore(store, toBucketAccess(process.env)), undefined, signer)
    return
  }
  const { live } = await publishAll(checkoutStore)
  for (const { name, releaseId } of listReleaseRefs(await readSnapshot(openFolderStore(checkoutStore), live))) {
    const to = join(store, name, releaseId)
    if (!existsSync(to)) copyAtomically(join(checkoutStore, name, releaseId), to)
  }
  await publishAll(store, undefined, signer)
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
