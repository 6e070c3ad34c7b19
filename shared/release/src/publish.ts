import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { BuildRecord, type Release, type ReleaseFile } from '@dmp/contract/release'
import * as v from 'valibot'
import { besideRelease, createProvenance, signRelease } from './provenance.ts'
import type { Signer } from './signing/keyPair.ts'
import { toIntegrity } from './store/releaseFiles.ts'
import { createReleaseId } from './store/releaseId.ts'
import { hasRelease, readRelease, releaseKey, StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

/** Of these only the list of packages is stored, and no browser gets it. */
const unpublishedFiles = new Set(['build.json', 'inputs.txt', besideRelease.billOfMaterials])
const compressible = /\.(?:js|css|json|svg|html|wasm|map|txt)$/
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

export interface PublishOptions {
  /** Source commit, recorded if the release is new. */
  readonly commit: string
  /** When it was published; now if absent. */
  readonly at?: string
  /** Signs the release with the team's key, a stored one too. */
  readonly signer?: Signer | undefined
}

/**
 * Adds a finished build to the store as an immutable release. Its id is a hash of its files and declaration, so
 * publishing twice adds nothing. Every file is hashed and compressed here, once.
 *
 * @param dist folder with the files and the `build.json` that `@dmp/build` wrote
 */
export async function publish(store: ReleaseStore, dist: string, options: PublishOptions): Promise<Release> {
  const release = await addRelease(store, dist, options)
  if (options.signer) await signRelease(store, release, options.signer)
  return release
}

async function addRelease(store: ReleaseStore, dist: string, options: PublishOptions): Promise<Release> {
  const record = await readRecord(dist)
  const contents = await readContents(dist)
  const fileNames = record.initial.concat(record.entry, ...Object.values(record.chunks))
  const missingFile = fileNames.find((fileName) => !contents.has(fileName))
  if (missingFile !== undefined)
    throw new StoreError(`${dist} lacks ${missingFile}, which its build.json names. Build it again.`)

  const { name } = record
  const named = [...contents].map(([file, content]) => ({ path: file, integrity: toIntegrity(content) }))
  const releaseId = createReleaseId(record, named)
  if (await hasRelease(store, name, releaseId)) return readRelease(store, name, releaseId)
  const files = await Promise.all(
    [...contents].map(([file, content]) => addFile(store, releaseKey(name, releaseId, file), file, content)),
  )
  const release: Release = {
    ...record,
    releaseId,
    files,
    commit: options.commit,
    publishedAt: options.at ?? new Date().toISOString(),
  }
  await addDocuments(store, dist, release)
  // Written last, so that a release is visible only when it is complete. A second publisher adds the same content.
  const isFirst = await store.add(
    releaseKey(name, releaseId, 'release.json'),
    Buffer.from(`${JSON.stringify(release, null, 1)}\n`),
  )
  return isFirst ? release : readRelease(store, name, releaseId)
}

async function addDocuments(store: ReleaseStore, dist: string, release: Release): Promise<void> {
  const keyOf = (file: string): string => releaseKey(release.name, release.releaseId, file)
  const bill = path.join(dist, besideRelease.billOfMaterials)
  if (existsSync(bill)) await store.add(keyOf(besideRelease.billOfMaterials), await readFile(bill))
  const provenance = `${JSON.stringify(createProvenance(release), null, 1)}\n`
  await store.add(keyOf(besideRelease.provenance), Buffer.from(provenance))
}

async function readRecord(dist: string): Promise<BuildRecord> {
  const file = path.join(dist, 'build.json')
  if (!existsSync(file)) throw new StoreError(`${dist} contains no finished build (no build.json). Build it first.`)
  const result = v.safeParse(BuildRecord, JSON.parse(await readFile(file, 'utf8')))
  if (result.success) return result.output
  const [issue] = result.issues
  throw new StoreError(
    `The build in ${dist} cannot be published: ${v.getDotPath(issue) ?? 'build.json'}: ${issue.message}`,
  )
}

async function readContents(dist: string): Promise<Map<string, Buffer>> {
  const entries = await readdir(dist, { withFileTypes: true, recursive: true })
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(dist, path.join(entry.parentPath, entry.name)))
  const published = names
    .filter((name) => !unpublishedFiles.has(name))
    .map((name) => name.split(path.sep).join('/'))
    .sort()
  return new Map(
    await Promise.all(published.map(async (name) => [name, await readFile(path.join(dist, name))] as const)),
  )
}

async function addFile(store: ReleaseStore, key: string, path: string, content: Buffer): Promise<ReleaseFile> {
  await store.add(key, content)
  const sizes = { path, integrity: toIntegrity(content), bytes: content.length }
  if (!compressible.test(path)) return { ...sizes, gzip: content.length, brotli: content.length }
  const [zipped, brotlied] = await Promise.all([
    zip(content, { level: 9 }),
    brotli(content, {
      params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
    }),
  ])
  await Promise.all([store.add(`${key}.gz`, zipped), store.add(`${key}.br`, brotlied)])
  return { ...sizes, gzip: zipped.length, brotli: brotlied.length }
}
