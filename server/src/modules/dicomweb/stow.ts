import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable } from 'node:stream'
import { writeStoreResponse, type NumberedOutcome } from '@dmp/dicom'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { IntakeFlow } from '../scan/intake/intakeFlow.ts'
import { type IncomingObject } from '../scan/intake/intake.ts'
import { maxUploadBytes } from '../../settings/settings.ts'
import { assertDatastore } from '../scan/scan.repository.ts'
import type { ThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Refusal } from '../../core/errors.ts'
import { toIncomingObject } from './incomingObject.ts'
import { parseUidPath, getScope } from './scope.ts'
import { parseBoundary, readMultipart } from './multipartReader.ts'

/** STOW-RS (PS3.18 section 10.5): multipart/related of DICOM objects, or one object alone. */
export const storeHandler =
  (deps: Dependencies, thumbnails: Pick<ThumbnailWarmer, 'warm'>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'Upload')
    const { study } = parseUidPath(request, scope)
    assertDatastore(scope.store)
    const incoming = toIncomingObject(scope, study)
    const outcomes = await receiveObjects(deps, incoming, request)
    thumbnails.warm(
      incoming.organizationId,
      outcomes.flatMap(({ outcome }) => (outcome.kind === 'stored' ? [outcome.seriesUID] : [])),
    )
    return sendOutcomes(reply, outcomes)
  }

async function receiveObjects(
  deps: Dependencies,
  incoming: IncomingObject,
  request: FastifyRequest,
): Promise<NumberedOutcome[]> {
  const intake = new IntakeFlow(deps, incoming, maxUploadBytes(deps.settings))
  const body = request.body as Readable
  const type = request.headers['content-type'] ?? ''
  if (/^application\/dicom\b/i.test(type)) {
    await intake.take(body)
    return intake.finish()
  }
  const boundary = parseBoundary(type)
  if (boundary === undefined)
    throw new Refusal(415, 'WRONG_TYPE', 'Send multipart/related with parts of application/dicom and a boundary.')
  try {
    // Parts begin on the line's account; their work is the sender's.
    const take = AsyncLocalStorage.bind((content: Readable, type: () => string) => intake.take(content, type))
    await readMultipart(body, boundary, take)
  } catch (cause) {
    await intake.abandon()
    throw cause
  }
  return intake.finish()
}

function sendOutcomes(reply: FastifyReply, outcomes: readonly NumberedOutcome[]): FastifyReply {
  if (outcomes.length === 0) throw new Refusal(400, 'INVALID', 'The request contains no objects.')
  const failed = outcomes.filter(({ outcome }) => outcome.kind === 'refused').length
  const status = failed === 0 ? 200 : failed === outcomes.length ? 409 : 202
  return reply
    .status(status)
    .type('application/dicom+json')
    .send(JSON.stringify(writeStoreResponse(outcomes)))
}
