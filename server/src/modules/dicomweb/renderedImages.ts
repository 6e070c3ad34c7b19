import type { FastifyReply, FastifyRequest } from 'fastify'
import { NoPicture } from '../../dicom/picture.ts'
import { drawInstance, seriesThumbnail, thumbnailSize, type PictureParts } from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { RecordAccess } from './dicomweb.routes.ts'
import { parseUidPath, getScope } from './scope.ts'
import { getInstance } from './storedInstances.ts'

const MAX_SIDE = 2048

function viewport(request: FastifyRequest): { width: number; height: number } {
  const { viewport: given } = request.query as { viewport?: unknown }
  if (given === undefined) return { width: MAX_SIDE, height: MAX_SIDE }
  const match = typeof given === 'string' ? /^(\d{1,4}),(\d{1,4})$/.exec(given) : null
  const [width, height] = [Number(match?.[1]), Number(match?.[2])]
  if (!match || width < 1 || height < 1 || width > MAX_SIDE || height > MAX_SIDE)
    throw new Refusal(400, 'INVALID', `Give viewport as width,height of at most ${MAX_SIDE}.`)
  return { width, height }
}

const frameOf = (request: FastifyRequest): number | undefined => {
  const { frames } = request.params as { frames?: string }
  if (frames === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(frames)) throw new Refusal(400, 'INVALID', 'Give one frame, counted from 1.')
  return Number(frames)
}

const sendJpeg = (reply: FastifyReply, image: Uint8Array): FastifyReply =>
  reply.type('image/jpeg').header('cache-control', 'private, max-age=300').send(Buffer.from(image))

/** Thumbnails and rendered frames (PS3.18 sections 10.4.1.1.3 and 10.4.1.1.6), for orientation only. */
export function registerRenderedImages(deps: Dependencies, pictureParts: PictureParts, seen: RecordAccess) {
  /** The middle slice of a series; of a study's series the one with the lowest UID stands for it. */
  const thumbnail = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'List')
    const path = parseUidPath(request, scope)
    if (path.instance !== undefined) return draw(request, reply, thumbnailSize)
    const { organizationId } = scope.store
    const series = await deps.db
      .selectFrom('series')
      .select('series_uid')
      .where('organization_id', '=', organizationId)
      .where('study_uid', '=', path.study ?? '')
      .$if(path.series !== undefined, (query) => query.where('series_uid', '=', path.series ?? ''))
      .orderBy('series_uid')
      .limit(1)
      .executeTakeFirst()
    if (!series) throw notFound()
    // Thumbnails belong to the list, and that the list was seen is recorded already.
    const image = await seriesThumbnail(pictureParts, organizationId, series.series_uid)
    if (!image) throw notFound()
    return sendJpeg(reply, image)
  }

  const draw = async (
    request: FastifyRequest,
    reply: FastifyReply,
    size: { width: number; height: number },
  ): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'Get')
    const path = parseUidPath(request, scope)
    const one = await getInstance(deps, scope, path)
    await seen(scope.context, {
      event: 'ScanViewed',
      organizationId: scope.store.organizationId,
      subject: { studyUID: one.study_uid, seriesUID: one.series_uid },
    })
    try {
      return sendJpeg(reply, await drawInstance(pictureParts, one, size, frameOf(request)))
    } catch (cause) {
      if (cause instanceof NoPicture) throw notFound()
      throw cause
    }
  }

  return {
    thumbnail,
    rendered: (request: FastifyRequest, reply: FastifyReply) => draw(request, reply, viewport(request)),
  }
}
