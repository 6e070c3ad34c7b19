import type { Readable } from 'node:stream'
import { stringifyDataset, writeStoreResponse, type NumberedOutcome } from '@dmp/dicom'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { IntakeFlow } from '../scan/intake/intakeFlow.ts'
import { type IncomingObject } from '../scan/intake/intake.ts'
import { maxUploadBytes } from '../../settings/settings.ts'
import { assertDatastore } from '../scan/scan.repository.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Refusal } from '../../core/errors.ts'
import { formatBytes } from '../../core/formatBytes.ts'
import { chooseType } from './acceptedTypes.ts'
import { receiveDescribed, type Sender } from './describedObjects.ts'
import { toIncomingObject } from './incomingObject.ts'
import { parseUidPath, getScope } from './scope.ts'
import { parseBoundary, readMultipart, type PartHeaders } from './multipartReader.ts'
import { refuseOtherParameters, watchLeaving } from './reading.ts'
import type { Service } from './dicomwebServices.ts'

/** STOW-RS (PS3.18 section 10.5): multipart/related of DICOM objects, or one object alone. */
export const storeHandler =
  (deps: Dependencies, thumbnails: Pick<ThumbnailWarmer, 'warm'>, service: Service) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'Upload')
    const { study } = parseUidPath(request, scope)
    refuseOtherParameters(request, service)
    const { type } = chooseType(request, service.answers)
    refuseEncoded(request)
    assertDatastore(scope.store)
    const incoming = toIncomingObject(scope, study)
    const outcomes = await receiveObjects(deps, incoming, request, watchLeaving(reply))
    thumbnails.warm(
      incoming.organizationId,
      outcomes.flatMap(({ outcome }) => (outcome.kind === 'stored' ? [outcome.seriesUID] : [])),
    )
    return sendOutcomes(reply.type(type), outcomes, scope.origin)
  }

const toSender = (deps: Dependencies, { organizationId, context }: IncomingObject, leaving: AbortSignal): Sender => ({
  organizationId,
  turn: {
    customer: context.viewer?.organizationId ?? organizationId,
    person: context.viewer?.userId ?? organizationId,
  },
  address: context.request.ip,
  maxBytes: maxUploadBytes(deps.settings),
  leaving,
})

async function receiveObjects(
  deps: Dependencies,
  incoming: IncomingObject,
  request: FastifyRequest,
  leaving: AbortSignal,
): Promise<NumberedOutcome[]> {
  const intake = new IntakeFlow(deps, incoming, maxUploadBytes(deps.settings))
  try {
    await receiveBody(deps, intake, toSender(deps, incoming, leaving), request)
    return await intake.finish()
  } catch (cause) {
    await intake.abandon()
    throw cause
  }
}

async function receiveBody(
  deps: Dependencies,
  intake: IntakeFlow,
  sender: Sender,
  request: FastifyRequest,
): Promise<void> {
  const body = request.body as Readable
  const type = request.headers['content-type'] ?? ''
  if (/^application\/dicom\s*(?:;|$)/i.test(type)) {
    refuseLarger(request, sender.maxBytes)
    return intake.take(body)
  }
  const boundary = parseBoundary(type)
  if (boundary === undefined)
    throw new Refusal(415, 'WRONG_TYPE', 'Send multipart/related with a boundary, or one object as application/dicom.')
  const partType = parsePartType(type)
  if (/^application\/(?:dicom\+)?json$/.test(partType)) return receiveDescribed(deps, intake, sender, body, boundary)
  if (partType !== 'application/dicom') throw wrongPartType(partType)
  const take = (content: Readable, headers: () => PartHeaders): Promise<void> =>
    intake.take(content, () => headers().mediaType)
  return readMultipart(body, boundary, take)
}

/** What the parts are, in small letters; objects where nothing is said. */
const parsePartType = (contentType: string): string =>
  /;\s*type="?([^\s;"]+)/i.exec(contentType)?.[1]?.toLowerCase() ?? 'application/dicom'

const wrongPartType = (partType: string): Refusal =>
  partType === 'application/dicom+xml'
    ? new Refusal(415, 'WRONG_TYPE', 'Metadata are taken as application/dicom+json, not as XML.')
    : new Refusal(415, 'WRONG_TYPE', 'Send parts of the type application/dicom, or of application/dicom+json.')

/** Nobody sends gigabytes to learn that they are too many. Of several objects only the parts tell. */
function refuseLarger({ headers }: FastifyRequest, maxBytes: number): void {
  if (Number(headers['content-length'] ?? 0) > maxBytes)
    throw new Refusal(413, 'TOO_LARGE', `An object has at most ${formatBytes(maxBytes)}.`)
}

/** A body that is compressed on the way would be read as a broken one. */
function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity')
    throw new Refusal(415, 'WRONG_ENCODING', 'Send the body without Content-Encoding; objects are taken as they are.')
}

function sendOutcomes(reply: FastifyReply, outcomes: readonly NumberedOutcome[], origin: string): FastifyReply {
  if (outcomes.length === 0) throw new Refusal(400, 'INVALID', 'The request contains no objects.')
  const failed = outcomes.filter(({ outcome }) => outcome.kind === 'refused').length
  const status = failed === 0 ? 200 : failed === outcomes.length ? 409 : 202
  return reply.status(status).send(stringifyDataset(writeStoreResponse(outcomes, origin)))
}
