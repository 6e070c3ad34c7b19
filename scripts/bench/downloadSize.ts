import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { buildUpon, isSuccessor } from '../../server/src/gateway/dictionaries.ts'
import { partWatchPath } from '../../server/src/gateway/pageGround.ts'
import type { Release } from '../../shared/contract/src/release.ts'
import { releaseKey } from '../../shared/release/src/store/ReleaseStore.ts'
import { createPage } from './variantServer.ts'
import type { Variant } from './variants.ts'

export interface DownloadSize {
  readonly requests: number
  readonly raw: number
  readonly gzip: number
  readonly brotli: number
}

const nothing: DownloadSize = { requests: 0, raw: 0, gzip: 0, brotli: 0 }
const plus = (a: DownloadSize, b: DownloadSize): DownloadSize => ({
  requests: a.requests + b.requests,
  raw: a.raw + b.raw,
  gzip: a.gzip + b.gzip,
  brotli: a.brotli + b.brotli,
})

/**
 * The download size of a page and its requests, without the API's answers: these are the same for every variant.
 */
export function measureDownload(variant: Variant, path: string, requestedPaths: readonly string[]): DownloadSize {
  return fileNames(requestedPaths)
    .map((file) => sizeOfFile(variant, file))
    .reduce(plus, sizeOfPage(variant, path))
}

/**
 * The download size after a change, for a browser that has the page cached. Files of remotes live in a folder per
 * release, so all of a changed remote comes again; the static build's files keep their names while their content stays,
 * and are kept by name.
 */
export function measureDownloadAfterChange(
  previousVariant: Variant,
  nextVariant: Variant,
  path: string,
  requestedPaths: readonly string[],
): DownloadSize {
  return filesAfterChange(previousVariant, nextVariant, requestedPaths)
    .map((file) => sizeOfFile(nextVariant, file))
    .reduce(plus, sizeOfPage(nextVariant, path))
}

/** The bytes after a change for a browser that keeps dictionaries (RFC 9842), with the page compressed as ever. */
export async function measureDifference(
  previousVariant: Variant,
  nextVariant: Variant,
  path: string,
  requestedPaths: readonly string[],
): Promise<number> {
  let bytes = sizeOfPage(nextVariant, path).brotli
  for (const file of filesAfterChange(previousVariant, nextVariant, requestedPaths)) {
    const release = getRelease(nextVariant, file)
    const before = releasesIn(previousVariant).find(({ name }) => name === release.name)
    const past = before?.files.find((entry) => isSuccessor(entry.path, nameIn(file)))
    const whole = sizeOfFile(nextVariant, file).brotli
    const upon =
      before &&
      past &&
      (await buildUpon(readPlain(previousVariant, before, past.path), readPlain(nextVariant, release, nameIn(file))))
    bytes += Math.min(whole, upon?.difference.length ?? whole)
  }
  return bytes
}

const readPlain = ({ store }: Variant, { name, releaseId }: Release, file: string): Buffer =>
  readFileSync(join(store.folder, releaseKey(name, releaseId, file)))

/** What a browser that has the page cached asks for once more. */
function filesAfterChange(
  previousVariant: Variant,
  nextVariant: Variant,
  requestedPaths: readonly string[],
): readonly string[] {
  const cachedKeys = new Set(
    releasesIn(previousVariant).flatMap((release) =>
      release.files.map((file) => toKey(previousVariant, release, file.path)),
    ),
  )
  return fileNames(requestedPaths).filter((file) => {
    const release = getRelease(nextVariant, file)
    return releaseIn(file) === release.releaseId && !cachedKeys.has(toKey(nextVariant, release, nameIn(file)))
  })
}

const toKey = ({ name }: Variant, release: Release, file: string): string =>
  name === 'static' ? file : `${release.releaseId} ${file}`
const fileNames = (requestedPaths: readonly string[]): string[] =>
  [...new Set(requestedPaths)].filter((path) => path.startsWith('/releases/') && path !== partWatchPath)
const nameIn = (path: string): string => path.split('/').slice(4).join('/')
const releaseIn = (path: string): string => path.split('/')[3] ?? ''
const releasesIn = ({ composition }: Variant): Release[] => [composition.host, ...composition.remotes.values()]

/** The live release that has the file; the address may be that of an earlier one, which had it first. */
function getRelease(variant: Variant, path: string): Release {
  const release = releasesIn(variant).find(({ name }) => name === path.split('/')[2])
  if (!release?.files.some((file) => file.path === nameIn(path)))
    throw new Error(`The page asked for ${path}, which no live release has.`)
  return release
}

function sizeOfFile(variant: Variant, path: string): DownloadSize {
  const file = getRelease(variant, path).files.find((entry) => entry.path === nameIn(path))
  return file ? { requests: 1, raw: file.bytes, gzip: file.gzip, brotli: file.brotli } : nothing
}

function sizeOfPage(variant: Variant, path: string): DownloadSize {
  const html = createPage(variant, path)
  return {
    requests: 1,
    raw: Buffer.byteLength(html),
    gzip: gzipSync(html).length,
    brotli: brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }).length,
  }
}
