import { may, type ActionOf } from '@dmp/contract'
import type { FastifyInstance, RouteShorthandOptions } from 'fastify'
import { createAccessAudit } from '../scan/reading/accessAudit.ts'
import { createThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendError } from '../../http/errorResponses.ts'
import { refuseUnknown } from '../../http/unknownAddress.ts'
import { alsoForMachines, behindWalls, forEverybody, forVisitorsOfAShare } from '../../core/access.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { sendCapabilities } from './capabilities.ts'
import { registerPriors } from './priors.ts'
import { removeHandler } from './removal.ts'
import { createReader, type Route } from './reading.ts'
import { sendRendered, sendRenderedAll, thumbnailHandler } from './renderedImages.ts'
import { registerResumableUploads } from './resumableUploads.ts'
import { createSearchLine, searchHandler } from './qido.ts'
import { root, serviceList, services, type Service, type ServiceName } from './dicomwebServices.ts'
import { isForOperator, toStoreRefusal } from './storeRefusal.ts'
import { sharedRoot } from './sharedScope.ts'
import { registerShareWatch } from './shareWatchRoute.ts'
import { storeHandler } from './stow.ts'
import { registerLaunch } from './viewerLaunch.ts'
import { sendBulkData } from './wadoBulkData.ts'
import { sendFrames } from './wadoFrames.ts'
import { sendMetadata } from './wadoMetadata.ts'
import { sendObjects } from './wadoObjects.ts'

/**
 * DICOMweb at `/dicom-web` as `services` lists it, its reading again for each share link, resumable uploads, and the
 * launch of the image viewer.
 */
export async function registerDicomWeb(app: FastifyInstance, deps: Dependencies): Promise<void> {
  const thumbnails = createThumbnailWarmer(deps, deps.background)
  app.addHook('preClose', async () => thumbnails.close())
  const recordAccess = createAccessAudit(deps)
  registerLaunch(app, deps, recordAccess)
  registerPriors(app, deps, recordAccess)
  await registerResumableUploads(app, deps, thumbnails)

  await app.register(async (scope) => {
    // Bodies of uploads are streamed, never collected.
    for (const type of [/^multipart\/related/i, /^application\/dicom/i])
      scope.addContentTypeParser(type, (_request, body, done) => done(null, body))
    registerErrors(scope)

    const read = createReader(deps, recordAccess)
    const searches = createSearchLine()
    const search = (service: Service & { level: 'studies' | 'series' | 'instances' }): Route =>
      searchHandler(deps, recordAccess, searches, service)
    const handlers: Readonly<Record<ServiceName, Route>> = {
      store: storeHandler(deps, thumbnails, services.store),
      searchStudies: search(services.searchStudies),
      searchSeries: search(services.searchSeries),
      searchInstances: search(services.searchInstances),
      objects: read(services.objects, sendObjects),
      object: read(services.object, sendObjects),
      metadata: read(services.metadata, sendMetadata),
      frames: read(services.frames, sendFrames),
      bulkData: read(services.bulkData, sendBulkData),
      rendered: read(services.rendered, sendRendered),
      renderedAll: read(services.renderedAll, sendRenderedAll),
      thumbnail: thumbnailHandler(deps, services.thumbnail, read),
      remove: removeHandler(deps, services.remove),
    }
    for (const [name, { method, paths, action }] of serviceList)
      for (const url of paths) {
        scope.route({ method, url, ...toRouteOptions(method, action), handler: handlers[name] })
        if (method === 'GET')
          scope.route({ method, url: url.replace(root, sharedRoot), ...visitorOptions, handler: handlers[name] })
      }
    registerShareWatch(scope, deps)

    // A reader that sends no method of its own gets 404 below; what there is, everybody may know.
    const open = { config: { limit: 'DICOMweb', access: forEverybody } } as const
    for (const url of [root, `${root}/*`]) scope.options(url, open, sendCapabilities)
    scope.route({
      method: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
      url: `${root}/*`,
      ...open,
      onRequest: refuseUnknown,
      handler: async () => {
        throw notFound()
      },
    })
  })
}

/** Read by the cookie of a browser that opened a share link. */
const visitorOptions = { config: { limit: 'DICOMweb', access: forVisitorsOfAShare } } as const

function toRouteOptions(method: Service['method'], action: ActionOf<'Scan'>): RouteShorthandOptions {
  if (method === 'POST')
    return {
      bodyLimit: Number.MAX_SAFE_INTEGER,
      config: { limit: 'DICOMweb', access: alsoForMachines(behindWalls(may('Scan', action))) },
    }
  // What is read is read by a token, or by the cookie of a launch; that opens nothing else.
  const secret = method === 'GET' ? 'token or launch cookie' : 'token'
  return { config: { limit: 'DICOMweb', access: alsoForMachines(behindWalls(may('Scan', action), secret)) } }
}

function registerErrors(scope: FastifyInstance): void {
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
}

function toRefusal(error: unknown): unknown {
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  return (error as { code?: unknown }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? wrongBody() : error
}

const wrongBody = (): Refusal =>
  new Refusal(
    415,
    'WRONG_TYPE',
    'This address takes multipart/related of application/dicom, multipart/related of application/dicom+json with ' +
      'bulk data, or one object as application/dicom.',
  )
