import { createGzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import type { Reservation } from '../../core/byteBudget.ts'
import type { MetadataRow } from '../../dicom/headerTasks.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { chooseType } from './acceptedTypes.ts'
import { isKnown, sendKnown, withMemory, type Reading } from './reading.ts'
import { writeRowsText } from './rowsText.ts'
import { sendStream, startStream } from './sendStream.ts'
import { listInstances, instanceUrl, summarize, type StoredInstance } from './storedInstances.ts'

/** Headers as DICOM JSON (PS3.18 section 10.4.1.1.2). */
export async function sendMetadata(reading: Reading): Promise<FastifyReply> {
  const { deps, service, scope, path, request, reply } = reading
  const { type } = chooseType(request, service.answers)
  const { fingerprint } = await summarize(deps, scope, path)
  if (isKnown(reading, `W/"${fingerprint}"`)) return sendKnown(reading)
  return withMemory(reading, readingLimits.headersBytes, async (reservation) => {
    const instances = await listInstances(deps, scope, path)
    const body = await startStream(writeMetadata(reading, instances, reservation))
    void reply.type(type).header('vary', ['origin', 'accept', 'accept-encoding'].join(', '))
    // Headers of the slices of a series are nearly the same text over and over.
    if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return sendStream(reply, body, reservation)
    const zipped = createGzip({ level: 1 })
    body.on('error', (cause) => zipped.destroy(cause))
    zipped.on('close', () => body.destroy())
    return sendStream(reply.header('content-encoding', 'gzip'), body.pipe(zipped), reservation)
  })
}

const toMetadataRow = ({ scope }: Reading, instance: StoredInstance): MetadataRow => ({
  header: instance.header,
  address: instanceUrl(scope, instance),
  transferSyntaxUID: instance.transfer_syntax_uid,
  hasImage: instance.images > 0,
})

const metadataRows = 50

/** Headers as the text of a JSON array; a few at a time are converted in a thread. */
async function* writeMetadata(
  reading: Reading,
  instances: AsyncIterable<StoredInstance>,
  reservation: Reservation,
): AsyncGenerator<Uint8Array> {
  const { deps, turn } = reading
  let separator = '['
  for await (const group of groupRows(reading, instances)) {
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

async function* groupRows(reading: Reading, instances: AsyncIterable<StoredInstance>): AsyncGenerator<MetadataRow[]> {
  let group: MetadataRow[] = []
  for await (const instance of instances) {
    group.push(toMetadataRow(reading, instance))
    if (group.length < metadataRows) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
