import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip } from 'node:zlib'
import type { Release, ReleaseFile } from '@dmp/contract/release'
import { releaseKey, type ReleaseStore } from './ReleaseStore.ts'

const [unbrotli, unzip] = [promisify(brotliDecompress), promisify(gunzip)]

/** How a file lies in the store, by what is added to its name. Never unpacked to more than was published. */
const unpack = {
  '': async (content: Buffer) => content,
  '.br': (content: Buffer, bytes: number) => unbrotli(content, { maxOutputLength: Math.max(1, bytes) }),
  '.gz': (content: Buffer, bytes: number) => unzip(content, { maxOutputLength: Math.max(1, bytes) }),
} as const
export type FileForm = keyof typeof unpack

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
async function findFault(store: ReleaseStore, release: Release, file: ReleaseFile): Promise<string | undefined> {
  const forms = [
    { form: '', isStored: true },
    { form: '.br', isStored: file.brotli < file.bytes },
    { form: '.gz', isStored: file.gzip < file.bytes },
  ] as const
  for (const { form, isStored } of forms) {
    if (!isStored) continue
    const content = await readAsPublished(store, release, file, form)
    if (typeof content === 'string') return content
  }
  return undefined
}

/** A file in one form, or why it is not the one that was published. */
export async function readAsPublished(
  store: ReleaseStore,
  { name, releaseId }: Pick<Release, 'name' | 'releaseId'>,
  { path, integrity, bytes }: ReleaseFile,
  form: FileForm,
): Promise<Buffer | string> {
  const content = await store.read(releaseKey(name, releaseId, `${path}${form}`))
  if (content === undefined) return `${path}${form} is missing.`
  const plain = await unpack[form](content, bytes).catch(() => undefined)
  if (plain === undefined) return `${path}${form} cannot be unpacked.`
  return toIntegrity(plain) === integrity ? content : `${path}${form} has another hash.`
}
