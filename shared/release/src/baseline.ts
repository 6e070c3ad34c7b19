import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { Release, type ReleaseFile } from '@dmp/contract/release'
import * as v from 'valibot'
import { toIntegrity } from './publish.ts'
import { hasRelease, readRelease, releaseKey, StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

const [unbrotli, zip] = [promisify(brotliDecompress), promisify(gzip)]

/** Where the repository keeps one earlier release of each part, for composing it with what is built now. */
export const baselineFolder = path.resolve(import.meta.dirname, '../baseline')

/** Puts a release into a folder in its smallest form, in place of the one of the same part that was kept before. */
export async function saveBaseline(
  store: ReleaseStore,
  name: string,
  releaseId: string,
  folder = baselineFolder,
): Promise<Release> {
  const release = await readRelease(store, name, releaseId)
  const there = path.join(folder, name)
  await rm(there, { recursive: true, force: true })
  for (const file of release.files) {
    const kept = baselineFileName(file)
    const content = await store.read(releaseKey(name, releaseId, kept))
    if (content === undefined)
      throw new StoreError(`${store.location} lacks ${kept} of ${name} ${releaseId}. Publish it again.`)
    await mkdir(path.dirname(path.join(there, kept)), { recursive: true })
    await writeFile(path.join(there, kept), content)
  }
  await writeFile(path.join(there, 'release.json'), `${JSON.stringify(release, null, 1)}\n`)
  return release
}

/** Puts every kept release back into a store, as it was; what is there already stays. */
export async function unpackBaseline(store: ReleaseStore, folder = baselineFolder): Promise<Release[]> {
  const names = existsSync(folder)
    ? readdirSync(folder)
        .filter((name) => existsSync(path.join(folder, name, 'release.json')))
        .sort()
    : []
  return Promise.all(names.map((name) => unpackRelease(store, path.join(folder, name))))
}

async function unpackRelease(store: ReleaseStore, folder: string): Promise<Release> {
  const release = v.parse(Release, JSON.parse(await readFile(path.join(folder, 'release.json'), 'utf8')))
  const { name, releaseId } = release
  if (await hasRelease(store, name, releaseId)) return readRelease(store, name, releaseId)
  const files = await Promise.all(
    release.files.map((file) => addFile(store, release, file, path.join(folder, baselineFileName(file)))),
  )
  await store.add(
    releaseKey(name, releaseId, 'release.json'),
    Buffer.from(`${JSON.stringify({ ...release, files }, null, 1)}\n`),
  )
  return readRelease(store, name, releaseId)
}

const baselineFileName = ({ path: file, bytes, brotli }: ReleaseFile): string => (brotli < bytes ? `${file}.br` : file)

async function addFile(
  store: ReleaseStore,
  { name, releaseId }: Release,
  file: ReleaseFile,
  from: string,
): Promise<ReleaseFile> {
  const key = releaseKey(name, releaseId, file.path)
  const kept = await readFile(from)
  const isSmall = file.brotli < file.bytes
  const plain = isSmall ? await unbrotli(kept) : kept
  if (toIntegrity(plain) !== file.integrity)
    throw new StoreError(
      `${from} is not what ${name} ${releaseId} was made from. Take it out of the history of the repository again.`,
    )
  await store.add(key, plain)
  if (isSmall) await store.add(`${key}.br`, kept)
  if (file.gzip >= file.bytes) return file
  // Another zlib may come to another size than the one that was noted.
  const zipped = await zip(plain, { level: 9 })
  await store.add(`${key}.gz`, zipped)
  return { ...file, gzip: zipped.length }
}
