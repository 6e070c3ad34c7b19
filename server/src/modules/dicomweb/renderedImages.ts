import type { FastifyReply, FastifyRequest } from 'fastify'
import { NoPicture, PictureTooLarge } from '../../dicom/noPicture.ts'
import {
  drawInstance,
  getSeriesThumbnail,
  thumbnailSize,
  type PictureAsker,
  type PictureDependencies,
} from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { parseUidPath, type ReadScope, type UidPath } from './scope.ts'
import { getReadScope } from './sharedScope.ts'
import { getInstance } from './storedInstances.ts'

const maxSidePixels = 2048

function parseViewport(request: FastifyRequest): { width: number; height: number } {
  const { viewport: viewportText } = request.query as { viewport?: unknown }
  if (viewportText === undefined) return { width: maxSidePixels, height: maxSidePixels }
  const match = typeof viewportText === 'string' ? /^(\d{1,4}),(\d{1,4})$/.exec(viewportText) : null
  const [width, height] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || width < 1 || height < 1 || width > maxSidePixels || height > maxSidePixels)
    throw new Refusal(400, 'INVALID', `The viewport must be width,height, each at most ${maxSidePixels}.`)
  return { width, height }
}

const parseFrameNumber = (request: FastifyRequest): number | undefined => {
  const { frames } = request.params as { frames?: string }
  if (frames === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(frames)) throw new Refusal(400, 'INVALID', 'The frame must be one number, counted from 1.')
  return Number(frames)
}

function sendJpeg({ mayCache }: ReadScope, reply: FastifyReply, image: Uint8Array): FastifyReply {
  if (mayCache) void reply.header('cache-control', 'private, max-age=300')
  return reply.type('image/jpeg').send(Buffer.from(image))
}

/** A reader who leaves takes the picture out of the queue. */
function toAsker({ turn, store }: ReadScope, { raw }: FastifyReply): PictureAsker {
  const leaving = new AbortController()
  raw.once('close', () => raw.writableFinished || leaving.abort())
  return { owner: { organizationId: store.organizationId, userId: turn.person }, signal: leaving.signal }
}

/** Thumbnails and rendered frames (PS3.18 sections 10.4.1.1.3 and 10.4.1.1.6), for orientation only. */
export function renderedImageHandlers(
  deps: Dependencies,
  pictureDeps: PictureDependencies,
  recordAccess: RecordAccess,
) {
  /** The middle slice of a series; a study is represented by its series of the lowest UID. */
  const thumbnail = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // The scope counts the request: it is asked for once.
    if ((request.params as UidPath).instance !== undefined) return drawFrame(request, reply, thumbnailSize)
    const scope = await getReadScope(deps, request, 'List')
    const path = parseUidPath(request, scope)
    const { organizationId } = scope.store
    const series = await deps.db
      .selectFrom('series')
      .select('series_uid')
      .where('organization_id', '=', organizationId)
      .where('study_uid', '=', path.study ?? '')
      .$if(path.series !== undefined, (query) => query.where('series_uid', '=', path.series ?? ''))
      .$if(scope.series !== undefined, (query) => query.where('series_uid', 'in', [...(scope.series ?? [])]))
      .orderBy('series_uid')
      .limit(1)
      .executeTakeFirst()
    if (!series) throw notFound()
    // Thumbnails belong to the list, and access to the list is recorded already.
    const image = await getSeriesThumbnail(pictureDeps, organizationId, series.series_uid, toAsker(scope, reply))
    if (!image) throw notFound()
    return sendJpeg(scope, reply, image)
  }

  const drawFrame = async (
    request: FastifyRequest,
    reply: FastifyReply,
    size: { width: number; height: number },
  ): Promise<FastifyReply> => {
    const scope = await getReadScope(deps, request, 'Get')
    const path = parseUidPath(request, scope)
    const instance = await getInstance(deps, scope, path)
    await recordAccess(scope.context, {
      event: 'ScanViewed',
      organizationId: scope.store.organizationId,
      subject: { studyUID: instance.study_uid, seriesUID: instance.series_uid, ...scope.about },
    })
    try {
      const frame = parseFrameNumber(request)
      return sendJpeg(scope, reply, await drawInstance(pictureDeps, instance, size, toAsker(scope, reply), frame))
    } catch (cause) {
      if (cause instanceof PictureTooLarge) throw new Refusal(413, 'TOO_LARGE', cause.message)
      if (cause instanceof NoPicture) throw new Refusal(404, 'NO_PICTURE', cause.message)
      throw cause
    }
  }

  return {
    thumbnail,
    rendered: (request: FastifyRequest, reply: FastifyReply) => drawFrame(request, reply, parseViewport(request)),
  }
}
