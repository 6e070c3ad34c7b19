import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { readBatch } from './answer.ts'
import type { Found } from './dicomFile.ts'
import { judge, sendFile, toLater, uploadTimeoutMs, type Outcome } from './send.ts'
import { toReason, userAgent, type Entry } from './Session.ts'

/** How much travels in one request: as much as the upload page sends. */
export const usualBatch: Batch = { files: 32, bytes: 16 * 2 ** 20 }

export interface Batch {
  readonly files: number
  readonly bytes: number
}

const boundary = `dmp-${randomUUID()}`
/** Answers that may be the fault of one file among many: each is then sent alone, so that it stops no other. */
const faultOfOne = new Set([400, 409, 413, 415, 422, 500])

/**
 * Sends small files in one request (STOW-RS, PS3.18 10.5) and returns the outcome of each, in their order. Throws a
 * Stop when no file of this account will ever be taken.
 */
export async function sendBatch(
  session: Entry,
  server: URL,
  files: readonly Found[],
  signal: AbortSignal,
): Promise<Outcome[]> {
  const alone = async (): Promise<Outcome[]> => {
    const outcomes: Outcome[] = []
    for (const file of files) outcomes.push(await sendFile(session, server, file, signal))
    return outcomes
  }
  if (files.length === 1) return alone()
  const entry = await session.ready()
  if (entry.kind === 'later') return files.map(() => entry)
  const { token } = entry
  // A file that went away or changed its size meanwhile is no matter of the others.
  const contents = await Promise.all(
    files.map((file) => readFile(file.path).catch((cause: unknown) => toReason(cause))),
  )
  const readable = contents.filter((content) => typeof content !== 'string')
  const sent = readable.length === 0 ? [] : await send(readable)
  if (sent === undefined) return alone()
  let next = 0
  return contents.map((content): Outcome => {
    if (typeof content === 'string') return { kind: 'later', reason: content }
    return sent[next++] ?? { kind: 'later', reason: "The server's response does not name this file." }
  })

  /** The outcomes; undefined when the request was refused for what may be the fault of one file. */
  async function send(objects: readonly Buffer[]): Promise<(Outcome | undefined)[] | undefined> {
    const body = toMultipart(objects)
    let response: Response
    try {
      response = await fetch(new URL('/dicom-web/studies', server), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': `multipart/related; type="application/dicom"; boundary=${boundary}`,
          accept: 'application/dicom+json',
          'user-agent': userAgent,
        },
        body,
        redirect: 'error',
        signal: AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs(body.length))]),
      })
    } catch (cause) {
      // A mistake in this program is not a lost connection: trying again would hide it for ever.
      if (cause instanceof RangeError || cause instanceof ReferenceError) throw cause
      return objects.map(() => toLater(server, cause))
    }
    const { status, headers } = response
    const isStoreAnswer = (headers.get('content-type') ?? '').includes('dicom+json')
    if (isStoreAnswer && (response.ok || status === 409))
      return readBatch(await response.json().catch(() => undefined), objects.length)
    if (faultOfOne.has(status)) {
      await response.body?.cancel()
      return undefined
    }
    const outcome = await judge(response, session, token)
    return objects.map(() => outcome)
  }
}

function toMultipart(objects: readonly Buffer[]): Buffer<ArrayBuffer> {
  const head = Buffer.from(`--${boundary}\r\nContent-Type: application/dicom\r\n\r\n`)
  const end = Buffer.from('\r\n')
  return Buffer.concat([...objects.flatMap((object) => [head, object, end]), Buffer.from(`--${boundary}--\r\n`)])
}
