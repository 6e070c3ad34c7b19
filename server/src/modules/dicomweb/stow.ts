import { Dicer } from '@fastify/busboy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PassThrough, type Readable } from 'node:stream'
import { IntakeFlow, type Numbered } from '../scan/intake/intakeFlow.ts'
import type { IncomingObject } from '../scan/intake/intake.ts'
import type { createThumbnailWarmer } from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Refusal } from '../../core/errors.ts'
import { uploadSource } from './arrivals.ts'
import { parseUidPath, getScope } from './scope.ts'
import { storeResponse } from './storeResponse.ts'

/** STOW-RS (PS3.18 section 10.5): multipart/related of DICOM objects, or one object alone. */
export const storeHandler =
  (deps: Dependencies, thumbnails: Pick<ReturnType<typeof createThumbnailWarmer>, 'warm'>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'Upload')
    const { study } = parseUidPath(request, scope)
    if (scope.store.dataStoreID === null)
      throw new Refusal(
        409,
        'NO_DATASTORE',
        'This organization has no datastore yet. Ask an administrator to create one.',
      )
    const incoming: IncomingObject = {
      organizationId: scope.store.organizationId,
      source: uploadSource(scope),
      context: scope.context,
      ...(study !== undefined && { onlyStudyUID: study }),
    }
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
): Promise<Numbered[]> {
  const intake = new IntakeFlow(deps, incoming, deps.settings.scanMaxMegabytes * 2 ** 20)
  const body = request.body as Readable
  const type = request.headers['content-type'] ?? ''
  if (/^application\/dicom\b/i.test(type)) {
    await intake.take(body)
    return intake.finish()
  }
  const boundary = /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type)
  const name = boundary?.[1] ?? boundary?.[2]
  if (!/^multipart\/related\b/i.test(type) || name === undefined) {
    throw new Refusal(415, 'WRONG_TYPE', 'Send multipart/related with parts of application/dicom and a boundary.')
  }
  await receiveMultipart(body, name, intake)
  return intake.finish()
}

const brokenBody = (): Refusal => new Refusal(400, 'INVALID', 'The multipart body ends too early or is broken.')

async function receiveMultipart(body: Readable, boundary: string, intake: IntakeFlow): Promise<void> {
  const dicer = new Dicer({ boundary })
  const takes: Promise<void>[] = []
  let takeFault: unknown
  dicer.on('part', (part) => {
    let type = 'application/dicom'
    part.on('header', (header) => {
      type = (header as Record<string, string[]>)['content-type']?.[0] ?? type
    })
    // Dicer waits for a part that is not read, which holds the sender back.
    const content = part.pipe(new PassThrough())
    // Whoever reads the content meets the error; before anybody does, it is nobody's.
    content.on('error', () => undefined)
    part.on('error', () => content.destroy(brokenBody()))
    const take = intake
      .take(content, () => type)
      .catch((cause: unknown) => {
        takeFault ??= cause
        content.resume()
        body.destroy()
      })
    takes.push(take)
  })
  const cause = await new Promise<Refusal | undefined>((resolve) => {
    // Dicer says by itself when the last part was read; what streams say of their ends does not fit it.
    dicer.on('finish', () => resolve(undefined))
    dicer.on('error', () => resolve(brokenBody()))
    body.on('error', () => resolve(brokenBody()))
    body.on('close', () => body.readableEnded || resolve(brokenBody()))
    body.pipe(dicer)
  })
  await Promise.all(takes)
  if (takeFault === undefined && cause === undefined) return
  await intake.abandon()
  throw takeFault ?? cause
}

function sendOutcomes(reply: FastifyReply, outcomes: readonly Numbered[]): FastifyReply {
  if (outcomes.length === 0) throw new Refusal(400, 'INVALID', 'The request contains no objects.')
  const failed = outcomes.filter(({ outcome }) => outcome.kind === 'refused').length
  const status = failed === 0 ? 200 : failed === outcomes.length ? 409 : 202
  return reply
    .status(status)
    .type('application/dicom+json')
    .send(JSON.stringify(storeResponse(outcomes)))
}
