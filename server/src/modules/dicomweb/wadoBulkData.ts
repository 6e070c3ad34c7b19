import type { FastifyReply } from 'fastify'
import type { Reservation } from '../../core/byteBudget.ts'
import { notFound } from '../../core/errors.ts'
import { readRanges } from '../../dicom/byteSource.ts'
import { readFrame, swapBytes } from '../../dicom/frames.ts'
import { readingLimits } from '../../dicom/limits.ts'
import type { FoundValue } from '../../dicom/readerTasks.ts'
import type { OpenObject } from '../../outside/objectStore.ts'
import { chooseType } from './acceptedTypes.ts'
import { decodeFrame, decodeFrames } from './decodedFrames.ts'
import { createMultipart, type BodyPart } from './multipartWriter.ts'
import { isKnown, sendKnown, toAsker, withMemory, type Reading } from './reading.ts'
import { sendStream, toStream } from './sendStream.ts'
import { getInstance, instanceUrl, type StoredInstance } from './storedInstances.ts'
import { chooseFrameForm, refuseUndecoded } from './wadoFrames.ts'

/** Bulk data (PS3.18 section 10.4.1.1.5): one value of an object, by the address that its metadata names. */
export async function sendBulkData(reading: Reading): Promise<FastifyReply> {
  const { deps, scope, path, turn, request } = reading
  const valuePath = (request.params as { '*'?: string })['*'] ?? ''
  // A tag, or `sequence-item-tag` for a nested one.
  if (!/^[0-9A-F]{8}(-\d{1,6}-[0-9A-F]{8}){0,32}$/.test(valuePath)) throw notFound()
  const instance = await getInstance(deps, scope, path)
  return withMemory(reading, readingLimits.streamBytes, async (reservation) => {
    const object = await deps.stored.open(instance, turn)
    try {
      const value = await deps.reader.runStored('value', { path: valuePath }, { turn, source: object })
      if (value === undefined) throw notFound()
      const opened = { instance, object, valuePath, reservation }
      if (value.kind === 'frames') return await sendCompressed(reading, opened)
      return sendValue(reading, opened, value)
    } catch (cause) {
      await object.close()
      throw refuseUndecoded(cause, reading)
    }
  })
}

interface Opened {
  readonly instance: StoredInstance
  readonly object: OpenObject
  readonly valuePath: string
  readonly reservation: Reservation
}

const close =
  ({ object }: Opened) =>
  (): Promise<void> =>
    object.close()

function sendValue(reading: Reading, opened: Opened, value: Extract<FoundValue, { kind: 'value' }>): FastifyReply {
  const { scope, request, reply, service } = reading
  const { instance, object, valuePath, reservation } = opened
  const { type, isMultipart } = chooseType(request, service.answers)
  if (isKnown(reading, `"${instance.sha256}-${valuePath.slice(0, 200)}"`)) {
    reservation.release()
    void object.close()
    return sendKnown(reading)
  }
  const length = value.ranges.reduce((sum, range) => sum + range.length, 0)
  const body = (): AsyncIterable<Buffer> => {
    const bytes = readRanges(object, value.ranges)
    return value.swapBytes !== 0 && length % value.swapBytes === 0 ? swapBytes(bytes, value.swapBytes) : bytes
  }
  if (!isMultipart) {
    void reply.headers({ 'content-type': type, 'content-length': String(length) })
    return sendStream(reply, toStream(body()), reservation, close(opened))
  }
  const part: BodyPart = { type, location: `${instanceUrl(scope, instance)}/bulkdata/${valuePath}`, body }
  return sendStream(reply, createMultipart(reply, type, [part]), reservation, close(opened))
}

/** Compressed pixel data: the frames as they are stored, a part each, or all of them as samples. */
async function sendCompressed(reading: Reading, opened: Opened): Promise<FastifyReply> {
  const { deps, scope, turn, reply } = reading
  const { instance, object, valuePath, reservation } = opened
  const { table, attributes } = await deps.stored.frames(instance, turn)
  const form = chooseFrameForm(reading, table.transferSyntaxUID, 1)
  const location = `${instanceUrl(scope, instance)}/bulkdata/${valuePath}`
  const storedFrames = table.fragments?.starts.length ?? 0
  if (!form.isDecoded && !form.isMultipart && storedFrames === 1) {
    void reply.type(form.contentType)
    return sendStream(reply, toStream(readFrame(object, table, 1)), reservation, close(opened))
  }
  if (!form.isDecoded) {
    const parts = Array.from({ length: storedFrames }, (_, index): BodyPart => ({
      type: form.contentType,
      location: `${instanceUrl(scope, instance)}/frames/${index + 1}`,
      body: () => readFrame(object, table, index + 1),
    }))
    return sendStream(reply, createMultipart(reply, form.mediaType, parts), reservation, close(opened))
  }
  const asker = toAsker(scope, reply)
  const frames = { instance, table, attributes, object }
  // Before the response begins, so that what cannot be decoded still is a refusal.
  const first = await decodeFrame(deps, frames, 1, asker)
  const body = (): AsyncGenerator<Uint8Array> => decodeFrames(deps, frames, asker, first)
  if (!form.isMultipart) {
    void reply.type(form.contentType)
    return sendStream(reply, toStream(body()), reservation, close(opened))
  }
  const part: BodyPart = { type: form.contentType, location, body }
  return sendStream(reply, createMultipart(reply, form.mediaType, [part]), reservation, close(opened))
}
