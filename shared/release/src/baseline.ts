import { existsSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress, gzip } from 'node:zlib'
import { Release, type ReleaseFile } from '@dmp/contract/release'
import * as v from 'valibot'
import { toIntegrity } from './store/releaseFiles.ts'
import { hasRelease, readRelease, releaseKey, StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

const [unbrotli, zip] = [promisify(brotliDecompress), promisify(gzip)]

/** The repository keeps one earlier release of each part here; skew tests compose it with the current build. */
export const baselineFolder = path.resolve(import.meta.dirname, '../baseline')

/** Saves a release in its smallest form, replacing the part's earlier baseline. */
export async function saveBaseline(
  store: ReleaseStore,
  part: string,
  releaseId: string,
  folder = baselineFolder,
): Promise<Release> {
  const release = await readRelease(store, part, releaseId)
  const partFolder = path.join(folder, part)
  await rm(partFolder, { recursive: true, force: true })
  for (const file of release.files) {
    const fileName = baselineFileName(file)
    const content = await store.read(releaseKey(part, releaseId, fileName))
    if (content === undefined)
      throw new StoreError(`${store.location} lacks ${fileName} of ${part} ${releaseId}. Publish it again.`)
    await mkdir(path.dirname(path.join(partFolder, fileName)), { recursive: true })
    await writeFile(path.join(partFolder, fileName), content)
  }
  await writeFile(path.join(partFolder, 'release.json'), `${JSON.stringify(release, null, 1)}\n`)
  return release
}

/** Adds every baseline release to a store, as it was published; releases that are there already stay. */
export async function unpackBaseline(store: ReleaseStore, folder = baselineFolder): Promise<Release[]> {
  const parts = existsSync(folder)
    ? readdirSync(folder)
        .filter((part) => existsSync(path.join(folder, part, 'release.json')))
        .sort()
    : []
  return Promise.all(parts.map((part) => unpackRelease(store, path.join(folder, part))))
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
  const content = await readFile(from)
  const isCompressed = file.brotli < file.bytes
  const plain = isCompressed ? await unbrotli(content) : content
  if (toIntegrity(plain) !== file.integrity)
    throw new StoreError(
      `${from} differs from ${name} ${releaseId} as it was published. Restore it from the repository.`,
    )
  await store.add(key, plain)
  if (isCompressed) await store.add(`${key}.br`, content)
  if (file.gzip >= file.bytes) return file
  // Another version of zlib may produce another size than the recorded one.
  const zipped = await zip(plain, { level: 9 })
  await store.add(`${key}.gz`, zipped)
  return { ...file, gzip: zipped.length }
}
