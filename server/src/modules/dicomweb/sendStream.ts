import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { inPresentName } from '../../core/asker.ts'
import type { Reservation } from '../../core/byteBudget.ts'

/**
 * Makes the first piece before the response begins, so that a refusal still is one; then the rest as the receiver takes
 * it.
 */
export async function startStream(pieces: AsyncGenerator<Uint8Array>): Promise<Readable> {
  const first = await pieces.next()
  const rest = async function* (): AsyncGenerator<Uint8Array> {
    if (first.done) return
    yield first.value
    yield* pieces
  }
  return Readable.from(inPresentName(rest()), { objectMode: false, highWaterMark: 2 ** 18 })
}

export const toStream = (pieces: AsyncIterable<Uint8Array>): Readable =>
  Readable.from(inPresentName(pieces), { objectMode: false, highWaterMark: 2 ** 18 })

/** Sends it, and releases what it holds when it has been sent or its receiver has left. */
export function sendStream(
  reply: FastifyReply,
  stream: Readable,
  reservation: Reservation,
  close: () => Promise<void> = async () => undefined,
): FastifyReply {
  stream.once('close', () => {
    reservation.release()
    void close().catch(() => undefined)
  })
  if (reply.request.method !== 'HEAD') return reply.send(stream)
  // Fastify would read all of it, only to drop it.
  stream.destroy()
  return reply.send(Readable.from([]))
}
