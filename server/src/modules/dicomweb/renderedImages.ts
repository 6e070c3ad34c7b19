import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import sharp from 'sharp'
import { readingLimits } from '../../dicom/limits.ts'
import type { PictureLook } from '../../dicom/drawing.thread.ts'
import { NoPicture, PictureTooLarge } from '../../dicom/noPicture.ts'
import type { PictureSize } from '../../dicom/pictureFrame.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import {
  drawInstance,
  getSeriesThumbnail,
  thumbnailSize,
  type PictureAsker,
  type PictureDependencies,
} from '../scan/reading/thumbnails.ts'
import { chooseType } from './acceptedTypes.ts'
import { createMultipart, type BodyPart } from './multipartWriter.ts'
import { withoutPictures } from './priors.ts'
import { parseLook, parseViewport } from './pictureParameters.ts'
import { refuseOtherParameters, toAsker, withMemory, type Reading, type Route } from './reading.ts'
import { parseUidPath, type ReadScope } from './scope.ts'
import { getReadScope } from './sharedScope.ts'
import { sendStream } from './sendStream.ts'
import type { Service } from './dicomwebServices.ts'
import { getInstance, instanceUrl, isWithinReach, listInstances, type StoredInstance } from './storedInstances.ts'

/** Thumbnails and rendered frames (PS3.18 sections 10.4.1.1.3 and 10.4.1.1.4), for orientation only. */

const parseFrameNumber = (request: FastifyRequest): number | undefined => {
  const { frames } = request.params as { frames?: string }
  if (frames === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(frames)) throw new Refusal(400, 'INVALID', 'The frame must be one number, counted from 1.')
  return Number(frames)
}

function sendPicture({ mayCache }: ReadScope, reply: FastifyReply, mediaType: string, image: Uint8Array): FastifyReply {
  if (mayCache) void reply.header('cache-control', 'private, max-age=300')
  return reply.type(mediaType).send(Buffer.from(image))
}

const noPicture = (): Refusal =>
  new Refusal(
    406,
    'NO_PICTURE',
    'This object has no picture, or none that the server draws. Download the scan instead.',
  )

function refuse(cause: unknown): unknown {
  if (cause instanceof PictureTooLarge) return new Refusal(413, 'TOO_LARGE', cause.message)
  return cause instanceof NoPicture ? new Refusal(406, noPicture().code, cause.message) : cause
}

async function drawFrame(
  { deps, scope, request, reply }: Reading,
  instance: StoredInstance,
  size: PictureSize,
  look: PictureLook = {},
): Promise<Buffer> {
  try {
    return await drawInstance(deps, instance, size, toAsker(scope, reply), parseFrameNumber(request), look)
  } catch (cause) {
    throw refuse(cause)
  }
}

export async function sendRendered(reading: Reading): Promise<FastifyReply> {
  const { deps, service, scope, path, request, reply } = reading
  const { type } = chooseType(request, service.answers)
  const [size, look] = [parseViewport(request), parseLook(request, type)]
  return sendPicture(scope, reply, type, await drawFrame(reading, await getInstance(deps, scope, path), size, look))
}

/** A picture of each instance that has one, drawn as the receiver takes them. */
export async function sendRenderedAll(reading: Reading): Promise<FastifyReply> {
  const { deps, service, scope, path, request, reply } = reading
  const { type } = chooseType(request, service.answers)
  const [size, look, asker] = [parseViewport(request), parseLook(request, type), toAsker(scope, reply)]
  const pictures = drawAll(reading, await listInstances(deps, scope, path), { size, look, asker }, type)
  // Before the response begins, so that nothing at all still is a refusal.
  const first = await pictures.next()
  if (first.done) throw noPicture()
  return withMemory(reading, readingLimits.streamBytes, async (reservation) => {
    const parts = async function* (): AsyncGenerator<BodyPart> {
      yield first.value
      yield* pictures
    }
    return sendStream(reply, createMultipart(reply, type, parts()), reservation)
  })
}

async function* drawAll(
  { deps, scope }: Reading,
  instances: AsyncIterable<StoredInstance>,
  { size, look, asker }: { size: PictureSize; look: PictureLook; asker: PictureAsker },
  type: string,
): AsyncGenerator<BodyPart> {
  for await (const instance of instances) {
    if (instance.images === 0) continue
    try {
      const image = await drawInstance(deps, instance, size, asker, undefined, look)
      yield { type, location: `${instanceUrl(scope, instance)}/rendered`, body: () => [image] }
    } catch (cause) {
      if (!(cause instanceof NoPicture)) throw cause
    }
  }
}

/** The middle slice of a series; a study is represented by its series with pictures of the lowest UID. */
export const thumbnailHandler =
  (
    deps: Dependencies & PictureDependencies,
    service: Service,
    sendOfInstance: (service: Service, send: (reading: Reading) => Promise<FastifyReply>) => Route,
  ): Route =>
  async (request, reply) => {
    // The scope counts the request: it is asked for once.
    if ((request.params as { instance?: string }).instance !== undefined)
      return sendOfInstance({ ...service, action: 'Get' }, sendInstanceThumbnail)(request, reply)
    const scope = await getReadScope(deps, request, 'List')
    const path = parseUidPath(request, scope)
    refuseOtherParameters(request, service)
    const { type } = chooseType(request, service.answers)
    const size = parseThumbnailSize(request)
    const { organizationId } = scope.store
    const series = await deps.db
      .selectFrom('series')
      .select('series_uid')
      .where(isWithinReach(scope, path))
      // Segmentations and the like have pixels and are no picture of the study: they stand in where nothing else is.
      .orderBy(sql`images = 0`)
      .orderBy((eb) => eb('modality', 'in', withoutPictures))
      .orderBy('series_uid')
      .limit(1)
      .executeTakeFirst()
    if (!series) throw notFound()
    // Thumbnails belong to the list, and access to the list is recorded already.
    const image = await getSeriesThumbnail(deps, organizationId, series.series_uid, toAsker(scope, reply))
    if (!image) throw notFound()
    return sendPicture(scope, reply, type, await shrink(image, size))
  }

const parseThumbnailSize = (request: FastifyRequest): PictureSize => {
  const { width, height } = parseViewport(request)
  return { width: Math.min(width, thumbnailSize.width), height: Math.min(height, thumbnailSize.height) }
}

/** Of a series one thumbnail is kept, drawn to `thumbnailSize`. */
const shrink = async (image: Uint8Array, size: PictureSize): Promise<Uint8Array> =>
  size.width === thumbnailSize.width && size.height === thumbnailSize.height
    ? image
    : sharp(image)
        .resize({ ...size, fit: 'inside', withoutEnlargement: true })
        .jpeg()
        .toBuffer()

async function sendInstanceThumbnail(reading: Reading): Promise<FastifyReply> {
  const { deps, service, scope, path, request, reply } = reading
  const { type } = chooseType(request, service.answers)
  const size = parseThumbnailSize(request)
  const image = await drawFrame(reading, await getInstance(deps, scope, path), size).catch((cause: unknown) => {
    throw cause instanceof Refusal && cause.status === 406 ? new Refusal(404, cause.code, cause.message) : cause
  })
  return sendPicture(scope, reply, type, image)
}
