import { AsyncLocalStorage } from 'node:async_hooks'
import { EVENTS } from '@tus/server'
import { may, permits } from '@dmp/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { behindWalls, forEverybody } from '../../../core/access.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { Viewer } from '../../../core/context.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { sendError } from '../../../http/errorResponses.ts'
import { authenticate } from '../../../identity/authenticate.ts'
import { recognize } from '../../../identity/recognize.ts'
import { rightOfViewer } from '../../../identity/rightUnderWay.ts'
import { checkTusRequest, findTusMethod, restate, sendTusOptions, toTusRefusal } from '../../dicomweb/tusRequests.ts'
import { TusServer } from '../../dicomweb/tusServer.ts'
import { offsetType, tusOfImports } from '../../dicomweb/tusServices.ts'
import { UploadLocker } from '../../dicomweb/uploadLocker.ts'
import { findImport, moveImport, type ImportRow } from './import.repository.ts'
import { ImportFiles, toFileId } from './importFiles.ts'
import { mayImport } from './importJob.ts'
import { ImportRunner } from './importRunner.ts'

const root = '/api/Organization/imports'
/** So often an upload is said to go on. */
const arrivalMs = 5000
/** Until a request lets go of an upload that somebody else waits for. */
const letGoMs = 1000
const permission = may('Organization', 'Import')
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const toImportUrl = ({ publicUrl }: Pick<Dependencies, 'publicUrl'>, id: string): string =>
  `${publicUrl()}${root}/${id}`

interface OpenImport {
  readonly row: ImportRow
  readonly viewer: Viewer
}

/** Archives arrive by tus at the address that their import has; and the work that takes them in. */
export async function registerImports(app: FastifyInstance, deps: Dependencies): Promise<void> {
  const files = new ImportFiles(deps)
  const runner = new ImportRunner(deps, files)
  app.addHook('onReady', async () => runner.start()).addHook('preClose', () => runner.close())
  const current = new AsyncLocalStorage<OpenImport>()
  const tus = createTusServer(deps, files, runner, current)
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const open = await admit(deps, request)
    const method = findTusMethod(request)
    checkTusRequest(request, method, reply)
    if (method === 'DELETE') throw notFound()
    if (open.row.state !== 'Uploading') return sayArrived(reply, open.row)
    if (!(await files.has(open.row))) throw elsewhere()
    restate(request.raw, method)
    void reply.hijack()
    await current.run(open, () => tus.answer(request, reply))
    return reply
  }
  await app.register(async (scope) => {
    scope.addContentTypeParser(offsetType, (_request, _body, done) => done(null))
    scope.setErrorHandler((error, request, reply) => sendError(toTusRefusal(error), request, reply))
    const sendOptions = sendTusOptions([], deps.settings.importGigabytes * 2 ** 30)
    for (const { method, path, limit, isForEverybody } of tusOfImports)
      scope.route({
        method,
        url: path,
        bodyLimit: Number.MAX_SAFE_INTEGER,
        config: { limit, access: isForEverybody ? forEverybody : behindWalls(permission) },
        handler: isForEverybody ? sendOptions : handle,
      })
  })
}

/** The answer to the last byte may have got lost: whoever asks is told that nothing is missing. */
const sayArrived = (reply: FastifyReply, { archive_bytes }: ImportRow): FastifyReply =>
  reply
    .headers({ 'upload-offset': archive_bytes, 'upload-length': archive_bytes, 'cache-control': 'no-store' })
    .send(null)

/** With several servers each address leads to the one that has the beginning; a proxy has to keep to it. */
const elsewhere = (): Refusal =>
  new Refusal(
    404,
    'NOT_FOUND',
    'The upload of this import is not here (any more). Stop the import, and start it again.',
  )

/** Whoever started the import, while it is uploaded and they may; for everybody else it does not exist. */
async function admit(deps: Dependencies, request: FastifyRequest): Promise<OpenImport> {
  const viewer = await authenticate(deps, request)
  if (!permits(viewer.policy, permission) || viewer.isLimited) {
    deps.refusedAccess(viewer, request, 'Organization Import')
    throw new Refusal(403, 'NOT_ALLOWED', 'You do not have access to this action.')
  }
  request.viewer = viewer
  await recognize(deps, request, viewer, request.routeOptions.config.limit ?? 'continue an upload')
  const { id } = request.params as { id: string }
  const row = uuid.test(id) ? await findImport(deps.db, id) : undefined
  const states = request.method === 'HEAD' ? ['Uploading', 'Waiting', 'Running', 'Done'] : ['Uploading']
  if (row?.user_id !== viewer.userId || !states.includes(row.state) || !(await mayImport(deps, row))) throw notFound()
  const right = rightOfViewer(deps.db, viewer, row.organization_id)
  request.standOn?.({
    isAbout: (news) => right.isAbout(news) || (news.kind === 'importsEnded' && news.importIds.includes(row.id)),
    goesOn: async () =>
      (await right.goesOn()) &&
      (await mayImport(deps, row)) &&
      (await findImport(deps.db, row.id))?.state === 'Uploading',
  })
  return { row, viewer }
}

function createTusServer(
  deps: Dependencies,
  files: ImportFiles,
  runner: ImportRunner,
  current: AsyncLocalStorage<OpenImport>,
): TusServer {
  const getRow = (): ImportRow => {
    const open = current.getStore()
    if (!open) throw new Error('No import is being uploaded to.')
    return open.row
  }
  const tell = async (id: string, bytes: number): Promise<void> => {
    await moveImport(deps.db, id, ['Uploading'], { bytes_arrived: bytes, alive_date: new Date() })
  }
  const tus = new TusServer({
    path: root,
    datastore: files.uploads,
    locker: new UploadLocker(deps.stopping.signal),
    lockDrainTimeout: letGoMs,
    getFileIdFromRequest: () => toFileId(getRow().id),
    maxSize: deps.settings.importGigabytes * 2 ** 30,
    postReceiveInterval: arrivalMs,
    onUploadFinish: async (_request, { size }) => {
      const values = { state: 'Waiting', bytes_arrived: size ?? 0, alive_date: new Date() } as const
      await moveImport(deps.db, getRow().id, ['Uploading'], values)
      runner.wake()
      return {}
    },
  })
  tus.on(EVENTS.POST_RECEIVE, (_request, upload) => deps.background(tell(toImportId(upload.id), upload.offset)))
  return tus
}

const toImportId = (fileId: string): string => fileId.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
