import { explicitLittleEndianUID, findTransferSyntax } from '@dmp/dicom/transferSyntaxes'
import type { FastifyReply } from 'fastify'
import { canDecode } from '../../dicom/sampleLayout.ts'
import { readingLimits } from '../../dicom/limits.ts'
import { NoPicture } from '../../dicom/noPicture.ts'
import { chooseType, findOffer, listAcceptedTypes, type OfferedType } from './acceptedTypes.ts'
import { openTranscoded } from './decodedFrames.ts'
import { createMultipart, type BodyPart } from './multipartWriter.ts'
import { isKnown, sendKnown, toAsker, withMemory, type Reading } from './reading.ts'
import { Refusal } from '../../core/errors.ts'
import { sendStream, toStream } from './sendStream.ts'
import { getInstance, listInstances, instanceUrl, summarize, type StoredInstance } from './storedInstances.ts'

/** Objects as files (PS3.18 section 10.4.1.1.1): as they are stored, or in explicit little endian. */

type Form = 'stored' | 'explicit'

/** In which form an object stored in `uid` is answered; undefined where in none that the client takes. */
function chooseForm(reading: Reading, offered: OfferedType, uid: string): Form | undefined {
  for (const accepted of listAcceptedTypes(reading.request)) {
    if (!findOffer(accepted, [offered])) continue
    const { transferSyntaxUID = '*' } = accepted
    if (transferSyntaxUID === '*' || transferSyntaxUID === uid) return 'stored'
    if (transferSyntaxUID === explicitLittleEndianUID && canBeExplicit(uid)) return 'explicit'
  }
  return undefined
}

const canBeExplicit = (uid: string): boolean => !findTransferSyntax(uid)?.isEncapsulated || canDecode(uid)

const noSuchSyntax = (): Refusal =>
  new Refusal(
    406,
    'NOT_ACCEPTABLE',
    'The objects are not available in any of the accepted transfer syntaxes. Accept transfer-syntax=* for the one ' +
      'that they are stored in.',
  )

export async function sendObjects(reading: Reading): Promise<FastifyReply> {
  const { deps, service, scope, path, request, reply } = reading
  const offered = chooseType(request, service.answers)
  const { transferSyntaxUIDs, fingerprint } = await summarize(deps, scope, path)
  const forms = new Map(transferSyntaxUIDs.map((uid) => [uid, chooseForm(reading, offered, uid)]))
  const chosen = [...forms.values()].filter((form) => form !== undefined)
  if (chosen.length === 0) throw noSuchSyntax()
  if (isKnown(reading, `W/"${fingerprint}-${[...new Set(forms.values())].join('-')}"`)) return sendKnown(reading)
  if (!offered.isMultipart) return sendObject(reading, chosen[0] ?? 'stored')
  if (chosen.length < forms.size)
    void reply
      .status(206)
      .header('warning', '299 dmp "Objects that are not available in an accepted transfer syntax are left out."')
  // The rows of a study are read with their headers, a page at a time.
  const pageBytes = path.instance === undefined ? readingLimits.headerPageBytes : 0
  return withMemory(reading, readingLimits.streamBytes + pageBytes, async (reservation) => {
    const instances = await listInstances(deps, scope, path)
    return sendStream(reply, createMultipart(reply, offered.type, toParts(reading, instances, forms)), reservation)
  })
}

async function sendObject(reading: Reading, form: Form): Promise<FastifyReply> {
  const { deps, scope, path, turn, reply } = reading
  const instance = await getInstance(deps, scope, path)
  return withMemory(reading, readingLimits.streamBytes, async (reservation) => {
    if (form === 'stored') {
      const bytes = await deps.objects.read(instance.object_key)
      return sendStream(reply.type('application/dicom'), bytes, reservation)
    }
    const object = await openTranscoded(deps, instance, turn, toAsker(scope, reply)).catch(refuse)
    void reply.type(`application/dicom; transfer-syntax=${explicitLittleEndianUID}`)
    return sendStream(reply, toStream(object.bytes()), reservation, () => object.close())
  })
}

function refuse(cause: unknown): never {
  throw cause instanceof NoPicture ? noSuchSyntax() : cause
}

async function* toParts(
  { deps, scope, turn, reply }: Reading,
  instances: AsyncIterable<StoredInstance>,
  forms: ReadonlyMap<string, Form | undefined>,
): AsyncGenerator<BodyPart> {
  const asker = toAsker(scope, reply)
  for await (const instance of instances) {
    const form = forms.get(instance.transfer_syntax_uid)
    // Stored in between, or in a form that is left out.
    if (form === undefined) continue
    const uid = form === 'stored' ? instance.transfer_syntax_uid : explicitLittleEndianUID
    yield {
      type: `application/dicom; transfer-syntax=${uid}`,
      location: instanceUrl(scope, instance),
      body: async () =>
        form === 'stored'
          ? deps.objects.read(instance.object_key)
          : (await openTranscoded(deps, instance, turn, asker)).bytes(),
    }
  }
}
