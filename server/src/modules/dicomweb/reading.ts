import type { FastifyReply, FastifyRequest } from 'fastify'
import { readingLimits } from '../../dicom/limits.ts'
import type { Reservation } from '../../core/byteBudget.ts'
import type { Turn } from '../../core/fairTurns.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import type { PictureAsker, PictureDependencies } from '../scan/reading/thumbnails.ts'
import { parseUidPath, type ReadScope, type UidPath } from './scope.ts'
import { getReadScope } from './sharedScope.ts'
import type { Service } from './dicomwebServices.ts'
import { hasInstances } from './storedInstances.ts'

export type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

/** One request for what is stored, admitted and recorded. */
export interface Reading {
  readonly deps: Dependencies & PictureDependencies
  readonly service: Service
  readonly scope: ReadScope
  readonly path: UidPath
  readonly turn: Turn
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export const createReader =
  (deps: Dependencies & PictureDependencies, recordAccess: RecordAccess) =>
  (service: Service, send: (reading: Reading) => Promise<FastifyReply>): Route =>
  async (request, reply) => {
    // A whole object is what a download holds: the same permission, and the same event (P01, P24).
    const isDownload = service.action === 'Download'
    const scope = await getReadScope(deps, request, service.action)
    const path = parseUidPath(request, scope)
    refuseOtherParameters(request, service)
    await recordAccess(
      scope.context,
      {
        event: isDownload ? 'ScanDownloaded' : 'ScanViewed',
        organizationId: scope.store.organizationId,
        subject: {
          studyUID: path.study,
          ...(path.series !== undefined && { seriesUID: path.series }),
          ...scope.about,
          ...(isDownload && path.instance !== undefined && { sopInstanceUID: path.instance }),
        },
      },
      async () => {
        if (!(await hasInstances(deps, scope, path))) throw notFound()
      },
    )
    return send({ deps, service, scope, path, turn: scope.turn, request, reply })
  }

/** A parameter that nobody reads would be one that is ignored. */
export function refuseOtherParameters(request: FastifyRequest, { parameters }: Service): void {
  const names = Object.keys(request.query as object)
  const other = names.filter((name) => !parameters.some((known) => known === name))
  if (other.length > 0)
    throw new Refusal(
      400,
      'UNKNOWN_PARAMETER',
      `This address takes the parameters ${parameters.join(', ')}, and no others.`,
      other.slice(0, 20).map((path) => ({ path: path.slice(0, 100), message: 'This parameter is not known here.' })),
    )
}

/** Holds memory for a response while `send` prepares it; from then on the response holds it. */
export async function withMemory(
  { deps, turn }: Reading,
  bytes: number,
  send: (reservation: Reservation) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const reservation = await deps.memory.reserve(turn, Math.min(bytes, readingLimits.headersBytes))
  try {
    return await send(reservation)
  } catch (cause) {
    reservation.release()
    throw cause
  }
}

/** Names the version of an answer; true when the client has it already, so that 304 without a body is the answer. */
export function isKnown({ request, reply }: Reading, etag: string): boolean {
  void reply.header('etag', etag)
  const known = String(request.headers['if-none-match'] ?? '')
  const bare = (text: string): string => text.trim().replace(/^W\//, '')
  return known.trim() === '*' || known.split(',').some((each) => bare(each) === bare(etag))
}

export const sendKnown = ({ reply }: Reading): FastifyReply => reply.status(304).send()

/** Aborted when the line is closed before the whole answer was sent. */
export function watchLeaving({ raw }: FastifyReply): AbortSignal {
  const leaving = new AbortController()
  raw.once('close', () => raw.writableFinished || leaving.abort())
  return leaving.signal
}

/** A reader who leaves takes the picture out of the queue. */
export const toAsker = ({ turn }: ReadScope, reply: FastifyReply): PictureAsker => ({
  owner: { organizationId: turn.customer, userId: turn.person },
  signal: watchLeaving(reply),
})
