import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { missing, notFound, Refusal } from '../../core/errors.ts'
import { formatBytes } from '../../core/formatBytes.ts'
import { ObjectStoreError } from '../../outside/objectStore.ts'
import { toStoreRefusal } from './storeRefusal.ts'
import { offsetType, tusVersion } from './tusServices.ts'

/** What the tus protocol (1.0.0) demands of requests, before an upload is looked at. */

type TusMethod = 'POST' | 'HEAD' | 'PATCH' | 'DELETE'
/** Only the address of an upload takes them, in place of POST. */
const overridden: ReadonlySet<unknown> = new Set(['HEAD', 'PATCH', 'DELETE'])

/** Where proxies let only GET and POST through, POST says in a header what it stands for. */
export function findTusMethod(request: FastifyRequest): TusMethod {
  const { method, headers } = request
  const stated = headers['x-http-method-override'] ?? method
  const isUpload = (request.params as { id?: string }).id !== undefined
  if (stated === 'POST' && isUpload) throw notFound()
  if (stated === method) return method as TusMethod
  if (method === 'POST' && isUpload && overridden.has(stated)) return stated as TusMethod
  throw new Refusal(
    400,
    'INVALID',
    'X-HTTP-Method-Override may turn a POST to the address of an upload into HEAD, PATCH or DELETE, and nothing else.',
  )
}

const wrongType = (): Refusal =>
  new Refusal(415, 'WRONG_TYPE', `Send the bytes of an upload with Content-Type: ${offsetType}.`)

export const uploadTooLarge = (maxBytes: number): Refusal =>
  new Refusal(413, 'TOO_LARGE', `An upload has at most ${formatBytes(maxBytes)}.`)

/** Clients of the protocol begin a new one after either. */
export const uploadGone = (status: 404 | 410 = 410): Refusal =>
  new Refusal(status, 'NOT_FOUND', 'This upload is not here, or not any more. Begin a new one.')

/** What was thrown before the library of the protocol had the request. */
export function toTusRefusal(error: unknown): unknown {
  if (error instanceof ObjectStoreError) return toStoreRefusal(error)
  return (error as { code?: unknown }).code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? wrongType() : error
}

/** Throws where the request is not one of this version of the protocol, with what to send instead. */
export function checkTusRequest({ headers }: FastifyRequest, method: TusMethod, reply: FastifyReply): void {
  void reply.header('tus-resumable', tusVersion)
  if (headers['tus-resumable'] !== tusVersion) {
    void reply.header('tus-version', tusVersion)
    throw new Refusal(412, 'WRONG_VERSION', `This server speaks tus ${tusVersion}. Send Tus-Resumable: ${tusVersion}.`)
  }
  if (method === 'POST' && headers['upload-length'] === undefined && headers['upload-defer-length'] === undefined)
    throw missing('Upload-Length')
  if (method !== 'PATCH') return
  if (headers['content-type'] !== offsetType) throw wrongType()
  if (headers['upload-offset'] === undefined) throw missing('Upload-Offset')
  if (!/^\d{1,15}$/.test(String(headers['upload-offset'])))
    throw new Refusal(400, 'INVALID', 'Upload-Offset must be the number of bytes that have arrived already.')
}

/**
 * The request as the library is to see it: by the method that was meant, and without what the sender says about the
 * file. Nothing of that is kept, and some clients send an empty word, which the protocol does not know.
 */
export function restate(raw: IncomingMessage, method: TusMethod): void {
  raw.method = method
  const isAboutFile = (at: number): boolean => raw.rawHeaders[at - (at % 2)]?.toLowerCase() === 'upload-metadata'
  raw.rawHeaders = raw.rawHeaders.filter((_text, at) => !isAboutFile(at))
  delete raw.headers['upload-metadata']
}

/** What the server can do. */
export const sendTusOptions =
  (extensions: readonly string[], maxBytes: number) =>
  async (_request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> =>
    reply
      .status(204)
      .headers({
        'tus-resumable': tusVersion,
        'tus-version': tusVersion,
        'tus-extension': extensions.join(','),
        'tus-max-size': String(maxBytes),
      })
      .send()
