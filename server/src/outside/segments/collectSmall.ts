import { ObjectStoreError } from '../objectStore.ts'

/** All of the content in one piece; what is longer than that is given back as it comes. */
export async function collectSmall(
  content: AsyncIterable<Uint8Array> | Uint8Array,
  smallBytes: number,
  maxBytes: number,
): Promise<Buffer | AsyncIterable<Uint8Array>> {
  const iterator = (content instanceof Uint8Array ? whole(content) : content)[Symbol.asyncIterator]()
  const pieces: Uint8Array[] = []
  let size = 0
  for (;;) {
    const { done, value } = await iterator.next()
    if (done === true) return Buffer.concat(pieces, size)
    pieces.push(value)
    size += value.length
    if (size > maxBytes) {
      await iterator.return?.()
      throw new ObjectStoreError('TOO_LARGE')
    }
    if (size > smallBytes) return follow(pieces, iterator)
  }
}

async function* whole(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}

async function* follow(pieces: readonly Uint8Array[], rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces
    for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
