import { may } from '@dmp/contract'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { TooManyPictures } from '../../dicom/noPicture.ts'
import { PictureRenderer } from '../../dicom/pictureRenderer.ts'
import { createAccessAudit, type RecordAccess } from '../scan/reading/accessAudit.ts'
import { createThumbnailWarmer, type PictureDependencies } from '../scan/reading/thumbnails.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendError } from '../../http/errorResponses.ts'
import { behindWalls, forEverybody, forVisitorsOfAShare } from '../../core/access.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { isForOperator, toStoreRefusal } from './storeRefusal.ts'
import { registerLaunch } from './viewerLaunch.ts'
import { renderedImageHandlers } from './renderedImages.ts'
import { searchHandler, type SearchLevel } from './qido.ts'
import { registerResumableUploads } from './resumableUploads.ts'
import { dicomWebRoot } from './scope.ts'
import { sharedRoot } from './sharedScope.ts'
import { registerShareWatch } from './shareWatchRoute.ts'
import { storeHandler } from './stow.ts'
import { wadoHandlers } from './wado.ts'

/** DICOMweb at `/dicom-web`, and again for each share link; resumable uploads, and the launch of the image viewer. */
export async function registerDicomWeb(app: FastifyInstance, deps: Dependencies): Promise<void> {
  const pictures = new PictureRenderer(deps.settings.pictureThreads)
  const pictureDeps = { ...deps, pictures }
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
      if (error instanceof ObjectStoreError && isForOperator(error))
        request.log.error(
          { reason: error.message, about: (error.cause as Error | undefined)?.message },
          'a scan was not served',
        )
      return sendError(toRefusal(error), request, reply)
    })

    const upload = {
      bodyLimit: Number.MAX_SAFE_INTEGER,
      config: { limit: 'DICOMweb', access: behindWalls(may('Scan', 'Upload')) },
    } as const
    const postObjects = storeHandler(deps, thumbnails)
    scope.post(`${dicomWebRoot}/studies`, upload, postObjects)
    scope.post(`${dicomWebRoot}/studies/:study`, upload, postObjects)
    const readers = createReaders(deps, pictureDeps, recordAccess)
    addReading(scope, readers, dicomWebRoot, toReadOptions)
    addReading(scope, readers, sharedRoot, () => visitorOptions)
    registerShareWatch(scope, deps)

    scope.all('/dicom-web/*', { config: { limit: 'DICOMweb', access: forEverybody } }, async () => {
      throw notFound()
    })
  })
}

const createReaders = (deps: Dependencies, pictureDeps: PictureDependencies, recordAccess: RecordAccess) => ({
  search: (level: SearchLevel) => searchHandler(deps, recordAccess, level),
  ...wadoHandlers(deps, recordAccess),
  ...renderedImageHandlers(deps, pictureDeps, recordAccess),
})

/** QIDO-RS and WADO-RS below one root. */
function addReading(
  app: FastifyInstance,
  readers: ReturnType<typeof createReaders>,
  root: string,
  toOptions: (action: 'List' | 'Get' | 'Download') => RouteShorthandOptions,
): void {
  const study = `${root}/studies/:study`
  const series = `${study}/series/:series`
  const instance = `${series}/instances/:instance`
  const frame = `${instance}/frames/:frames`
  const [list, get, download] = [toOptions('List'), toOptions('Get'), toOptions('Download')]
  app.get(`${root}/studies`, list, readers.search('studies'))
  for (const path of [`${root}/series`, `${study}/series`]) app.get(path, list, readers.search('series'))
  for (const path of [`${root}/instances`, `${study}/instances`, `${series}/instances`])
    app.get(path, list, readers.search('instances'))
  for (const path of [study, series, instance]) {
    app.get(path, download, readers.objects)
    app.get(`${path}/metadata`, get, readers.metadata)
  }
  app.get(frame, get, readers.frames)
  app.get(`${instance}/bulkdata/*`, get, readers.bulkData)
  for (const path of [study, series, instance, frame]) app.get(`${path}/thumbnail`, list, readers.thumbnail)
  for (const path of [instance, frame]) app.get(`${path}/rendered`, get, readers.rendered)
}

/** Read by the cookie of a browser that opened a share link. */
const visitorOptions = { config: { limit: 'DICOMweb', access: forVisitorsOfAShare } } as const

/** Read by a token, or by the cookie of a launch. */
const toReadOptions = (action: 'List' | 'Get' | 'Download') =>
  ({ config: { limit: 'DICOMweb', access: behindWalls(may('Scan', action), 'token or launch cookie') } }) as const

function toRefusal(error: unknown): unknown {
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  return error instanceof TooManyPictures ? new Refusal(503, 'NOT_READY', error.message, undefined, 5) : error
}
