import type { FastifyInstance } from 'fastify'
import type { AuditEntry } from '../../db/audit.ts'
import type { WriteContext } from '../../db/write.ts'
import { PictureRoom, TooManyPictures } from '../../dicom/picture.ts'
import { createAccessAudit } from '../scan/reading/accessAudit.ts'
import { thumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendError } from '../../http/errorResponses.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { toStoreRefusal } from './arrivals.ts'
import { registerLaunch } from './viewerLaunch.ts'
import { registerRenderedImages } from './renderedImages.ts'
import { search } from './qido.ts'
import { registerResumableUploads } from './resumableUploads.ts'
import { storeInstances } from './stow.ts'
import { wado } from './wado.ts'

/** Records who saw what before it is shown. */
export type RecordAccess = (context: WriteContext, entry: AuditEntry) => Promise<void>

const study = '/dicom-web/studies/:study'
const series = `${study}/series/:series`
const instance = `${series}/instances/:instance`

/** DICOMweb at `/dicom-web` and resumable uploads, and the launch of viewers. */
export async function registerDicomWeb(app: FastifyInstance, deps: Dependencies): Promise<void> {
  const pictureRoom = new PictureRoom()
  const pictureParts = { db: deps.db, objects: deps.objects, pictures: pictureRoom }
  const warmer = thumbnailWarmer(pictureParts, deps.background)
  app.addHook('onClose', async () => {
    warmer.close()
    await pictureRoom.close()
  })
  const seen = createAccessAudit(deps)
  registerLaunch(app, deps, seen)
  await registerResumableUploads(app, deps, warmer)

  await app.register(async (scope) => {
    // Bodies of uploads are streams; nobody collects them.
    for (const type of [/^multipart\/related/i, /^application\/dicom/i])
      scope.addContentTypeParser(type, (_request, body, done) => done(null, body))
    scope.setErrorHandler((error, request, reply) => {
      // The rest of a refused upload is not worth waiting for.
      if (request.method === 'POST') void reply.header('connection', 'close')
      return sendError(refusalOf(error), request, reply)
    })

    const upload = { bodyLimit: Number.MAX_SAFE_INTEGER }
    const store = storeInstances(deps, warmer)
    scope.post('/dicom-web/studies', upload, store)
    scope.post(study, upload, store)

    scope.get('/dicom-web/studies', search(deps, seen, 'studies'))
    for (const path of ['/dicom-web/series', `${study}/series`]) scope.get(path, search(deps, seen, 'series'))
    for (const path of ['/dicom-web/instances', `${study}/instances`, `${series}/instances`])
      scope.get(path, search(deps, seen, 'instances'))

    const retrieve = wado(deps, seen)
    for (const path of [study, series, instance]) {
      scope.get(path, retrieve.objects)
      scope.get(`${path}/metadata`, retrieve.metadata)
    }
    scope.get(`${instance}/frames/:frames`, retrieve.frames)
    scope.get(`${instance}/bulkdata/*`, retrieve.bulkData)

    const { thumbnail, rendered } = registerRenderedImages(deps, pictureParts, seen)
    for (const path of [study, series, instance, `${instance}/frames/:frames`])
      scope.get(`${path}/thumbnail`, thumbnail)
    for (const path of [instance, `${instance}/frames/:frames`]) scope.get(`${path}/rendered`, rendered)

    scope.all('/dicom-web/*', async () => {
      throw notFound()
    })
  })
}

function refusalOf(error: unknown): unknown {
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  return error instanceof TooManyPictures ? new Refusal(503, 'NOT_READY', error.message, undefined, 5) : error
}
