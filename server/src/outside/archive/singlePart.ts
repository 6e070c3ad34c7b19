import { ObjectStoreError } from '../objectStore.ts'

const blank = Buffer.from('\r\n\r\n')
/** Headers of a part are short; longer ones are no answer of an archive. */
const mostHeaderBytes = 16_384

/** The one part of a multipart/related answer, as it arrives; throws when it ends before its closing boundary. */
export async function* singlePart(body: AsyncIterable<Uint8Array>, boundary: string): AsyncGenerator<Buffer> {
  const closing = Buffer.from(`\r\n--${boundary}`)
  let rest: Buffer = Buffer.alloc(0)
  let isInside = false
  for await (const chunk of body) {
    rest = rest.length === 0 ? Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length) : Buffer.concat([rest, chunk])
    if (!isInside) {
      const end = rest.indexOf(blank)
      if (end < 0 && rest.length > mostHeaderBytes) break
      if (end < 0) continue
      isInside = true
      rest = rest.subarray(end + blank.length)
    }
    // The boundary may be cut by the end of a chunk: as much as it needs is held back. Only the last bytes of the
    // answer are looked at.
    const sure = rest.length - closing.length - 8
    if (sure <= 0) continue
    yield rest.subarray(0, sure)
    rest = rest.subarray(sure)
  }
  const end = isInside ? rest.lastIndexOf(closing) : -1
  if (end < 0) throw new ObjectStoreError('UNAVAILABLE', new Error('The answer of the archive ended too early.'))
  if (end > 0) yield rest.subarray(0, end)
}

/** The value of `boundary=`; undefined when the answer is no multipart. */
export function parseBoundary(type: string): string | undefined {
  const match = /^multipart\/related\b.*;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type)
  return match?.[1] ?? match?.[2]
}
