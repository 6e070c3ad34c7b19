import type { FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../../../core/errors.ts'
import type { SeriesZip } from './seriesZip.ts'

/**
 * Where a broken download goes on: `bytes=N-`, if what was begun is still what there is (RFC 9110, 13.1.5). Zero: from
 * the start.
 */
export function resumedAt(request: FastifyRequest, zip: Pick<SeriesZip, 'etag' | 'size'>): number {
  const match = /^bytes=(\d{1,15})-$/.exec(request.headers.range ?? '')
  if (!match || request.headers['if-range'] !== zip.etag) return 0
  const start = Number(match[1])
  if (start >= zip.size) throw new Refusal(416, 'INVALID', 'The download was complete already.')
  return start
}

/** Streams the zip, whole or from a byte on. */
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
  })
  if (start > 0) void reply.status(206).header('content-range', `bytes ${start}-${zip.size - 1}/${zip.size}`)
  return reply.send(zip.open(start))
}
