import { PassThrough, type Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { Refusal } from '../../core/errors.ts'

/** One part of a multipart body: its bytes, and its media type once its headers were read. */
export type ReadPart = (content: Readable, mediaType: () => string) => Promise<void>

/** RFC 2046 (5.1.1) knows 70 characters; Orthanc sends 73. */
const maxBoundaryChars = 200

/** The boundary of a multipart/related body; `undefined` for any other media type, or without one. */
export function parseBoundary(contentType: string): string | undefined {
  if (!/^multipart\/related\b/i.test(contentType)) return undefined
  const found = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(contentType)
  const boundary = found?.[1] ?? found?.[2]
  if (boundary !== undefined && boundary.length > maxBoundaryChars)
    throw new Refusal(
      400,
      'BOUNDARY_TOO_LONG',
      `The boundary of the multipart body has ${boundary.length} characters. Choose one of at most ${maxBoundaryChars}.`,
    )
  return boundary
}

const brokenBody = (): Refusal => new Refusal(400, 'INVALID', 'The multipart body ends too early or is broken.')

/**
 * Hands each part of a multipart/related body (PS3.18 section 8.6) to `readPart` as it arrives, in constant memory.
 * Rejects with the first fault of a part, or when the body is broken; by then every part has been settled.
 */
export async function readMultipart(body: Readable, boundary: string, readPart: ReadPart): Promise<void> {
  const dicer = new Dicer({ boundary })
  const parts: Promise<void>[] = []
  const openContents = new Set<PassThrough>()
  let partFault: unknown
  dicer.on('part', (part) => {
    let mediaType = 'application/dicom'
    part.on('header', (header) => {
      mediaType = (header as Record<string, string[]>)['content-type']?.[0] ?? mediaType
    })
    // Dicer waits for a part that is not read, which holds the sender back.
    const content = part.pipe(new PassThrough())
    openContents.add(content)
    content.on('close', () => openContents.delete(content))
    // The reader of the content meets the error; without a reader it must not end the process.
    content.on('error', () => undefined)
    part.on('error', () => content.destroy(brokenBody()))
    const settled = readPart(content, () => mediaType).catch((cause: unknown) => {
      partFault ??= cause
      content.resume()
      body.destroy()
    })
    parts.push(settled)
  })
  const bodyFault = await new Promise<Refusal | undefined>((resolve) => {
    // Dicer itself reports that the last part was read; the end events of streams do not fit it.
    dicer.on('finish', () => resolve(undefined))
    dicer.on('error', () => resolve(brokenBody()))
    body.on('error', () => resolve(brokenBody()))
    body.on('close', () => body.readableEnded || resolve(brokenBody()))
    body.pipe(dicer)
  })
  if (bodyFault !== undefined) {
    // Dicer does not tell the parts that are still open that the body broke off: their readers would wait for ever.
    dicer.destroy()
    for (const content of openContents) content.destroy(bodyFault)
  }
  await Promise.all(parts)
  if (partFault !== undefined || bodyFault !== undefined) throw partFault ?? bodyFault
}
