import { may } from '@dmp/contract'
import type { FastifyInstance } from 'fastify'
import { TooManyPictures } from '../../dicom/noPicture.ts'
import { PictureRenderer } from '../../dicom/pictureRenderer.ts'
import { createAccessAudit } from '../scan/reading/accessAudit.ts'
import { createThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendError } from '../../http/errorResponses.ts'
import { behindWalls, forEverybody } from '../../core/access.ts'
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

    const upload = {
      bodyLimit: Number.MAX_SAFE_INTEGER,
      config: { limit: 'DICOMweb', access: behindWalls(may('Scan', 'Upload')) },
    } as const
    const [list, get, download] = [toReadOptions('List'), toReadOptions('Get'), toReadOptions('Download')]
    const postObjects = storeHandler(deps, thumbnails)
    scope.post('/dicom-web/studies', upload, postObjects)
    scope.post(study, upload, postObjects)

    scope.get('/dicom-web/studies', list, searchHandler(deps, recordAccess, 'studies'))
    for (const path of ['/dicom-web/series', `${study}/series`])
      scope.get(path, list, searchHandler(deps, recordAccess, 'series'))
    for (const path of ['/dicom-web/instances', `${study}/instances`, `${series}/instances`])
      scope.get(path, list, searchHandler(deps, recordAccess, 'instances'))

    const retrieve = wadoHandlers(deps, recordAccess)
    for (const path of [study, series, instance]) {
      scope.get(path, download, retrieve.objects)
      scope.get(`${path}/metadata`, get, retrieve.metadata)
    }
    scope.get(`${instance}/frames/:frames`, get, retrieve.frames)
    scope.get(`${instance}/bulkdata/*`, get, retrieve.bulkData)

    const { thumbnail, rendered } = renderedImageHandlers(deps, pictureDeps, recordAccess)
    for (const path of [study, series, instance, `${instance}/frames/:frames`])
      scope.get(`${path}/thumbnail`, list, thumbnail)
    for (const path of [instance, `${instance}/frames/:frames`]) scope.get(`${path}/rendered`, get, rendered)

    scope.all('/dicom-web/*', { config: { limit: 'DICOMweb', access: forEverybody } }, async () => {
      throw notFound()
    })
  })
}

/** Read by a token, or by the cookie of a launch. */
const toReadOptions = (action: 'List' | 'Get' | 'Download') =>
  ({ config: { limit: 'DICOMweb', access: behindWalls(may('Scan', action), 'token or launch cookie') } }) as const

function toRefusal(error: unknown): unknown {
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  return error instanceof TooManyPictures ? new Refusal(503, 'NOT_READY', error.message, undefined, 5) : error
}
