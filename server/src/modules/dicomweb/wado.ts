import { createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readRanges } from '../../dicom/byteSource.ts'
import { findFrameBytes, findRanges, readFrame } from '../../dicom/frames.ts'
import type { MetadataRow } from '../../dicom/headerTasks.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { explicitLittleEndianUID, findTransferSyntax } from '../../dicom/transferSyntaxes.ts'
import type { Reservation } from '../../core/byteBudget.ts'
import type { Turn } from '../../core/fairTurns.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { createMultipart, type BodyPart } from './multipartWriter.ts'
import { parseUidPath, type ReadScope, type UidPath } from './scope.ts'
import { getReadScope } from './sharedScope.ts'
import { writeRowsText } from './rowsText.ts'
import { sendStream, startStream, toStream } from './sendStream.ts'
import { getInstance, listInstances, type StoredInstance } from './storedInstances.ts'

/** WADO-RS (PS3.18 section 10.4): objects, metadata, frames and bulk data. */
type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

interface Reading {
  readonly deps: Dependencies
  readonly scope: ReadScope
  readonly path: UidPath
  readonly turn: Turn
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export function wadoHandlers(
  deps: Dependencies,
  recordAccess: RecordAccess,
): { objects: Route; metadata: Route; frames: Route; bulkData: Route } {
  const withScope =
    (send: (reading: Reading) => Promise<FastifyReply>, action: 'Get' | 'Download' = 'Get'): Route =>
    async (request, reply) => {
      const scope = await getReadScope(deps, request, action)
      const path = parseUidPath(request, scope)
      await recordAccess(scope.context, {
        event: action === 'Get' ? 'ScanViewed' : 'ScanDownloaded',
        organizationId: scope.store.organizationId,
        subject: {
          studyUID: path.study,
          ...(path.series !== undefined && { seriesUID: path.series }),
          ...scope.about,
          ...(action === 'Download' && path.instance !== undefined && { sopInstanceUID: path.instance }),
        },
      })
      return send({ deps, scope, path, turn: scope.turn, request, reply })
    }
  return {
    // A whole object is what a download holds: the same permission, and the same event (P01, P24).
    objects: withScope(sendObjects, 'Download'),
    metadata: withScope(sendMetadata),
    frames: withScope(sendFrames),
    bulkData: withScope(sendBulkData),
  }
}

/** Holds memory for a response while `send` prepares it; from then on the response holds it. */
async function withMemory(
  { deps, turn }: Reading,
  bytes: number,
  send: (reservation: Reservation) => Promise<FastifyReply>,
): Promise<FastifyReply> {
  const reservation = await deps.memory.reserve(turn, Math.min(bytes, readingLimits.headersBytes))
  try {
    return await send(reservation)
  } catch (cause) {
    reservation.release()
    throw cause
  }
}

async function sendObjects(reading: Reading): Promise<FastifyReply> {
  const { deps, scope, path, request, reply } = reading
  const accept = String(request.headers.accept ?? '*/*')
  // The rows of a study are read with their headers, a page at a time.
  const pageBytes = path.instance === undefined ? readingLimits.headerPageBytes : 0
  return withMemory(reading, readingLimits.streamBytes + pageBytes, async (reservation) => {
    const instances = await listInstances(deps, scope, path)
    if (path.instance !== undefined && /^application\/dicom\b/i.test(accept.trim())) {
      const firstInstance = await instances.next()
      if (firstInstance.done) throw notFound()
      const object = await deps.objects.read(firstInstance.value.object_key)
      return sendStream(reply.type('application/dicom'), object, reservation)
    }
    if (!/\*\/\*|multipart\/related|application\/dicom\b/i.test(accept)) throw notAcceptable()
    const parts = readObjects(deps, instances, accept)
    return sendStream(reply, createMultipart(reply, 'application/dicom', parts), reservation)
  })
}

async function sendMetadata(reading: Reading): Promise<FastifyReply> {
  const { deps, scope, path, request, reply } = reading
  if (!/\*\/\*|json/i.test(String(request.headers.accept ?? '*/*'))) throw notAcceptable()
  return withMemory(reading, readingLimits.headersBytes, async (reservation) => {
    const instances = await listInstances(deps, scope, path)
    const body = await startStream(writeMetadata(reading, instances, reservation))
    void reply.type('application/dicom+json').header('vary', 'accept-encoding')
    // Headers of the slices of a series are nearly the same text over and over.
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return sendStream(reply, body, reservation)
    const zipped = createGzip({ level: 1 })
    body.on('error', (cause) => zipped.destroy(cause))
    zipped.on('close', () => body.destroy())
    return sendStream(reply.header('content-encoding', 'gzip'), body.pipe(zipped), reservation)
  })
}

const notAcceptable = (): Refusal =>
  new Refusal(406, 'NOT_ACCEPTABLE', 'The object is not stored in any of the accepted formats.')

async function sendFrames(reading: Reading): Promise<FastifyReply> {
  const { deps, scope, path, turn, request, reply } = reading
  const numbers = parseFrameNumbers((request.params as { frames?: string }).frames ?? '')
  const instance = await getInstance(deps, scope, path)
  const { table } = await deps.stored.frames(instance, turn)
  const syntax = findTransferSyntax(table.transferSyntaxUID)
  const mediaType = syntax?.mediaType ?? 'application/octet-stream'
  const uid = syntax?.isEncapsulated ? syntax.uid : explicitLittleEndianUID
  const type = `${mediaType}; transfer-syntax=${uid}`
  const accept = String(request.headers.accept ?? '*/*')
  if (numbers.some((number) => !findRanges(table, number))) throw notFound()
  if (!accepts(accept, mediaType, uid)) throw notAcceptable()
  const [only = 1] = numbers
  const isSingle = numbers.length === 1 && !/multipart\/related|\*\/\*/i.test(accept)
  const largestBytes = Math.max(...new Set(numbers.map((number) => findFrameBytes(table, number))))
  return withMemory(reading, Math.min(largestBytes, readingLimits.streamBytes), async (reservation) => {
    const object = await deps.stored.open(instance, turn)
    if (scope.mayCache) void reply.header('cache-control', 'private, max-age=3600, immutable')
    if (isSingle) {
      void reply.headers({ 'content-type': type, 'content-length': String(findFrameBytes(table, only)) })
      return sendStream(reply, toStream(readFrame(object, table, only)), reservation, () => object.close())
    }
    const parts = numbers.map((number): BodyPart => ({
      type,
      location: `${instance.address}/frames/${number}`,
      body: () => readFrame(object, table, number),
    }))
    return sendStream(reply, createMultipart(reply, mediaType, parts), reservation, () => object.close())
  })
}

async function sendBulkData(reading: Reading): Promise<FastifyReply> {
  const { deps, scope, path, turn, request, reply } = reading
  const valuePath = (request.params as { '*'?: string })['*'] ?? ''
  // A tag, or `sequence-item-tag` for a nested one.
  if (!/^[0-9A-F]{8}(-\d{1,6}-[0-9A-F]{8}){0,32}$/.test(valuePath)) throw notFound()
  const instance = await getInstance(deps, scope, path)
  return withMemory(reading, readingLimits.streamBytes, async (reservation) => {
    const object = await deps.stored.open(instance, turn)
    try {
      const value = await deps.reader.runStored('value', { path: valuePath }, { turn, source: object })
      if (value === undefined) throw notFound()
      if (value === 'fragments') throw notAcceptable()
      const part: BodyPart = {
        type: 'application/octet-stream',
        location: `${instance.address}/bulkdata`,
        body: () => readRanges(object, [value]),
      }
      if (/^application\/octet-stream/i.test(String(request.headers.accept ?? ''))) {
        void reply.headers({ 'content-type': part.type, 'content-length': String(value.length) })
        return sendStream(reply, toStream(readRanges(object, [value])), reservation, () => object.close())
      }
      return sendStream(reply, createMultipart(reply, part.type, [part]), reservation, () => object.close())
    } catch (cause) {
      await object.close()
      throw cause
    }
  })
}

/** Whether the stored form is accepted; nothing is transcoded. */
function accepts(accept: string, mediaType: string, transferSyntaxUID: string): boolean {
  return accept.split(',').some((acceptedType) => {
    const requestedSyntax = /transfer-syntax="?([\d.*]+)"?/i.exec(acceptedType)?.[1]
    const type = /;\s*type="?([\w/+.*-]+)"?/i.exec(acceptedType)?.[1] ?? acceptedType.split(';')[0]?.trim() ?? '*/*'
    if (requestedSyntax !== undefined && requestedSyntax !== '*' && requestedSyntax !== transferSyntaxUID) return false
    // Viewers that ask for octet-stream take frames in any stored form.
    return (
      ['*/*', 'multipart/related', 'application/octet-stream', mediaType].includes(type.toLowerCase()) ||
      (type.toLowerCase() === 'image/*' && mediaType.startsWith('image/'))
    )
  })
}

/** The length of an address bounds how many frames one request can name. */
function parseFrameNumbers(list: string): number[] {
  const numbers = list.split(',').map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0))
  if (numbers.some((number) => number < 1))
    throw new Refusal(400, 'INVALID', 'The frames must be numbers from 1, separated by commas.')
  return numbers
}

