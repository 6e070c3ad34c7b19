import { toApiUrl } from '../transport/apiUrl.ts'
import { CallError } from '../transport/CallError.ts'
import { tokenToSend } from './call.ts'
import { exchange } from '../transport/exchange.ts'
import { parseJson, toCallError } from '../transport/failures.ts'
import { assertAccepted, type SendOptions, type SendAnswer } from './sendBytes.ts'

export interface ResumableOptions extends Omit<SendOptions, 'contentType'> {
  /** The address of an earlier attempt, as `onPlace` received it. */
  readonly place?: string | undefined
  /** Receives the address with which the next attempt continues this one. */
  readonly onPlace: (place: string) => void
}

const protocol = { 'Tus-Resumable': '1.0.0' }

/**
 * Sends one large file by the tus protocol: bytes that arrived before the connection broke are not sent again. After
 * a `CallError`, call it again with
 * the place, after a while or when the connection is back.
 *
 * @example await sendResumable('/Scan/uploads', file, { accept, place, onPlace: (address) => (place = address) })
 */
export async function sendResumable(
  path: string,
  body: Blob,
  { accept, place, onPlace, onProgress, signal }: ResumableOptions,
): Promise<SendAnswer> {
  const known = place === undefined ? undefined : await findOffset(place, signal)
  const at = known ?? 0
  const url = known !== undefined && place !== undefined ? place : await createUpload(path, body.size, signal)
  if (url !== place) onPlace(url)
  onProgress?.(at)
  const headers = {
    ...protocol,
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': String(at),
    Accept: accept,
  }
  const answer = await exchange({
    method: 'PATCH',
    path: url,
    headers,
    accessToken: tokenToSend(),
    body: body.slice(at),
    onProgress: (sent) => onProgress?.(at + sent),
    signal,
  })
  return assertAccepted(accept, answer).catch((error: unknown) => {
    // The server still holds the broken attempt; soon it releases it and reports where to continue.
    if (error instanceof CallError && [404, 409, 423].includes(error.status))
      throw new CallError(503, 'UPLOAD_HELD', 'The line broke. The upload goes on where it was.', { cause: error })
    throw error
  })
}

async function createUpload(path: string, bytes: number, signal: AbortSignal | undefined): Promise<string> {
  const url = toApiUrl(path)
  const answer = await exchange({
    method: 'POST',
    path: url.href,
    headers: { ...protocol, 'Upload-Length': String(bytes) },
    accessToken: tokenToSend(),
    signal,
  })
  const place = answer.headers.get('location')
  if (answer.status !== 201 || place === null) throw toCallError(answer, parseJson(answer.text))
  return new URL(place, url).href
}

/** The number of bytes that arrived; undefined when the server no longer has the upload. */
async function findOffset(place: string, signal: AbortSignal | undefined): Promise<number | undefined> {
  const answer = await exchange({
    method: 'HEAD',
    path: place,
    headers: protocol,
    accessToken: tokenToSend(),
    signal,
  })
  if (answer.status === 404 || answer.status === 410) return undefined
  const offset = Number(answer.headers.get('upload-offset') ?? Number.NaN)
  if (answer.status !== 200 || !Number.isSafeInteger(offset)) throw toCallError(answer, parseJson(answer.text))
  return offset
}
