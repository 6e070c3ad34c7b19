import { Readable } from 'node:stream'
import { createGzip, inflateRawSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { readFrame } from '../../dicom/frames.ts'
import type { JsonDataset } from '../../dicom/jsonModel.ts'
import { readPart10 } from '../../dicom/part10.ts'
import { parseDataSet } from '../../dicom/read.ts'
import { EXPLICIT_LITTLE_ENDIAN } from '../../dicom/transferSyntaxes.ts'
import type { Dependencies } from '../../dependencies.ts'
import { notFound, Refusal } from '../../core/errors.ts'
import type { RecordAccess } from './dicomweb.routes.ts'
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

export function wado(
  deps: Dependencies,
  seen: RecordAccess,
  memory = layoutMemory(),
): { objects: Route; metadata: Route; frames: Route; bulkData: Route } {
  const enter = async (request: FastifyRequest): Promise<{ scope: Scope; path: UidPath }> => {
    const scope = await getScope(deps, request, 'Get')
    const path = parseUidPath(request, scope)
    await seen(scope.context, {
      event: 'ScanViewed',
      organizationId: scope.store.organizationId,
      subject: { studyUID: path.study, ...(path.series !== undefined && { seriesUID: path.series }) },
    })
    return { scope, path }
  }

  return {
    async objects(request, reply) {
      const { scope, path } = await enter(request)
      const instances = await listInstances(deps, scope, path)
      const accept = String(request.headers.accept ?? '*/*')
      if (path.instance !== undefined && /^application\/dicom\b/i.test(accept.trim())) {
        const one = await instances.next()
        if (one.done) throw notFound()
        return reply.type('application/dicom').send(await deps.objects.read(one.value.object_key))
      }
      if (!/\*\/\*|multipart\/related|application\/dicom\b/i.test(accept)) throw notAcceptable()
      return sendMultipart(reply, 'application/dicom', objectParts(deps, instances, accept))
    },

    async metadata(request, reply) {
      const { scope, path } = await enter(request)
      const instances = await listInstances(deps, scope, path)
      if (!/\*\/\*|json/i.test(String(request.headers.accept ?? '*/*'))) throw notAcceptable()
      const text = Readable.from(metadataText(instances), { objectMode: false })
      void reply.type('application/dicom+json').header('vary', 'accept-encoding')
      // Headers of the slices of a series are nearly the same text again and again.
      if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(text)
      const zipped = createGzip({ level: 1 })
      text.on('error', (cause) => zipped.destroy(cause))
      zipped.on('close', () => text.destroy())
      return reply.header('content-encoding', 'gzip').send(text.pipe(zipped))
    },

    async frames(request, reply) {
      const { scope, path } = await enter(request)
      const numbers = framesOf((request.params as { frames?: string }).frames ?? '')
      return sendFrames(deps, memory, await getInstance(deps, scope, path), numbers, request, reply)
    },

    async bulkData(request, reply) {
      const { scope, path } = await enter(request)
      const one = await getInstance(deps, scope, path)
      const bytes = await bulkBytes(deps, one, (request.params as { '*'?: string })['*'] ?? '')
      const part: BodyPart = { type: 'application/octet-stream', location: `${retrieveUrl(one)}/bulkdata`, body: bytes }
      if (/^application\/octet-stream/i.test(String(request.headers.accept ?? '')))
        return reply.type(part.type).send(bytes)
      return sendMultipart(reply, part.type, [part])
    },
  }
}

const notAcceptable = (): Refusal =>
  new Refusal(406, 'NOT_ACCEPTABLE', 'The object is not stored in any of the accepted forms.')

async function sendFrames(
  deps: Dependencies,
  memory: LayoutMemory,
  one: StoredInstance & { header: JsonDataset },
  numbers: readonly number[],
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { object, part10, layout } = await openInstance(deps, memory, one)
  const { transferSyntax, source } = part10
  const uid = transferSyntax.isEncapsulated ? transferSyntax.uid : EXPLICIT_LITTLE_ENDIAN
  const type = `${transferSyntax.mediaType}; transfer-syntax=${uid}`
  const accept = String(request.headers.accept ?? '*/*')
  const refusal = numbers.some((number) => !layout.rangesOf(number))
    ? notFound()
    : accepts(accept, transferSyntax.mediaType, uid)
      ? undefined
      : notAcceptable()
  if (refusal) {
    await object.close()
    throw refusal
  }
  const bodyOf = async (number: number): Promise<Buffer> => (await readFrame(source, layout, number)) ?? Buffer.alloc(0)
  void reply.header('cache-control', 'private, max-age=3600, immutable')
  const [only] = numbers
  if (numbers.length === 1 && only !== undefined && !/multipart\/related|\*\/\*/i.test(accept)) {
    const body = await bodyOf(only).finally(() => object.close())
    return reply.header('content-type', type).send(body)
  }
  const bodies = async function* (): AsyncGenerator<BodyPart> {
    try {
      for (const number of numbers)
        yield { type, location: `${retrieveUrl(one)}/frames/${number}`, body: await bodyOf(number) }
    } finally {
      await object.close()
    }
  }
  return sendMultipart(reply, transferSyntax.mediaType, bodies())
}

/** Whether stored bytes are what was asked for; nothing is transcoded. */
function accepts(accept: string, mediaType: string, transferSyntaxUID: string): boolean {
  return accept.split(',').some((one) => {
    const wanted = /transfer-syntax="?([\d.*]+)"?/i.exec(one)?.[1]
    const type = /;\s*type="?([\w/+.*-]+)"?/i.exec(one)?.[1] ?? one.split(';')[0]?.trim() ?? '*/*'
    if (wanted !== undefined && wanted !== '*' && wanted !== transferSyntaxUID) return false
    // Viewers ask for octet-stream and take whatever frames are stored as.
    return (
      ['*/*', 'multipart/related', 'application/octet-stream', mediaType].includes(type.toLowerCase()) ||
      (type.toLowerCase() === 'image/*' && mediaType.startsWith('image/'))
    )
  })
}

/** How many are asked for at once is bounded by how long a part of an address may be. */
function framesOf(list: string): number[] {
  const numbers = list.split(',').map((one) => (/^\d{1,9}$/.test(one) ? Number(one) : 0))
  if (numbers.some((number) => number < 1))
    throw new Refusal(400, 'INVALID', 'Give frames as numbers from 1, separated by commas.')
  return numbers
}

async function* objectParts(
  deps: Dependencies,
  instances: AsyncIterable<StoredInstance>,
  accept: string,
): AsyncGenerator<BodyPart> {
  const wanted = /transfer-syntax="?([\d.*]+)"?/i.exec(accept)?.[1]
  for await (const one of instances) {
    if (wanted !== undefined && wanted !== '*' && wanted !== one.transfer_syntax_uid) continue
    yield {
      type: `application/dicom; transfer-syntax=${one.transfer_syntax_uid}`,
      location: retrieveUrl(one),
      body: () => deps.objects.read(one.object_key),
    }
  }
}

/** Stored headers are answered as text: only addresses of bulk data and what belongs to retrieval are added. */
async function* metadataText(
  instances: AsyncIterable<StoredInstance & { header: Uint8Array }>,
): AsyncGenerator<string> {
  let separator = '['
  for await (const one of instances) {
    const header = inflateRawSync(one.header).toString('utf8')
    const address = retrieveUrl(one)
    const usable = withoutEmptyWindow(header).replaceAll(
      '"BulkDataURI":"bulkdata/',
      `"BulkDataURI":"${address}/bulkdata/`,
    )
    const added = [`"00083002":{"vr":"UI","Value":["${one.transfer_syntax_uid}"]}`]
    if (one.images > 0) added.push(`"7FE00010":{"vr":"OW","BulkDataURI":"${address}/bulkdata/7FE00010"}`)
    yield `${separator}${usable.slice(0, -1)},${added.join(',')}}`
    separator = ','
  }
  yield ']'
}

/** A window of width 0 makes viewers show black; they choose one themselves when there is none. */
function withoutEmptyWindow(header: string): string {
  if (!/"00281051":\{"vr":"DS","Value":\[0[\],]/.test(header)) return header
  const parsed = JSON.parse(header) as Record<string, unknown>
  delete parsed['00281050']
  delete parsed['00281051']
  return JSON.stringify(parsed)
}

/** A value by its path: a tag, or `sequence-item-tag` for one inside of a sequence. */
async function bulkBytes(deps: Dependencies, one: StoredInstance & { header: unknown }, path: string): Promise<Buffer> {
  if (!/^[0-9A-F]{8}(-\d{1,6}-[0-9A-F]{8}){0,32}$/.test(path)) throw notFound()
  const object = await deps.objects.open(one.object_key)
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
      dataSet = dataSet?.elements[`x${steps[i]?.toLowerCase()}`]?.items?.[Number(steps[i + 1])]?.dataSet
    const element = dataSet?.elements[`x${steps.at(-1)?.toLowerCase()}`]
    if (!element) throw notFound()
    return Buffer.from(part10.header.subarray(element.dataOffset, element.dataOffset + element.length))
  } finally {
    await object.close()
  }
}
