import { Readable } from 'node:stream'
import { createGzip, inflateRawSync } from 'node:zlib'
import { tag, toParserKey } from '@dmp/dicom'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readFrame } from '../../dicom/frames.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readPart10 } from '../../dicom/part10.ts'
import { parseDataSet } from '../../dicom/instance.ts'
import { explicitLittleEndianUID } from '../../dicom/transferSyntaxes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { RecordAccess } from '../scan/reading/accessAudit.ts'
import { sendMultipart, type BodyPart } from './multipartWriter.ts'
import { parseUidPath, getScope, type Scope, type UidPath } from './scope.ts'
import {
  retrieveUrl,
  getInstance,
  layoutMemory,
  openInstance,
  listInstances,
  type LayoutMemory,
  type StoredInstance,
} from './storedInstances.ts'

/** WADO-RS (PS3.18 section 10.4): objects, metadata, frames and bulk data. */
type Route = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>

export function wadoHandlers(
  deps: Dependencies,
  recordAccess: RecordAccess,
  memory = layoutMemory(),
): { objects: Route; metadata: Route; frames: Route; bulkData: Route } {
  const openScope = async (
    request: FastifyRequest,
    action: 'Get' | 'Download' = 'Get',
  ): Promise<{ scope: Scope; path: UidPath }> => {
    const scope = await getScope(deps, request, action)
    const path = parseUidPath(request, scope)
    await recordAccess(scope.context, {
      event: action === 'Get' ? 'ScanViewed' : 'ScanDownloaded',
      organizationId: scope.store.organizationId,
      subject: {
        studyUID: path.study,
        ...(path.series !== undefined && { seriesUID: path.series }),
        ...(action === 'Download' && path.instance !== undefined && { sopInstanceUID: path.instance }),
      },
    })
    return { scope, path }
  }

  return {
    // A whole object is what a download holds: the same permission, and the same event (P01, P24).
    async objects(request, reply) {
      const { scope, path } = await openScope(request, 'Download')
      const instances = await listInstances(deps, scope, path)
      const accept = String(request.headers.accept ?? '*/*')
      if (path.instance !== undefined && /^application\/dicom\b/i.test(accept.trim())) {
        const firstInstance = await instances.next()
        if (firstInstance.done) throw notFound()
        return reply.type('application/dicom').send(await deps.objects.read(firstInstance.value.object_key))
      }
      if (!/\*\/\*|multipart\/related|application\/dicom\b/i.test(accept)) throw notAcceptable()
      return sendMultipart(reply, 'application/dicom', readObjects(deps, instances, accept))
    },

    async metadata(request, reply) {
      const { scope, path } = await openScope(request)
      const instances = await listInstances(deps, scope, path)
      if (!/\*\/\*|json/i.test(String(request.headers.accept ?? '*/*'))) throw notAcceptable()
      const body = Readable.from(writeMetadata(instances), { objectMode: false })
      void reply.type('application/dicom+json').header('vary', 'accept-encoding')
      // Headers of the slices of a series are nearly the same text over and over.
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(body)
      const zipped = createGzip({ level: 1 })
      body.on('error', (cause) => zipped.destroy(cause))
      zipped.on('close', () => body.destroy())
      return reply.header('content-encoding', 'gzip').send(body.pipe(zipped))
    },

    async frames(request, reply) {
      const { scope, path } = await openScope(request)
      const numbers = parseFrameNumbers((request.params as { frames?: string }).frames ?? '')
      return sendFrames(deps, memory, await getInstance(deps, scope, path), numbers, request, reply)
    },

    async bulkData(request, reply) {
      const { scope, path } = await openScope(request)
      const instance = await getInstance(deps, scope, path)
      const bytes = await readBulkData(deps, instance, (request.params as { '*'?: string })['*'] ?? '')
      const part: BodyPart = {
        type: 'application/octet-stream',
        location: `${retrieveUrl(instance)}/bulkdata`,
        body: bytes,
      }
      if (/^application\/octet-stream/i.test(String(request.headers.accept ?? '')))
        return reply.type(part.type).send(bytes)
      return sendMultipart(reply, part.type, [part])
    },
  }
}

const notAcceptable = (): Refusal =>
  new Refusal(406, 'NOT_ACCEPTABLE', 'The object is not stored in any of the accepted formats.')

