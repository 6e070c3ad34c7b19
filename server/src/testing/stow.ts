import type { LightMyRequestResponse as Response } from 'fastify'
import type { SignedIn, TestServer } from './server.ts'

const boundary = 'a-boundary-of-the-tests'

/** The body of a STOW-RS request. */
export function stowBody(
  objects: readonly Buffer[],
  type = 'application/dicom',
): { payload: Buffer; headers: Record<string, string> } {
  const bodyParts = objects.flatMap((bytes) => [
    Buffer.from(`--${boundary}\r\nContent-Type: ${type}\r\n\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
  return {
    payload: Buffer.concat([...bodyParts, Buffer.from(`--${boundary}--\r\n`)]),
    headers: { 'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}` },
  }
}

/** Uploads objects as a user. */
export function stow(
  server: TestServer,
  who: SignedIn,
  objects: readonly Buffer[],
  path = '/dicom-web/studies',
): Promise<Response> {
  const { payload, headers } = stowBody(objects)
  return server.app.inject({ method: 'POST', url: path, payload, headers: { ...headers, ...who.headers } })
}
