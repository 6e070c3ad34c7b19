import { tokenToSend } from './call.ts'
import { exchange, type ExchangeAnswer } from '../transport/exchange.ts'
import { parseJson, toCallError } from '../transport/failures.ts'

export interface SendOptions {
  readonly contentType: string
  readonly accept: string
  /** How many bytes have left so far. */
  readonly onProgress?: (sentBytes: number) => void
  readonly signal?: AbortSignal
}

/** What came back where it is in the accepted form, whatever the status: DICOMweb tells in it what was refused. */
export interface SendAnswer {
  readonly status: number
  readonly text: string
}

/**
 * Sends bytes to the server with the session's token and tells how far it is: for DICOMweb, which has no JSON calls.
 * Throws `CallError` where the answer is not of the accepted type, and when none came.
 *
 * @example await sendBytes('/dicom-web/studies', blob, { contentType: 'application/dicom', accept: 'application/dicom+json' })
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

/** The answer if it is in the accepted form, else what it means as a `CallError`. */
export async function assertAccepted(accept: string, answer: ExchangeAnswer): Promise<SendAnswer> {
  if ((answer.headers.get('content-type') ?? '').startsWith(accept)) return { status: answer.status, text: answer.text }
  throw toCallError(answer, parseJson(answer.text))
}
