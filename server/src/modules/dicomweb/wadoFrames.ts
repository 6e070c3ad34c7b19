import { explicitLittleEndianUID, findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import type { FastifyReply } from 'fastify'
import { Refusal, notFound } from '../../core/errors.ts'
import { canDecode } from '../../dicom/sampleLayout.ts'
import { decodedFrameBytes, readSampleLayout } from '../../dicom/explicitForm.ts'
import { findFrameBytes, findRanges, readFrame } from '../../dicom/frames.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { NoPicture, PictureTooLarge } from '../../dicom/noPicture.ts'
import { findOffer, listAcceptedTypes, notAcceptable, type OfferedType } from './acceptedTypes.ts'
import { decodeFrame } from './decodedFrames.ts'
import { createMultipart, type BodyPart } from './multipartWriter.ts'
import { isKnown, sendKnown, toAsker, withMemory, type Reading } from './reading.ts'
import { sendStream, toStream } from './sendStream.ts'
import { getInstance, instanceUrl } from './storedInstances.ts'

/** Frames (PS3.18 section 10.4.1.1.6): as they are stored, or decoded. */

const samples = 'application/octet-stream'

export interface FrameForm {
  readonly isDecoded: boolean
  readonly isMultipart: boolean
  readonly mediaType: string
  /** As the answer states it. */
  readonly contentType: string
}

/** The form of frames that the client takes; `count` are wanted. */
export function chooseFrameForm({ request, service }: Reading, transferSyntaxUID: string, count: number): FrameForm {
  const syntax = findTransferSyntax(transferSyntaxUID)
  const isCompressed = syntax?.isEncapsulated ?? false
  const mediaType = syntax?.mediaType ?? samples
  const storedUID = isCompressed ? transferSyntaxUID : explicitLittleEndianUID
  const toForm = (isDecoded: boolean, isMultipart: boolean): FrameForm => ({
    isDecoded,
    isMultipart,
    mediaType: isDecoded ? samples : mediaType,
    contentType: isDecoded
      ? `${samples}; transfer-syntax=${explicitLittleEndianUID}`
      : `${mediaType}; transfer-syntax=${storedUID}`,
  })
  const offers: OfferedType[] = [...new Set([mediaType, samples])].flatMap((type) => [
    { type, isMultipart: true },
    { type, isMultipart: false },
  ])
  for (const accepted of listAcceptedTypes(request)) {
    const { type, partType, transferSyntaxUID: wantedUID } = accepted
    const offered = findOffer(accepted, offers)
    if (!offered) continue
    const isMultipart = offered.isMultipart || count > 1 || type === '*/*'
    const namesSamples = (partType ?? type) === samples
    if (!isCompressed || !namesSamples) {
      if (wantedUID === undefined || wantedUID === '*' || wantedUID === storedUID) return toForm(false, isMultipart)
      // What is named otherwise is not stored in that transfer syntax.
      if (wantedUID !== explicitLittleEndianUID || !findOffer(accepted, [{ type: samples, isMultipart }])) continue
    } else if (wantedUID === '*' || wantedUID === storedUID) return toForm(false, isMultipart)
    if ((wantedUID ?? explicitLittleEndianUID) === explicitLittleEndianUID && canDecode(transferSyntaxUID))
      return toForm(true, isMultipart)
  }
  throw notAcceptable(service.answers)
}

export async function sendFrames(reading: Reading): Promise<FastifyReply> {
  const { deps, scope, path, turn, request, reply } = reading
  const numbers = parseFrameNumbers((request.params as { frames?: string }).frames ?? '')
  const instance = await getInstance(deps, scope, path)
  const { table, attributes } = await deps.stored.frames(instance, turn)
  if (numbers.some((number) => !findRanges(table, number))) throw notFound()
  const form = chooseFrameForm(reading, table.transferSyntaxUID, numbers.length)
  if (scope.mayCache) void reply.header('cache-control', 'private, max-age=3600, immutable')
  if (
    isKnown(reading, `"${instance.sha256}-${numbers.join('-').slice(0, 200)}-${form.isDecoded ? 'decoded' : 'stored'}"`)
  )
    return sendKnown(reading)
  const decodedBytes = form.isDecoded ? decodedFrameBytes(readSampleLayout(attributes)) : 0
  const frameBytes = (number: number): number => (form.isDecoded ? decodedBytes : findFrameBytes(table, number))
  const largestBytes = Math.max(...new Set(numbers.map(frameBytes)))
  return withMemory(
    reading,
    Math.max(decodedBytes, Math.min(largestBytes, readingLimits.streamBytes)),
    async (held) => {
      const object = await deps.stored.open(instance, turn)
      const asker = toAsker(scope, reply)
      const readOne = async (number: number): Promise<AsyncIterable<Uint8Array>> =>
        form.isDecoded
          ? oneChunk(await decodeFrame(deps, { instance, table, attributes, object }, number, asker))
          : readFrame(object, table, number)
      try {
        const [only = 1] = numbers
        // Before the response begins, so that what cannot be decoded still is a refusal.
        const first = await readOne(only)
        if (!form.isMultipart) {
          void reply.headers({ 'content-type': form.contentType, 'content-length': String(frameBytes(only)) })
          return sendStream(reply, toStream(first), held, () => object.close())
        }
        const parts = numbers.map((number, index): BodyPart => ({
          type: form.contentType,
          location: `${instanceUrl(scope, instance)}/frames/${number}`,
          body: () => (index === 0 ? first : readOne(number)),
        }))
        return sendStream(reply, createMultipart(reply, form.mediaType, parts), held, () => object.close())
      } catch (cause) {
        await object.close()
        throw refuseUndecoded(cause, reading)
      }
    },
  )
}

async function* oneChunk(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

export function refuseUndecoded(cause: unknown, { service }: Reading): unknown {
  if (cause instanceof PictureTooLarge) return new Refusal(413, 'TOO_LARGE', cause.message)
  return cause instanceof NoPicture ? notAcceptable(service.answers) : cause
}

/** The frames of an object bound how many one request can name. */
function parseFrameNumbers(list: string): number[] {
  const numbers = list.split(',').map((text) => (/^\d{1,9}$/.test(text) ? Number(text) : 0))
  if (numbers.some((number) => number < 1))
    throw new Refusal(400, 'INVALID', 'The frames must be numbers from 1, separated by commas.')
  if (new Set(numbers).size < numbers.length) throw new Refusal(400, 'INVALID', 'Name each frame once.')
  return numbers
}
