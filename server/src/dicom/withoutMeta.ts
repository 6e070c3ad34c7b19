const metaStart = 132
/** Longer than any file meta information that an intake lets in. */
const mostHeadBytes = 256 * 1024
const longValue = /^(?:O[BDFLVW]|S[QV]|U[CNRTV])$/

/** Where the data set begins; undefined where more bytes are needed to tell. */
function findStart(bytes: Buffer): number | undefined {
  let at = metaStart
  while (at + 12 <= bytes.length) {
    if (bytes.readUInt16LE(at) !== 2) return at
    const isLong = longValue.test(bytes.toString('latin1', at + 4, at + 6))
    at += isLong ? 12 + bytes.readUInt32LE(at + 8) : 8 + bytes.readUInt16LE(at + 6)
  }
  return undefined
}

/** The data set of a file (PS3.10), as DIMSE sends it: without preamble and file meta information. */
export async function* withoutMeta(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let head: Buffer | undefined = Buffer.alloc(0)
  for await (const piece of file) {
    if (!head) {
      yield piece
      continue
    }
    head = Buffer.concat([head, piece])
    const start = findStart(head)
    if (start === undefined && head.length > mostHeadBytes) throw new Error('The file meta information has no end.')
    if (start === undefined) continue
    yield head.subarray(start)
    head = undefined
  }
  if (head) throw new Error('The object has no data set.')
}
