import type { CallError } from './CallError.ts'
import { exchange, responseOf, type Exchanged } from './exchange.ts'
import { failureOf } from './failures.ts'

export interface SendOptions {
  readonly contentType: string
  readonly accept: string
  /** How many bytes have left so far. */
  readonly onProgress?: (sentBytes: number) => void
  readonly signal?: AbortSignal
}

/** The answer in the accepted form, whatever its status: DICOMweb says in it which objects were refused. */
export interface SentAnswer {
  readonly status: number
  readonly text: string
}

/** Whether an answer is of a media type. */
export const hasType = (answer: Exchanged, mediaType: string): boolean =>
  (answer.header('content-type') ?? '').startsWith(mediaType)

/** The failure that an answer stands for (8.02: the server's code and message). */
export const toCallError = (answer: Exchanged): Promise<CallError> => failureOf(responseOf(answer))

/**
 * Sends bytes to the server with the session's token and tells how far it is: for DICOMweb, which has no JSON calls.
 * Throws `CallError` where the answer is not of the accepted type, and when none came.
 *
 * @example await sendBytes('/dicom-web/studies', blob, { contentType: 'application/dicom', accept:
 *   'application/dicom+json' })
 */
export async function sendBytes(
  path: string,
  body: Blob,
  { contentType, accept, onProgress, signal }: SendOptions,
): Promise<SentAnswer> {
  const headers = { 'Content-Type': contentType, Accept: accept }
  const answer = await exchange({ method: 'POST', path, headers, body, onProgress, signal })
  if (!hasType(answer, accept)) throw await toCallError(answer)
  return { status: answer.status, text: answer.text }
}
