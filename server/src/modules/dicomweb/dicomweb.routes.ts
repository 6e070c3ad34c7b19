import type { FastifyInstance } from 'fastify'
import { TooManyPictures } from '../../dicom/noPicture.ts'
import { PictureRenderer } from '../../dicom/pictureRenderer.ts'
import { createAccessAudit } from '../scan/reading/accessAudit.ts'
import { createThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendError } from '../../http/errorResponses.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { toStoreRefusal } from './storeRefusal.ts'
import { registerLaunch } from './viewerLaunch.ts'
import { renderedImageHandlers } from './renderedImages.ts'
import { searchHandler } from './qido.ts'
import { registerResumableUploads } from './resumableUploads.ts'
import { storeHandler } from './stow.ts'
import { wadoHandlers } from './wado.ts'

const study = '/dicom-web/studies/:study'
const series = `${study}/series/:series`
const instance = `${series}/instances/:instance`

/** DICOMweb at `/dicom-web`, resumable uploads, and the launch of the image viewer. */
export async function registerDicomWeb(app: FastifyInstance, deps: Dependencies): Promise<void> {
  const pictures = new PictureRenderer(deps.settings.pictureThreads)
  const pictureDeps = { db: deps.db, stored: deps.stored, pictures }
  const thumbnails = createThumbnailWarmer(pictureDeps, deps.background)
  app.addHook('onClose', async () => {
    thumbnails.close()
    await pictures.close()
  })
  const recordAccess = createAccessAudit(deps)
  registerLaunch(app, deps, recordAccess)
  await registerResumableUploads(app, deps, thumbnails)

  await app.register(async (scope) => {
    // Bodies of uploads are streamed, never collected.
    for (const type of [/^multipart\/related/i, /^application\/dicom/i])
      scope.addContentTypeParser(type, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => {
      // The server does not wait for the rest of a refused upload.
      if (request.method === 'POST') void reply.header('connection', 'close')
      return sendError(toRefusal(error), request, reply)
    })

    const config = { limit: 'DICOMweb' } as const
    const [upload, options] = [{ bodyLimit: Number.MAX_SAFE_INTEGER, config }, { config }]
    const postObjects = storeHandler(deps, thumbnails)
    scope.post('/dicom-web/studies', upload, postObjects)
    scope.post(study, upload, postObjects)

    scope.get('/dicom-web/studies', options, searchHandler(deps, recordAccess, 'studies'))
    for (const path of ['/dicom-web/series', `${study}/series`])
      scope.get(path, options, searchHandler(deps, recordAccess, 'series'))
    for (const path of ['/dicom-web/instances', `${study}/instances`, `${series}/instances`])
      scope.get(path, options, searchHandler(deps, recordAccess, 'instances'))

    const retrieve = wadoHandlers(deps, recordAccess)
    for (const path of [study, series, instance]) {
      scope.get(path, options, retrieve.objects)
      scope.get(`${path}/metadata`, options, retrieve.metadata)
    }
    scope.get(`${instance}/frames/:frames`, options, retrieve.frames)
    scope.get(`${instance}/bulkdata/*`, options, retrieve.bulkData)

    const { thumbnail, rendered } = renderedImageHandlers(deps, pictureDeps, recordAccess)
    for (const path of [study, series, instance, `${instance}/frames/:frames`])
      scope.get(`${path}/thumbnail`, options, thumbnail)
    for (const path of [instance, `${instance}/frames/:frames`]) scope.get(`${path}/rendered`, options, rendered)

    scope.all('/dicom-web/*', options, async () => {
      throw notFound()
    })
  })
}

function toRefusal(error: unknown): unknown {
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  return error instanceof TooManyPictures ? new Refusal(503, 'NOT_READY', error.message, undefined, 5) : error
}