async function* readObjects(
  deps: Dependencies,
  instances: AsyncIterable<StoredInstance>,
  accept: string,
): AsyncGenerator<BodyPart> {
  const requestedSyntax = /transfer-syntax="?([\d.*]+)"?/i.exec(accept)?.[1]
  for await (const instance of instances) {
    if (requestedSyntax !== undefined && requestedSyntax !== '*' && requestedSyntax !== instance.transfer_syntax_uid)
      continue
    yield {
      type: `application/dicom; transfer-syntax=${instance.transfer_syntax_uid}`,
      location: instance.address,
      body: () => deps.objects.read(instance.object_key),
    }
  }
}

const toMetadataRow = (instance: StoredInstance): MetadataRow => ({
  header: instance.header,
  address: instance.address,
  transferSyntaxUID: instance.transfer_syntax_uid,
  hasImage: instance.images > 0,
})

const metadataRows = 50

/** Headers as the text of a JSON array; a few at a time are converted in a thread. */
async function* writeMetadata(
  { deps, turn }: Reading,
  instances: AsyncIterable<StoredInstance>,
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  let separator = '['
  for await (const group of groupRows(instances)) {
    for (let rest = group; rest.length > 0;) {
      const rows = rest
      const writtenRows = yield* writeRowsText(reservation, separator, (maxBytes) =>
        deps.reader.runStored('metadata', { rows, maxBytes }, { turn }),
      )
      separator = ','
      rest = rest.slice(writtenRows)
    }
  }
  yield Buffer.from(']')
}

async function* groupRows(instances: AsyncIterable<StoredInstance>): AsyncGenerator<MetadataRow[]> {
  let group: MetadataRow[] = []
  for await (const instance of instances) {
    group.push(toMetadataRow(instance))
    if (group.length < metadataRows) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
