import { randomBytes } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'

export interface BodyPart {
  readonly type: string
  /** Bytes, or where they come from; opened when its turn comes. */
  readonly body: Buffer | (() => Promise<AsyncIterable<Uint8Array>>)
  readonly location?: string
}

/** Streams a multipart/related answer: one part after the other, never more than a chunk in memory. */
export function sendMultipart(
  reply: FastifyReply,
  type: string,
  parts: AsyncIterable<BodyPart> | Iterable<BodyPart>,
): FastifyReply {
  const boundary = `dmp-${randomBytes(12).toString('hex')}`
  void reply.header('content-type', `multipart/related; type="${type}"; boundary=${boundary}`)
  return reply.send(Readable.from(bytesOf(parts, boundary), { objectMode: false, highWaterMark: 2 ** 18 }))
}

async function* bytesOf(
  parts: AsyncIterable<BodyPart> | Iterable<BodyPart>,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const part of parts) {
    const location = part.location === undefined ? '' : `Content-Location: ${part.location}\r\n`
    yield Buffer.from(`${isFirst ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${part.type}\r\n${location}\r\n`)
    isFirst = false
    if (Buffer.isBuffer(part.body)) yield part.body
    else yield* await part.body()
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}
