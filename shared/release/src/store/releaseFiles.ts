import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import type { Release, ReleaseFile } from '@dmp/contract/release'
import { releaseKey, type ReleaseStore } from './ReleaseStore.ts'

const [unbrotli, unzip] = [promisify(brotliDecompress), promisify(gunzip)]

/** The hash by which a browser checks what it received. */
export const toIntegrity = (content: Buffer): string =>
  `sha384-${createHash('sha384').update(content).digest('base64')}`

/** The first file of a release that does not come back from the store as it was published, in any form. */
export async function findAlteredFile(
  store: ReleaseStore,
  release: Release,
): Promise<{ readonly reason: string; readonly cure: string } | undefined> {
  const faults = await Promise.all(release.files.map((file) => findFault(store, release, file)))
  const fault = faults.find((sentence) => sentence !== undefined)
  return fault === undefined
    ? undefined
    : {
        reason: `${fault} It differs from release ${release.releaseId} of ${release.name} as it was published.`,
        cure: `Remove ${store.location}/${release.name}/${release.releaseId} and publish ${release.name} again. Find out who else writes to the store.`,
      }
}

/** Checks a file in every form in which it may be sent. */
async function findFault(
  store: ReleaseStore,
  { name, releaseId }: Release,
  { path, integrity, bytes, gzip, brotli }: ReleaseFile,
): Promise<string | undefined> {
  const forms = [
    { ending: '', isStored: true, unpack: async (content: Buffer) => content },
    { ending: '.br', isStored: brotli < bytes, unpack: unbrotli },
    { ending: '.gz', isStored: gzip < bytes, unpack: unzip },
  ]
  for (const { ending, isStored, unpack } of forms) {
    if (!isStored) continue
    const content = await store.read(releaseKey(name, releaseId, `${path}${ending}`))
    if (content === undefined) return `${path}${ending} is missing.`
    const plain = await unpack(content).catch(() => undefined)
    if (plain === undefined) return `${path}${ending} cannot be unpacked.`
    if (toIntegrity(plain) !== integrity) return `${path}${ending} has another hash.`
  }
  return undefined
}
