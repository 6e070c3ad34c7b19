import { Dicer } from '@fastify/busboy'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { PassThrough, type Readable } from 'node:stream'
import { IntakeFlow, type Numbered } from '../scan/intake/intakeFlow.ts'
import type { IncomingObject } from '../scan/intake/intake.ts'
import type { thumbnailWarmer } from '../scan/reading/thumbnails.ts'
import type { Dependencies } from '../../dependencies.ts'
import { Refusal } from '../../core/errors.ts'
import { uploadSource } from './arrivals.ts'
import { parseUidPath, getScope } from './scope.ts'
import { storeResponse } from './storeResponse.ts'

/** STOW-RS (PS3.18 section 10.5): multipart/related of DICOM objects, or one object alone. */
export const storeInstances =
  (deps: Dependencies, warmer: Pick<ReturnType<typeof thumbnailWarmer>, 'warm'>) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const scope = await getScope(deps, request, 'Upload')
    const { study } = parseUidPath(request, scope)
    if (scope.store.dataStoreID === null)
      throw new Refusal(
        409,
        'NO_DATASTORE',
        'This organization has no datastore yet. Ask an administrator to create one.',
      )
    const arrival: IncomingObject = {
      organizationId: scope.store.organizationId,
      source: uploadSource(scope),
      context: scope.context,
      ...(study !== undefined && { onlyStudyUID: study }),
    }
    const outcomes = await receive(deps, arrival, request)
    warmer.warm(
      arrival.organizationId,
      outcomes.flatMap(({ outcome }) => (outcome.kind === 'accepted' ? [outcome.seriesUID] : [])),
    )
    return answer(reply, outcomes)
  }

async function receive(deps: Dependencies, arrival: IncomingObject, request: FastifyRequest): Promise<Numbered[]> {
  const intake = new IntakeFlow(deps, arrival, deps.settings.scanMaxMegabytes * 2 ** 20)
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
  await receiveParts(body, name, intake)
  return intake.finish()
}

const broken = (): Refusal => new Refusal(400, 'INVALID', 'The multipart body ends too early or is broken.')

async function receiveParts(body: Readable, boundary: string, intake: IntakeFlow): Promise<void> {
  const dicer = new Dicer({ boundary })
  const taken: Promise<void>[] = []
  let fault: unknown
  dicer.on('part', (part) => {
    let type = 'application/dicom'
    part.on('header', (header) => {
      type = (header as Record<string, string[]>)['content-type']?.[0] ?? type
    })
    // Dicer waits for a part that is not read, which holds the sender back.
    const content = part.pipe(new PassThrough())
    // Whoever reads the content meets the error; before anybody does, it is nobody's.
    content.on('error', () => undefined)
    part.on('error', () => content.destroy(broken()))
    const take = intake
      .take(content, () => type)
      .catch((cause: unknown) => {
        fault ??= cause
        content.resume()
        body.destroy()
      })
    taken.push(take)
  })
  const cause = await new Promise<Refusal | undefined>((resolve) => {
    // Dicer says by itself when the last part was read; what streams say of their ends does not fit it.
    dicer.on('finish', () => resolve(undefined))
    dicer.on('error', () => resolve(broken()))
    body.on('error', () => resolve(broken()))
    body.on('close', () => body.readableEnded || resolve(broken()))
    body.pipe(dicer)
  })
  await Promise.all(taken)
  if (fault === undefined && cause === undefined) return
  await intake.abandon()
  throw fault ?? cause
}

function answer(reply: FastifyReply, outcomes: readonly Numbered[]): FastifyReply {
  if (outcomes.length === 0) throw new Refusal(400, 'INVALID', 'The request contains no objects.')
  const failed = outcomes.filter(({ outcome }) => outcome.kind === 'refused').length
  const status = failed === 0 ? 200 : failed === outcomes.length ? 409 : 202
  return reply
    .status(status)
    .type('application/dicom+json')
    .send(JSON.stringify(storeResponse(outcomes)))
}
