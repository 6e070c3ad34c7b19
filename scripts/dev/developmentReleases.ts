import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { BuildRecord, Release } from '../../shared/contract/src/release.ts'
import { listLanguages } from '../../shared/build/src/catalogues.ts'
import { listParts } from '../../shared/build/src/workspace.ts'
import { activate, openFolderStore, releaseKey, toIntegrity } from '../../shared/release/src/index.ts'
import { createReleaseId } from '../../shared/release/src/store/releaseId.ts'
import { dataFolder } from '../workspace/builds.ts'

export interface DevelopmentReleases {
  /** Where they lie, for `DMP_RELEASES`. */
  readonly folder: string
  /** Makes what was compiled live, if what pages have to know of it has changed. */
  readonly publish: (records: readonly BuildRecord[]) => Promise<void>
}

/**
 * A release store of its own for `npm run dev`: it tells the server which files a page needs, and the development
 * server has those files. What `npm start` published stays as it is.
 */
export function openDevelopmentReleases(): DevelopmentReleases {
  const folder = join(dataFolder(), 'development')
  rmSync(folder, { recursive: true, force: true })
  const store = openFolderStore(folder)
  const publish = async (records: readonly BuildRecord[]): Promise<void> => {
    const releases = records.map(toRelease)
    for (const release of releases)
      await store.add(
        releaseKey(release.name, release.releaseId, 'release.json'),
        Buffer.from(`${JSON.stringify(release)}\n`),
      )
    const parts = releases.map(({ name, releaseId }) => ({ name, releaseId }))
    if (parts.length > 0) await activate(store, { parts }, { by: 'npm run dev' })
  }
  return { folder, publish }
}

/** The hashes are of names: contents change under them. */
function toRelease(record: BuildRecord): Release {
  const part = listParts().find(({ name }) => name === record.name)
  const texts = part ? listLanguages(part.folder).map((language) => `texts/${language}.json`) : []
  const names = new Set([record.entry, ...record.initial, ...Object.values(record.chunks).flat(), ...texts])
  const files = [...names].map((path) => ({
    path,
    integrity: toIntegrity(Buffer.from(path)),
    bytes: 0,
    gzip: 0,
    brotli: 0,
  }))
  const releaseId = createReleaseId(record, files)
  return { ...record, releaseId, files, commit: 'development', publishedAt: new Date().toISOString() }
}
