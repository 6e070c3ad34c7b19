import { AsyncLocalStorage } from 'node:async_hooks'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commit, isPrepared, prepare, type IncomingObject, type IntakeOutcome } from '../scan/intake/intake.ts'
import { getDatastore, refuseDeactivated } from '../scan/scan.repository.ts'
import type { thumbnailWarmer } from '../scan/reading/thumbnails.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendError, isDiskFull, diskFull } from '../../http/errorResponses.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { uploadSource, toStoreRefusal } from './arrivals.ts'
import { getScope, type Scope } from './scope.ts'
import { storeResponse } from './storeResponse.ts'

const path = '/api/Scan/uploads'
/** An upload that nobody goes on with is forgotten after this time. */
const EXPIRY_MS = 24 * 3_600_000
const CLEANING_MS = 3_600_000

interface Owner {
  readonly userId: string
  readonly organizationId: string
}

/**
 * Resumable upload of one object, by the tus protocol: what arrived before the line broke is not sent again. When the
 * last byte is here the object is checked and stored as by STOW-RS, and the answer is the same; 201 it is stored, 409
 * it was refused.
 */
export async function registerResumableUploads(
  app: FastifyInstance,
  deps: Dependencies,
  warmer: Pick<ReturnType<typeof thumbnailWarmer>, 'warm'>,
): Promise<void> {
  const directory = join(deps.settings.dataDir, 'uploads')
  await mkdir(directory, { recursive: true })
  const files = new FileStore({ directory, expirationPeriodInMilliseconds: EXPIRY_MS })
  const current = new AsyncLocalStorage<Scope>()

  const tus = new Server({
    path,
    datastore: files,
    relativeLocation: true,
    maxSize: deps.settings.scanMaxMegabytes * 2 ** 20,
    // Pages of other origins get nothing (P10).
    allowedOrigins: () => false,
    onUploadCreate: async () => {
      const scope = current.getStore()
      if (!scope) throw new Error('An upload without an owner.')
      const owner: Owner = { userId: scope.viewer.userId, organizationId: scope.store.organizationId }
      // Names of files may be names of people: nothing that the sender says about the file is kept.
      return { metadata: { ...owner } }
    },
    onUploadFinish: async (_request, upload) => {
      const scope = current.getStore()
      if (!scope) throw new Error('An upload without an owner.')
      const outcome = await takeIn(deps, scope, join(directory, upload.id))
      await files.remove(upload.id)
      if (outcome.kind === 'accepted') warmer.warm(scope.store.organizationId, [outcome.seriesUID])
      const headers = { 'content-type': 'application/dicom+json' }
      return {
        status_code: outcome.kind === 'refused' ? 409 : 201,
        headers,
        body: JSON.stringify(storeResponse([{ part: 1, outcome }])),
      }
    },
    onResponseError: (_request, error) => {
      if (error instanceof ObjectStoreError) return { status_code: toStoreRefusal(error).status, body: error.message }
      if (isDiskFull(error)) return { status_code: diskFull().status, body: diskFull().message }
      // What tus says of its own protocol is for the sender; anything else is not.
      if ('status_code' in error) return { status_code: error.status_code, body: 'body' in error ? error.body : '' }
      deps.log.error({ reason: error.message }, 'an upload failed')
      return { status_code: 500, body: 'Something went wrong. Please try again later.' }
    },
  })

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const owned = await ownedScope(deps, files, request, await getScope(deps, request, 'Upload'))
    if (owned.store.dataStoreID === null)
      throw new Refusal(
        409,
        'NO_DATASTORE',
        'This organization has no datastore yet. Ask an administrator to create one.',
      )
    void reply.hijack()
    await current.run(owned, () => tus.handle(request.raw, reply.raw))
    return reply
  }

  const cleaning = setInterval(() => deps.background(tus.cleanUpExpiredUploads()), CLEANING_MS).unref()
  app.addHook('onClose', async () => clearInterval(cleaning))

  await app.register(async (scope) => {
    // Bodies are read by the protocol's own server.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) =>
      sendError(error instanceof ObjectStoreError ? toStoreRefusal(error) : error, request, reply),
    )
    const options = { bodyLimit: Number.MAX_SAFE_INTEGER }
    scope.post(path, options, handle)
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const)
      scope.route({ method, url: `${path}/:id`, ...options, handler: handle })
  })
}

/** An upload of somebody else does not exist; into which organization it goes was said when it began. */
async function ownedScope(
  { db }: Dependencies,
  files: FileStore,
  request: FastifyRequest,
  scope: Scope,
): Promise<Scope> {
  const { id } = request.params as { id?: string }
  if (id === undefined) return scope
  const upload = /^[0-9a-f]{32}$/.test(id) ? await files.getUpload(id).catch(() => undefined) : undefined
  if (upload?.metadata?.userId !== scope.viewer.userId) throw notFound()
  const store = await getDatastore(db, scope.viewer, upload.metadata.organizationId ?? undefined)
  refuseDeactivated(store)
  return { ...scope, store }
}

async function takeIn(deps: Dependencies, scope: Scope, file: string): Promise<IntakeOutcome> {
  const arrival: IncomingObject = {
    organizationId: scope.store.organizationId,
    source: uploadSource(scope),
    context: scope.context,
  }
  const prepared = await prepare(
    deps.objects,
    arrival,
    createReadStream(file, { highWaterMark: 2 ** 18 }),
    deps.settings.scanMaxMegabytes * 2 ** 20,
  )
  if (!isPrepared(prepared)) return prepared
  const [outcome] = await commit(deps, arrival, [prepared])
  if (!outcome) throw new Error('An object without an outcome.')
  return outcome
}
