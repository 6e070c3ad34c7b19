import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../core/errors.ts'
import type { SeriesZip } from './seriesZip.ts'

const findRange = ({ headers }: FastifyRequest): RegExpExecArray | null =>
  /^bytes=(\d{1,15})-$/.exec(headers.range ?? '')

/** Whether the request could be for the rest of a broken download: it names a place, and which zip it has. */
export const asksForRest = (request: FastifyRequest): boolean =>
  Number(findRange(request)?.[1] ?? 0) > 0 && request.headers['if-range'] !== undefined

/**
 * Offset at which a broken download continues: `bytes=N-`, if the zip is still the same (RFC 9110, 13.1.5). Zero starts
 * over.
 */
export function parseResumeOffset(request: FastifyRequest, zip: Pick<SeriesZip, 'etag' | 'size'>): number {
  const match = findRange(request)
  if (!match || request.headers['if-range'] !== zip.etag) return 0
  const start = Number(match[1])
  if (start >= zip.size) throw new Refusal(416, 'INVALID', 'The download was already complete.')
  return start
}

/** Streams the zip, whole or from an offset. */
export function sendZip(reply: FastifyReply, zip: SeriesZip, start: number): FastifyReply {
  void reply.headers({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="${zip.name}"`,
    'content-length': String(zip.size - start),
    'accept-ranges': 'bytes',
    etag: zip.etag,
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    // A proxy that takes the whole zip ahead of a slow reader would end the address before the reader has it.
    'x-accel-buffering': 'no',
  })
  if (start > 0) void reply.status(206).header('content-range', `bytes ${start}-${zip.size - 1}/${zip.size}`)
  return reply.send(zip.open(start))
}
