import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { BuildRecord, Release, ReleaseFile } from '@dmp/contract/release'
import { toIntegrity } from './store/releaseFiles.ts'
import { createReleaseId } from './store/releaseId.ts'
import { hasRelease, readRelease, releaseKey, StoreError, type ReleaseStore } from './store/ReleaseStore.ts'

const compressible = /\.(?:js|css|json|svg|html|wasm|map|txt)$/
const [brotli, zip] = [promisify(brotliCompress), promisify(gzip)]

/** A finished build: what it noted, and its files by name. */
export interface Build {
  readonly record: BuildRecord
  readonly contents: ReadonlyMap<string, Buffer>
}

/** The name that a build has as a release. Throws where it lacks a file that it names. */
export function nameBuild({ record, contents }: Build, place = 'The build'): string {
  const fileNames = record.initial.concat(record.entry, ...Object.values(record.chunks))
  const missingFile = fileNames.find((fileName) => !contents.has(fileName))
  if (missingFile !== undefined)
    throw new StoreError(`${place} lacks ${missingFile}, which its build.json names. Build it again.`)
  return createReleaseId(
    record,
    [...contents].map(([path, content]) => ({ path, integrity: toIntegrity(content) })),
  )
}

interface Adding {
  readonly commit: string
  readonly at?: string | undefined
  /** Files that are worked on at the same time. */
  readonly atOnce?: number
  /** Adds what lies beside the files, before the release is complete. */
  readonly addBeside?: (release: Release) => Promise<void>
}

/** Adds a build to the store as an immutable release, named by its content; one that is there already stays. */
export async function addRelease(
  store: ReleaseStore,
  build: Build,
  { commit, at, atOnce = 64, addBeside }: Adding,
  place?: string,
): Promise<{ readonly release: Release; readonly isNew: boolean }> {
  const { record, contents } = build
  const { name } = record
  const releaseId = nameBuild(build, place)
  if (await hasRelease(store, name, releaseId))
    return { release: await readRelease(store, name, releaseId), isNew: false }
  const files: ReleaseFile[] = []
  const waiting = [...contents]
  for (let next = waiting.splice(0, atOnce); next.length > 0; next = waiting.splice(0, atOnce))
    files.push(
      ...(await Promise.all(
        next.map(([file, content]) => addFile(store, releaseKey(name, releaseId, file), file, content)),
      )),
    )
  const release: Release = { ...record, releaseId, files, commit, publishedAt: at ?? new Date().toISOString() }
  await addBeside?.(release)
  // Written last, so that a release is visible only when it is complete. A second publisher adds the same content.
  const isNew = await store.add(
    releaseKey(name, releaseId, 'release.json'),
    Buffer.from(`${JSON.stringify(release, null, 1)}\n`),
  )
  return { release: isNew ? release : await readRelease(store, name, releaseId), isNew }
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
