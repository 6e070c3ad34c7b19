import { tokenToSend } from './call.ts'
import { exchange, type ExchangeAnswer } from '../transport/exchange.ts'
import { parseJson, toCallError } from '../transport/failures.ts'

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
  return assertAccepted(
    accept,
    await exchange({
      method: 'POST',
      path,
      headers: { 'Content-Type': contentType, Accept: accept },
      accessToken: tokenToSend(),
      body,
      onProgress,
      signal,
    }),
  )
}

/** Returns an answer of the accepted type and throws a `CallError` for any other. */
export async function assertAccepted(accept: string, answer: ExchangeAnswer): Promise<SendAnswer> {
  if ((answer.headers.get('content-type') ?? '').startsWith(accept)) return { status: answer.status, text: answer.text }
  throw toCallError(answer, parseJson(answer.text))
}
