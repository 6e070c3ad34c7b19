import { AsyncLocalStorage } from 'node:async_hooks'
import { EVENTS, type Upload } from '@tus/server'
import { may } from '@dmp/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { assertRoom } from '../scan/intake/quota.ts'
import { getDatastore, refuseDeactivated, assertDatastore } from '../scan/scan.repository.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { sendError } from '../../http/errorResponses.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import { maxUploadBytes } from '../../settings/settings.ts'
import { FinishedUploads, toLastAnswer } from './finishedUploads.ts'
import { KeptOutcomes } from './keptOutcomes.ts'
import { getScope, type Scope } from './scope.ts'
import { isClockSteady } from '../../core/clock.ts'
import { checkTusRequest, findTusMethod, restate, sendTusOptions, toTusRefusal, uploadTooLarge } from './tusRequests.ts'
import { TusServer } from './tusServer.ts'
import { offsetType, tusServices, uploadsRoot } from './tusServices.ts'
import { newUploadId, type UploadOwner, type UploadRoom, type UploadRooms } from './unfinishedUploads.ts'
import { openUploads, type OpenUploads } from './uploads/openUploads.ts'
import type { UploadStore } from './uploads/uploadStore.ts'
import { alsoForMachines, behindWalls, forEverybody } from '../../core/access.ts'

const cleanupIntervalMs = 3_600_000
/** Until a request lets go of an upload that somebody else waits for. */
const letGoMs = 1000

/** What the server has judged about the request that is being handled; nothing else may name the upload. */
interface JudgedRequest {
  readonly scope: Scope
  /** Undefined while an upload begins. */
  readonly uploadId: string | undefined
  /** Room for the upload that begins. */
  readonly room: UploadRoom | undefined
}

/** Where uploads wait for their last byte, and the request that is being handled. */
interface UploadDependencies extends OpenUploads {
  readonly deps: Dependencies
  readonly finished: FinishedUploads
  readonly currentRequest: AsyncLocalStorage<JudgedRequest>
}

/**
 * Resumable upload of one object, by the tus protocol: bytes that arrived before the connection broke are not sent
 * again. With the last byte the object is checked and stored as by STOW-RS; whoever accepts DICOM JSON gets its answer.
 */
export async function registerResumableUploads(
  app: FastifyInstance,
  deps: Dependencies,
  thumbnails: Pick<ThumbnailWarmer, 'warm'>,
): Promise<void> {
  const uploads = await openUploads(deps)
  const { files, unfinished, exclusively } = uploads
  const currentRequest = new AsyncLocalStorage<JudgedRequest>()
  measure(deps, unfinished)
  const outcomes = new KeptOutcomes(files)
  const finished = new FinishedUploads({ deps, thumbnails, files, unfinished, outcomes, exclusively })
  const tus = createTusServer({ ...uploads, deps, finished, currentRequest })
  const sweep = async (): Promise<void> => {
    if (isClockSteady()) await tus.cleanUpExpiredUploads()
    await unfinished.refresh()
    await outcomes.refresh()
  }
  await unfinished.refresh()

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'Upload')
    refuseUnknownQuery(request)
    const method = findTusMethod(request)
    checkTusRequest(request, method, reply)
    const judgedRequest = await judge(deps, files, request, scope)
    const { uploadId } = judgedRequest
    assertDatastore(judgedRequest.scope.store)
    if (method === 'HEAD' && uploadId !== undefined) await finished.settle(uploadId, judgedRequest.scope)
    const room = method === 'POST' ? await findRoom(deps, unfinished, request, scope) : undefined
    restate(request.raw, method)
    void reply.hijack()
    try {
      await currentRequest.run({ ...judgedRequest, room }, () => tus.answer(request, reply))
    } finally {
      // The answer is on its way already; what did not begin is swept a little later.
      if (room) deps.background(Promise.resolve(room.release()))
    }
    return reply
  }

  deps.background(sweep())
  const sweeping = setInterval(() => deps.background(sweep()), cleanupIntervalMs).unref()
  app.addHook('onClose', async () => clearInterval(sweeping))

  await app.register(async (scope) => {
    // The server of the protocol reads the bodies itself.
    scope.addContentTypeParser(offsetType, (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) => sendError(toTusRefusal(error), request, reply))
    const bodyLimit = Number.MAX_SAFE_INTEGER
    const access = alsoForMachines(behindWalls(may('Scan', 'Upload')))
    const sendOptions = sendTusOptions(files.extensions, maxUploadBytes(deps.settings))
    for (const { method, path, limit, isForEverybody } of tusServices)
      scope.route({
        method,
        url: path,
        bodyLimit,
        config: { limit, access: isForEverybody ? forEverybody : access },
        handler: isForEverybody ? sendOptions : handle,
      })
  })
}

