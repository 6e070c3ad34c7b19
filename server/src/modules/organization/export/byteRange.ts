/** First byte, and the one after the last. */
export interface AskedRange {
  readonly start: number
  readonly end: number
}

/**
 * What a request wants of a representation (RFC 9110, 14): a range, `whole` for none, several, another unit or an
 * earlier representation, or `beyond` for one behind its end.
 */
export function parseByteRange(
  { range, ifRange }: { readonly range: string | undefined; readonly ifRange: string | undefined },
  etag: string,
  size: number,
): AskedRange | 'whole' | 'beyond' {
  const [, first, last] = /^bytes= ?(\d{0,15})-(\d{0,15})$/i.exec(range?.trim() ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return 'whole'
  if (ifRange !== undefined && ifRange !== etag) return 'whole'
  if (first === '') {
    const suffix = Math.min(Number(last), size)
    return suffix === 0 ? 'beyond' : { start: size - suffix, end: size }
  }
  const start = Number(first)
  if (start >= size) return 'beyond'
  if (last === '') return { start, end: size }
  return Number(last) < start ? 'whole' : { start, end: Math.min(Number(last) + 1, size) }
}
