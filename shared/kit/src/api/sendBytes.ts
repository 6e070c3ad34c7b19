import { parseJson, toCallError } from '../transport/failures.ts'
import type { ExchangeAnswer } from '../transport/requestWithProgress.ts'
import type { CallError } from '../transport/CallError.ts'
import { exchange } from './exchange.ts'

export interface SendOptions {
  readonly contentType: string
  readonly accept: string
  /** Receives the number of bytes sent so far. */
  readonly onProgress?: (sentBytes: number) => void
  readonly signal?: AbortSignal
}

/** An answer of the accepted type, whatever its status: DICOMweb lists refused objects in it. */
export interface SendAnswer {
  readonly status: number
  readonly text: string
}

/** Whether the answer is of this media type. */
export function hasType(answer: ExchangeAnswer, mediaType: string): boolean {
  return (answer.headers.get('content-type') ?? '').startsWith(mediaType)
}

/** The error of a refused exchange. */
export function toExchangeError(answer: ExchangeAnswer): CallError {
  return toCallError(answer, parseJson(answer.text))
}

/**
 * Sends bytes with the session's token and reports progress: for DICOMweb, which has no JSON calls.
 * Throws `CallError` without an answer of the accepted type.
 *
 * @example await sendBytes('/dicom-web/studies', blob, { contentType: 'application/dicom', accept })
 */
export async function sendBytes(
  path: string,
  body: Blob,
  { contentType, accept, onProgress, signal }: SendOptions,
): Promise<SendAnswer> {
  const headers = { 'Content-Type': contentType, Accept: accept }
  const answer = await exchange({ method: 'POST', path, headers, body, onProgress, signal })
  if (!hasType(answer, accept)) throw toExchangeError(answer)
  return { status: answer.status, text: answer.text }
}
