import type { IncomingMessage } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notFound, Refusal } from '../../core/errors.ts'
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

export const wrongType = (): Refusal =>
  new Refusal(415, 'WRONG_TYPE', `Send the bytes of an upload with Content-Type: ${offsetType}.`)

/** Throws where the request is not one of this version of the protocol, with what to send instead. */
export function checkTusRequest({ headers }: FastifyRequest, method: TusMethod, reply: FastifyReply): void {
  void reply.header('tus-resumable', tusVersion)
  if (headers['tus-resumable'] !== tusVersion) {
    void reply.header('tus-version', tusVersion)
    throw new Refusal(412, 'WRONG_VERSION', `This server speaks tus ${tusVersion}. Send Tus-Resumable: ${tusVersion}.`)
  }
  if (method !== 'PATCH') return
  if (headers['content-type'] !== offsetType) throw wrongType()
  if (!/^\d{1,15}$/.test(String(headers['upload-offset'])))
    throw new Refusal(400, 'INVALID', 'Upload-Offset is needed: the number of bytes that have arrived already.')
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
