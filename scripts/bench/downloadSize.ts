import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Release } from '../../shared/contract/src/release.ts'
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
 * What a page and everything that it asked for weighs; the API's answers are left out, they are the same for everybody.
 */
export function measureDownload(variant: Variant, path: string, asked: readonly string[]): DownloadSize {
  return fileNames(asked)
    .map((file) => sizeOfFile(variant, file))
    .reduce(plus, sizeOfPage(variant, path))
}

/**
 * What a browser that has the page cached downloads after a change. Files of remotes live in a folder per release, so
 * all of a changed remote comes again; the static build's files keep their names while their content stays, and are
 * kept by name.
 */
export function measureDownloadAfterChange(
  before: Variant,
  after: Variant,
  path: string,
  asked: readonly string[],
): DownloadSize {
  const known = new Set(
    releasesIn(before).flatMap((release) => release.files.map((file) => keyOf(before, release, file.path))),
  )
  const files = fileNames(asked).filter((file) => !known.has(keyOf(after, releaseOf(after, file), nameIn(file))))
  return files.map((file) => sizeOfFile(after, file)).reduce(plus, sizeOfPage(after, path))
}

const keyOf = ({ name }: Variant, release: Release, file: string): string =>
  name === 'static' ? file : `${release.releaseId} ${file}`
const fileNames = (asked: readonly string[]): string[] =>
  [...new Set(asked)].filter((path) => path.startsWith('/releases/'))
const nameIn = (path: string): string => path.split('/').slice(4).join('/')
const releasesIn = ({ composition }: Variant): Release[] => [composition.host, ...composition.remotes.values()]

function releaseOf(variant: Variant, path: string): Release {
  const [, , name, releaseId] = path.split('/')
  const found = releasesIn(variant).find((release) => release.name === name && release.releaseId === releaseId)
  if (found === undefined) throw new Error(`The page asked for ${path}, which no live release has.`)
  return found
}

function sizeOfFile(variant: Variant, path: string): DownloadSize {
  const file = releaseOf(variant, path).files.find((entry) => entry.path === nameIn(path))
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
