import { randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { toStream } from './sendStream.ts'

export interface BodyPart {
  readonly type: string
  /** Opens its bytes when its turn comes. */
  readonly body: () => Promise<AsyncIterable<Uint8Array>> | AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  readonly location?: string
}

/** A multipart/related response, whose type it sets: one part after the other, one chunk in memory. */
export function createMultipart(
  reply: FastifyReply,
  type: string,
  parts: AsyncIterable<BodyPart> | Iterable<BodyPart>,
): Readable {
  const boundary = `dmp-${randomBytes(12).toString('hex')}`
  void reply.header('content-type', `multipart/related; type="${type}"; boundary=${boundary}`)
  return toStream(encodeParts(parts, boundary))
}

async function* encodeParts(
  parts: AsyncIterable<BodyPart> | Iterable<BodyPart>,
  boundary: string,
): AsyncGenerator<Uint8Array> {
  let isFirst = true
  for await (const part of parts) {
    const location = part.location === undefined ? '' : `Content-Location: ${part.location}\r\n`
    yield Buffer.from(`${isFirst ? '' : '\r\n'}--${boundary}\r\nContent-Type: ${part.type}\r\n${location}\r\n`)
    isFirst = false
    yield* await part.body()
  }
  yield Buffer.from(`\r\n--${boundary}--\r\n`)
}
