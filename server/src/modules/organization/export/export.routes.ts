import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forHoldersOfTheAddress } from '../../../core/access.ts'
import { inPresentName, takeTurnOf } from '../../../core/asker.ts'
import { toCaller } from '../../../core/caller.ts'
import { notFound, Refusal } from '../../../core/errors.ts'
import type { News } from '../../../db/bus.ts'
import { readingLimits } from '../../../dicom/limits.ts'
import type { Dependencies } from '../../../dependencies.ts'
import { ObjectStoreError } from '../../../outside/objectStore.ts'
import { DownloadStreams } from '../../scan/download/downloadStreams.ts'
import { holdMemory } from '../../scan/download/holdMemory.ts'
import { isLinkToken } from '../../scan/linkTokens.ts'
import { archiveBytes, readArchive, type Archive } from './archiveStream.ts'
import { parseByteRange, type AskedRange } from './byteRange.ts'
import { listParts } from './export.repository.ts'
import { countUse, exportPath, findAddress, type OpenAddress } from './exportAddress.ts'
import { failExport, startExports } from './exportJob.ts'

type AddressRequest = FastifyRequest<{ Params: { token: string } }>

/** The list of a part of 5,000 files, and a piece. */
const listBytes = 8 * 2 ** 20

/** Archives are downloaded by an address, whole or in pieces; and the work that prepares them. */
export function registerExports(app: FastifyInstance, deps: Dependencies): void {
  const config = { limit: 'download', access: forHoldersOfTheAddress } as const
  const streams = new DownloadStreams()
  app.get<{ Params: { token: string } }>(exportPath, { exposeHeadRoute: false, config }, async (request, reply) => {
    const address = await getAddress(deps, request)
    const turn = { customer: address.userOrganizationId, person: address.userId }
    takeTurnOf(request, turn)
    deps.openResponses.assign(request.raw, turn.person)
    await holdMemory(deps, turn, reply, readingLimits.streamBytes + listBytes)
    const { archive, size } = await openArchive(deps, address)
    const asked = parseByteRange(
      { range: request.headers.range, ifRange: headerOf(request, 'if-range') },
      etagOf(archive),
      size,
    )
    if (asked === 'beyond') {
      void reply.header('content-range', `bytes */${size}`)
      throw new Refusal(416, 'INVALID', 'The download was already complete.')
    }
    const stretch = asked === 'whole' ? { start: 0, end: size } : asked
    await recordUse(deps, address, request, stretch)
    streams.begin(address.tokenHash, reply)
    request.standOn?.({
      isAbout: (news) => isAboutAddress(news, address),
      goesOn: async () => (await findAddress(deps.db, request.params.token, { isBegun: true })) !== undefined,
    })
    describe(reply, address, archive, stretch.end - stretch.start)
    if (asked !== 'whole')
      void reply.status(206).header('content-range', `bytes ${stretch.start}-${stretch.end - 1}/${size}`)
    return reply.send(openStream(deps, archive, stretch))
  })
  app.head<{ Params: { token: string } }>(exportPath, { config }, async (request, reply) => {
    const address = await getAddress(deps, request)
    const { archive, size } = await openArchive(deps, address)
    describe(reply, address, archive, size)
    return reply.send(null)
  })
  app.addHook('onReady', () => startExports(deps))
}

const headerOf = ({ headers }: FastifyRequest, name: string): string | undefined => headers[name]?.toString()
const etagOf = ({ exportId }: Archive): string => `"${exportId}"`

async function getAddress({ db }: Dependencies, { params: { token } }: AddressRequest): Promise<OpenAddress> {
  const address = isLinkToken(token) ? await findAddress(db, token) : undefined
  if (!address) throw notFound()
  return address
}

async function openArchive({ db }: Dependencies, { row }: OpenAddress): Promise<{ archive: Archive; size: number }> {
  const archive = { organizationId: row.organization_id, exportId: row.id, parts: await listParts(db, row.id) }
  const size = archiveBytes(archive)
  // It ended meanwhile.
  if (size !== Number(row.archive_bytes)) throw notFound()
  return { archive, size }
}

function describe(reply: FastifyReply, { row }: OpenAddress, archive: Archive, length: number): void {
  const day = row.created_date.toISOString().slice(0, 10)
  void reply.headers({
    'content-type': 'application/zip',
    'content-disposition': `attachment; filename="export-${day}-${row.id.slice(0, 8)}.zip"`,
    'content-length': String(length),
    'accept-ranges': 'bytes',
    etag: etagOf(archive),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-accel-buffering': 'no',
  })
}

/** What it was admitted by: the person, the session, the organizations, and the export itself. */
function isAboutAddress(news: News, { userId, userOrganizationId, sessionId, row }: OpenAddress): boolean {
  if (news.kind === 'exportsEnded') return news.exportIds.includes(row.id)
  if (news.kind === 'sessionsEnded') return news.sessionIds.includes(sessionId)
  if (news.kind !== 'viewersChanged') return false
  const organizations = [userOrganizationId, row.organization_id]
  return !!news.userIds?.includes(userId) || organizations.some((id) => !!news.organizationIds?.includes(id))
}

/** Each use with where it begins, before the first byte leaves. */
async function recordUse(
  deps: Dependencies,
  address: OpenAddress,
  request: AddressRequest,
  { start }: AskedRange,
): Promise<void> {
  const viewer = { userId: address.userId, organizationId: address.userOrganizationId }
  await deps.write({ viewer, request: toCaller(request) }, async ({ trx, audit }) => {
    if (!(await countUse(trx, address.tokenHash))) throw notFound()
    await audit({
      event: 'OrganizationExportDownloaded',
      organizationId: address.row.organization_id,
      subject: { exportId: address.row.id, ...(start > 0 && { resumedAtByte: start }) },
    })
  })
}

/** An archive whose objects are gone says so to everybody, instead of breaking off each time. */
function openStream(deps: Dependencies, archive: Archive, stretch: AskedRange): Readable {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    try {
      yield* readArchive(deps, archive, stretch)
    } catch (cause) {
      const isGone = cause instanceof ObjectStoreError && ['MISSING', 'DAMAGED'].includes(cause.fault)
      if (isGone) deps.background(failExport(deps, archive.exportId, 'Deleted'))
      throw cause
    }
  }
  return Readable.from(inPresentName(pieces()), { objectMode: false })
}