async function sendFrames(
  deps: Dependencies,
  memory: LayoutMemory,
  instance: StoredInstance & { header: JsonDataset },
  numbers: readonly number[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { object, part10, layout } = await openInstance(deps, memory, instance)
  const { transferSyntax, source } = part10
  const uid = transferSyntax.isEncapsulated ? transferSyntax.uid : explicitLittleEndianUID
  const type = `${transferSyntax.mediaType}; transfer-syntax=${uid}`
  const accept = String(request.headers.accept ?? '*/*')
  const refusal = numbers.some((number) => !layout.findRanges(number))
    ? notFound()
    : accepts(accept, transferSyntax.mediaType, uid)
      ? undefined
      : notAcceptable()
  if (refusal) {
    await object.close()
    throw refusal
  }
  const readBody = async (number: number): Promise<Buffer> =>
    (await readFrame(source, layout, number)) ?? Buffer.alloc(0)
  void reply.header('cache-control', 'private, max-age=3600, immutable')
  const [only] = numbers
  if (numbers.length === 1 && only !== undefined && !/multipart\/related|\*\/\*/i.test(accept)) {
    const body = await readBody(only).finally(() => object.close())
    return reply.header('content-type', type).send(body)
  }
  const bodies = async function* (): AsyncGenerator<BodyPart> {
    try {
      for (const number of numbers)
        yield { type, location: `${retrieveUrl(instance)}/frames/${number}`, body: await readBody(number) }
    } finally {
      await object.close()
    }
  }
  return sendMultipart(reply, transferSyntax.mediaType, bodies())
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
      location: retrieveUrl(instance),
      body: () => deps.objects.read(instance.object_key),
    }
  }
}

/** Stored headers are sent as text; only URLs of bulk data and attributes of retrieval are added. */
async function* writeMetadata(
  instances: AsyncIterable<StoredInstance & { header: Uint8Array }>,
): AsyncGenerator<string> {
  let separator = '['
  for await (const instance of instances) {
    const header = inflateRawSync(instance.header).toString('utf8')
    const address = retrieveUrl(instance)
    const headerWithUrls = removeEmptyWindow(header).replaceAll(
      '"BulkDataURI":"bulkdata/',
      `"BulkDataURI":"${address}/bulkdata/`,
    )
    const additions = [`"${tag.AvailableTransferSyntaxUID}":{"vr":"UI","Value":["${instance.transfer_syntax_uid}"]}`]
    if (instance.images > 0)
      additions.push(`"${tag.PixelData}":{"vr":"OW","BulkDataURI":"${address}/bulkdata/${tag.PixelData}"}`)
    yield `${separator}${headerWithUrls.slice(0, -1)},${additions.join(',')}}`
    separator = ','
  }
  yield ']'
}

/** A window of width 0 shows black; without one, viewers choose their own. */
function removeEmptyWindow(header: string): string {
  const zeroWidth = `"${tag.WindowWidth}":{"vr":"DS","Value":[0`
  if (!header.includes(`${zeroWidth}]`) && !header.includes(`${zeroWidth},`)) return header
  const parsed = JSON.parse(header) as Record<string, unknown>
  delete parsed[tag.WindowCenter]
  delete parsed[tag.WindowWidth]
  return JSON.stringify(parsed)
}

/** A value by its path: a tag, or `sequence-item-tag` for a nested one. */
async function readBulkData(
  deps: Dependencies,
  instance: StoredInstance & { header: unknown },
  path: string,
): Promise<Buffer> {
  if (!/^[0-9A-F]{8}(-\d{1,6}-[0-9A-F]{8}){0,32}$/.test(path)) throw notFound()
  const object = await deps.objects.open(instance.object_key)
  try {
    const part10 = await readPart10(object)
    if (path === part10.pixelData?.tag) {
      const { valueOffset, length } = part10.pixelData
      if (length === undefined || length > 2 ** 28) throw notAcceptable()
      return await part10.source.read(valueOffset, length)
    }
    let dataSet: ReturnType<typeof parseDataSet> | undefined = parseDataSet(part10)
    const steps = path.split('-')
    for (let i = 0; i + 2 < steps.length; i += 2)
      dataSet = dataSet?.elements[toParserKey(steps[i] ?? '')]?.items?.[Number(steps[i + 1])]?.dataSet
    const element = dataSet?.elements[toParserKey(steps.at(-1) ?? '')]
    if (!element) throw notFound()
    return Buffer.from(part10.header.subarray(element.dataOffset, element.dataOffset + element.length))
  } finally {
    await object.close()
  }
}