const measure = ({ metrics }: Dependencies, unfinished: UploadRooms): void =>
  metrics?.gauge('dmp_unfinished_uploads', 'Resumable uploads that are not finished', () => unfinished.count())

/** Room for an upload of the promised length; of the greatest length, where none is promised. */
async function findRoom(
  deps: Dependencies,
  unfinished: UploadRooms,
  { headers }: FastifyRequest,
  { viewer, store }: Scope,
): Promise<UploadRoom> {
  const length = Number(headers['upload-length'] ?? Number.NaN)
  const most = maxUploadBytes(deps.settings)
  // No wait would help it.
  if (length > most) throw uploadTooLarge(most)
  const bytes = Number.isSafeInteger(length) && length >= 0 ? length : most
  await assertRoom(deps, store.organizationId, bytes)
  return unfinished.reserve({ userId: viewer.userId, organizationId: store.organizationId }, bytes)
}

function createTusServer(uploadDeps: UploadDependencies): TusServer {
  const { deps, files, unfinished, finished, locker, currentRequest } = uploadDeps
  const getCurrentScope = (): Scope => {
    const judgedRequest = currentRequest.getStore()
    if (!judgedRequest) throw new Error('An upload without an owner.')
    return judgedRequest.scope
  }
  const tus = new TusServer({
    path: uploadsRoot,
    datastore: files,
    locker,
    lockDrainTimeout: letGoMs,
    relativeLocation: true,
    namingFunction: () => currentRequest.getStore()?.room?.uploadId ?? newUploadId(),
    // By itself the library reads the id from the whole address, query included, which could name another upload.
    getFileIdFromRequest: () => currentRequest.getStore()?.uploadId,
    maxSize: maxUploadBytes(deps.settings),
    onUploadCreate: async () => {
      const scope = getCurrentScope()
      currentRequest.getStore()?.room?.keep()
      const owner: UploadOwner = { userId: scope.viewer.userId, organizationId: scope.store.organizationId }
      // File names may be names of people: nothing that the sender says about the file is kept.
      return { metadata: { ...owner, ...(await files.chooseKey(owner.organizationId)) } }
    },
    onUploadFinish: async ({ headers }, { id }) => {
      const scope = await findOwnersScope(deps, getCurrentScope(), await files.findRecord(id))
      return toLastAnswer(await finished.finish(id, scope), headers.get('accept'), scope.origin)
    },
  })
  tus.on(EVENTS.POST_TERMINATE, (_request, _response, uploadId) => unfinished.forget(uploadId))
  return tus
}

/** Another user's upload does not exist. */
async function judge(
  deps: Dependencies,
  files: UploadStore,
  request: FastifyRequest,
  scope: Scope,
): Promise<JudgedRequest> {
  const { id } = request.params as { id?: string }
  if (id === undefined) return { scope, uploadId: undefined, room: undefined }
  const record = /^[0-9a-f]{32}$/.test(id) ? await files.findRecord(id) : undefined
  return { scope: await findOwnersScope(deps, scope, record), uploadId: id, room: undefined }
}

/** The scope of an upload's owner, in the organization that was fixed when the upload began. */
async function findOwnersScope({ db }: Dependencies, scope: Scope, metadata: Upload['metadata']): Promise<Scope> {
  if (metadata?.userId !== scope.viewer.userId) throw notFound()
  const store = await getDatastore(db, scope.viewer, metadata.organizationId ?? undefined)
  refuseDeactivated(store)
  return { ...scope, store }
}

/** An address holds the organization and nothing more: what one program overlooks, another one may obey. */
function refuseUnknownQuery(request: FastifyRequest): void {
  const names = Object.keys(request.query as Record<string, unknown>)
  if (names.some((name) => name !== 'organizationId'))
    throw new Refusal(400, 'INVALID', 'The address of an upload takes no parameter but organizationId.')
}
