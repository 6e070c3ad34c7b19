import { AsyncLocalStorage } from 'node:async_hooks'
import { createReadStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { FileStore } from '@tus/file-store'
import { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { commit, isPrepared, prepare, type Arrival, type Outcome } from '../../modules/scan/intake.ts'
import { getStore, refuseDeactivated } from '../../modules/scan/scan.repository.ts'
import type { thumbnailWarmer } from '../../modules/scan/thumbnails.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import type { Parts } from '../../parts.ts'
import { answerError, isFull, noRoom } from '../errors.ts'
import { notThere, Refusal } from '../refusal.ts'
import { sourceOf, storeRefusal } from './arrivals.ts'
import { scopeOf, type Scope } from './scope.ts'
import { storeResponse } from './stowAnswer.ts'

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
  parts: Parts,
  warmer: Pick<ReturnType<typeof thumbnailWarmer>, 'warm'>,
): Promise<void> {
  const directory = join(parts.settings.dataDir, 'uploads')
  await mkdir(directory, { recursive: true })
  const files = new FileStore({ directory, expirationPeriodInMilliseconds: EXPIRY_MS })
  const current = new AsyncLocalStorage<Scope>()

  const tus = new Server({
    path,
    datastore: files,
    relativeLocation: true,
    maxSize: parts.settings.scanMaxMegabytes * 2 ** 20,
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
      const outcome = await takeIn(parts, scope, join(directory, upload.id))
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
      if (error instanceof ObjectStoreError) return { status_code: storeRefusal(error).status, body: error.message }
      if (isFull(error)) return { status_code: noRoom().status, body: noRoom().message }
      // What tus says of its own protocol is for the sender; anything else is not.
      if ('status_code' in error) return { status_code: error.status_code, body: 'body' in error ? error.body : '' }
      parts.log.error({ reason: error.message }, 'an upload failed')
      return { status_code: 500, body: 'Something went wrong. Please try again later.' }
    },
  })

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const owned = await ownedScope(parts, files, request, await scopeOf(parts, request, 'Upload'))
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

  const cleaning = setInterval(() => parts.background(tus.cleanUpExpiredUploads()), CLEANING_MS).unref()
  app.addHook('onClose', async () => clearInterval(cleaning))

  await app.register(async (scope) => {
    // Bodies are read by the protocol's own server.
    scope.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) =>
      answerError(error instanceof ObjectStoreError ? storeRefusal(error) : error, request, reply),
    )
    const options = { bodyLimit: Number.MAX_SAFE_INTEGER }
    scope.post(path, options, handle)
    for (const method of ['HEAD', 'PATCH', 'DELETE'] as const)
      scope.route({ method, url: `${path}/:id`, ...options, handler: handle })
  })
}

/** An upload of somebody else does not exist; into which organization it goes was said when it began. */
async function ownedScope({ db }: Parts, files: FileStore, request: FastifyRequest, scope: Scope): Promise<Scope> {
  const { id } = request.params as { id?: string }
  if (id === undefined) return scope
  const upload = /^[0-9a-f]{32}$/.test(id) ? await files.getUpload(id).catch(() => undefined) : undefined
  if (upload?.metadata?.userId !== scope.viewer.userId) throw notThere()
  const store = await getStore(db, scope.viewer, upload.metadata.organizationId ?? undefined)
  refuseDeactivated(store)
  return { ...scope, store }
}

async function takeIn(parts: Parts, scope: Scope, file: string): Promise<Outcome> {
  const arrival: Arrival = {
    organizationId: scope.store.organizationId,
    source: sourceOf(scope),
    context: scope.context,
  }
  const prepared = await prepare(
    parts.objects,
    arrival,
    createReadStream(file, { highWaterMark: 2 ** 18 }),
    parts.settings.scanMaxMegabytes * 2 ** 20,
  )
  if (!isPrepared(prepared)) return prepared
  const [outcome] = await commit(parts, arrival, [prepared])
  if (!outcome) throw new Error('An object without an outcome.')
  return outcome
}
