import { mkdir, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { ReleaseRef, Snapshot } from '../../shared/contract/src/release.ts'
import {
  openFolderStore,
  listReleaseRefs,
  readRelease,
  registryVersion,
  releaseKey,
  replaceReleases,
  swapRegistry,
  type FolderStore,
  type ReleaseStore,
} from '../../shared/release/src/index.ts'
import { writeSnapshot } from '../../shared/release/src/store/ReleaseStore.ts'
import { startDemoServer, type DemoServer } from '../journeys/demoServer.ts'

export interface TemporaryServer extends DemoServer {
  readonly store: FolderStore
  /** The next page gets exactly these releases. */
  show(parts: readonly ReleaseRef[]): Promise<void>
}

/** A product with demo data, a folder and a registry of its own, that serves exactly the releases of a snapshot. */
export async function startTemporaryServer(
  from: ReleaseStore,
  snapshot: Snapshot,
  more: readonly ReleaseRef[] = [],
): Promise<TemporaryServer> {
  let store: FolderStore | undefined
  const product = await startDemoServer({ DMP_LOG_LEVEL: 'error' }, async (folder) => {
    store = openFolderStore(join(folder, 'releases'))
    for (const ref of [...listReleaseRefs(snapshot), ...more]) await copyRelease(from, store, ref)
    await show(store, listReleaseRefs(snapshot), snapshot.guests)
  })
  const own = store as FolderStore
  return { ...product, store: own, show: (parts) => show(own, parts, snapshot.guests) }
}

/** Without releases to fall back to: what is tried has to work by itself. */
async function show(store: ReleaseStore, parts: readonly ReleaseRef[], guests?: string[]): Promise<void> {
  const snapshot = {
    ...replaceReleases(
      undefined,
      parts.map(({ name, releaseId }) => ({ name, releaseId })),
    ),
    ...(guests === undefined ? {} : { guests }),
  }
  const version = (await registryVersion(store)) + 1
  const live = await writeSnapshot(store, snapshot)
  const entry = {
    version,
    snapshot: live,
    change: 'activate' as const,
    parts: parts.map(({ name }) => name),
    by: 'trial',
    at: new Date().toISOString(),
  }
  await swapRegistry(store, { version, live, history: [entry] })
}

/** Releases never change, so a link is as good as a copy; out of a bucket they are copied. */
async function copyRelease(from: ReleaseStore, to: FolderStore, { name, releaseId }: ReleaseRef): Promise<void> {
  if ('folder' in from) {
    const there = join(to.folder, name, releaseId)
    await mkdir(dirname(there), { recursive: true })
    await symlink(join((from as FolderStore).folder, name, releaseId), there, 'junction').catch(unlessThere)
    return
  }
  const { files } = await readRelease(from, name, releaseId)
  for (const file of [...files.flatMap(({ path }) => [path, `${path}.br`, `${path}.gz`]), 'release.json']) {
    const key = releaseKey(name, releaseId, file)
    const content = await from.read(key)
    if (content) await to.add(key, content)
  }
}

function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
