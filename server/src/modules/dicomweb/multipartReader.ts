import { AsyncLocalStorage } from 'node:async_hooks'
import { PassThrough, Transform, type Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { Refusal } from '../../core/errors.ts'

export interface PartHeaders {
  readonly mediaType: string
  /** Content-Location, or Content-ID as an address. */
  readonly location: string | undefined
}

/** One part of a multipart body: its bytes, and its headers once they were read. */
export type ReadPart = (content: Readable, headers: () => PartHeaders) => Promise<void>

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

/** Parts that are being read at a time; the body waits beyond, because each of them holds what has arrived of it. */
const mostOpenParts = 32

const brokenBody = (): Refusal => new Refusal(400, 'INVALID', 'The multipart body ends too early or is broken.')

/**
 * Hands each part of a multipart/related body (PS3.18 section 8.6) to `readPart` as it arrives, in constant memory.
 * Rejects with the first fault of a part, or when the body is broken; by then every part has been settled.
 */
export async function readMultipart(body: Readable, boundary: string, readPart: ReadPart): Promise<void> {
  const dicer = new Dicer({ boundary })
  const parts: Promise<void>[] = []
  const gate = createGate()
  // Parts begin on the line's account, or on that of another part; their work is the sender's.
  const read = AsyncLocalStorage.bind(readPart)
  const openContents = new Set<PassThrough>()
  let partFault: unknown
  dicer.on('part', (part) => {
    let headers: PartHeaders = { mediaType: 'application/dicom', location: undefined }
    part.on('header', (header) => {
      const read = header as Record<string, string[]>
      const id = read['content-id']?.[0]?.replace(/^<|>$/g, '')
      headers = {
        mediaType: read['content-type']?.[0] ?? headers.mediaType,
        location: read['content-location']?.[0] ?? (id === undefined ? undefined : `cid:${id}`),
      }
    })
    // Dicer waits for a part that is not read, which holds the sender back.
    const content = part.pipe(new PassThrough())
    openContents.add(content)
    content.on('close', () => openContents.delete(content))
    // The reader of the content meets the error; without a reader it must not end the process.
    content.on('error', () => undefined)
    part.on('error', () => content.destroy(brokenBody()))
    const settled = read(content, () => headers).catch((cause: unknown) => {
      partFault ??= cause
      content.resume()
      body.destroy()
    })
    parts.push(settled.finally(gate.enter()))
  })
  const bodyFault = await new Promise<Refusal | undefined>((resolve) => {
    // Dicer itself reports that the last part was read; the end events of streams do not fit it.
    dicer.on('finish', () => resolve(undefined))
    dicer.on('error', () => resolve(brokenBody()))
    body.on('error', () => resolve(brokenBody()))
    body.on('close', () => body.readableEnded || resolve(brokenBody()))
    // The sender may have left while its rights were looked up: nothing tells that any more.
    if (body.destroyed && !body.readableEnded) resolve(brokenBody())
    body.pipe(gate.stream).pipe(dicer)
  })
  if (bodyFault !== undefined) {
    gate.stream.destroy()
    // Dicer does not tell the parts that are still open that the body broke off: their readers would wait for ever.
    dicer.destroy()
    for (const content of openContents) content.destroy(bodyFault)
  }
  await Promise.all(parts)
  if (partFault !== undefined || bodyFault !== undefined) throw partFault ?? bodyFault
}

/** Lets bytes through while few parts are open; the last one may need more of them, and waits for no other. */
function createGate(): { readonly stream: Transform; enter(): () => void } {
  let open = 0
  let letThrough: (() => void) | undefined
  const look = (): void => {
    if (open > mostOpenParts) return
    const go = letThrough
    letThrough = undefined
    go?.()
  }
  const stream = new Transform({
    transform: (chunk, _encoding, done) => {
      letThrough = () => done(null, chunk)
      look()
    },
  })
  return {
    stream,
    enter: () => {
      open += 1
      return () => {
        open -= 1
        look()
      }
    },
  }
}
