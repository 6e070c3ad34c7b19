import { deflateRawSync, deflateSync } from 'node:zlib'
import { isShortHeader, joinHeader, packText, shortMark, unpackCommon, unpackHeaderText } from './packedHeader.ts'

/**
 * Headers of a series are nearly the same text over and over. What they have in common is kept once, and of each what
 * is left when that is known: deflate takes the common text as what it has seen before (docs/decisions/0187).
 */

/** As far back as deflate looks. */
const mostCommonBytes = 32 * 1024
/** Less would be hardly worth the row that it needs. */
const leastCommonBytes = 256
/** A header that stays longer than this share of what it was stays whole. */
const worthwhileShare = 0.75

/**
 * What headers have in common, packed; undefined when that is next to nothing. Each piece of it is in all of them, so
 * that it says nothing of one image alone.
 */
export function findCommon(headers: readonly Uint8Array[]): Uint8Array | undefined {
  const [first, ...others] = headers.map((header) => toElements(unpackHeaderText(header)))
  if (!first || others.length === 0) return undefined
  let text = ''
  for (const [tag, element] of first) {
    let shared = element
    for (const other of others) shared = findShared(shared, other.get(tag) ?? '')
    if (text.length + shared.length > mostCommonBytes) break
    text += shared
  }
  const bytes = Buffer.from(text).subarray(0, mostCommonBytes)
  return bytes.length < leastCommonBytes ? undefined : deflateRawSync(bytes, { level: 9 })
}

/** The text of each element as the header has it, by its tag. */
const toElements = (header: string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(JSON.parse(header) as Record<string, unknown>).map(([tag, element]) => [
      tag,
      `"${tag}":${JSON.stringify(element)},`,
    ]),
  )

/** The beginning and the end of the one that the other has as well. */
function findShared(one: string, other: string): string {
  if (one === other) return one
  const most = Math.min(one.length, other.length)
  let start = 0
  while (start < most && one[start] === other[start]) start += 1
  let end = 0
  while (end < most - start && one.at(-1 - end) === other.at(-1 - end)) end += 1
  return one.slice(0, start) + one.slice(one.length - end)
}

/** A header without what is common; undefined where that does not make it much shorter, or not the same again. */
export function shortenHeader(header: Uint8Array, common: Uint8Array): Uint8Array | undefined {
  if (isShortHeader(header)) return undefined
  const text = unpackHeaderText(header)
  const dictionary = unpackCommon(common)
  const short = Buffer.concat([Buffer.of(shortMark), deflateSync(Buffer.from(text), { level: 9, dictionary })])
  if (short.length > header.length * worthwhileShare) return undefined
  return unpackHeaderText(joinHeader(common, short)) === text ? short : undefined
}

/** As it was before it was shortened: every server of every version reads it. */
export const lengthenHeader = (header: Uint8Array): Uint8Array => packText(Buffer.from(unpackHeaderText(header)))
