import { parseJson, toCallError } from '../transport/failures.ts'
import { CallError } from '../transport/CallError.ts'
import type { ExchangeAnswer } from '../transport/requestWithProgress.ts'
import { toApiUrl } from '../transport/apiUrl.ts'
import { exchange } from './exchange.ts'
import { hasType, type SendAnswer, type SendOptions } from './sendBytes.ts'

/** @deprecated since 1.2, with `sendResumable`. */
export interface ResumableOptions extends Omit<SendOptions, 'contentType'> {
  /** The upload URL of an earlier attempt, as `onPlace` received it. */
  readonly place?: string | undefined
  readonly onPlace: (place: string) => void
}

const protocol = { 'Tus-Resumable': '1.0.0' }

/**
 * Sends one large file by the tus protocol. Releases of the scan remote before 1.2 call it at run time, so it stays
 * until kit 2.
 *
 * @deprecated since 1.2: use `tus-js-client` with `exchange`, as the scan remote does.
 */
export async function sendResumable(
  path: string,
  body: Blob,
  { accept, place, onPlace, onProgress, signal }: ResumableOptions,
): Promise<SendAnswer> {
  const arrivedBytes = place === undefined ? undefined : await findOffset(place, signal)
  const offset = arrivedBytes ?? 0
  const url = arrivedBytes !== undefined && place !== undefined ? place : await createUpload(path, body.size, signal)
  if (url !== place) onPlace(url)
  onProgress?.(offset)
  const answer = await exchange({
    method: 'PATCH',
    path: url,
    headers: {
      ...protocol,
      'Content-Type': 'application/offset+octet-stream',
      'Upload-Offset': String(offset),
      Accept: accept,
    },
    body: body.slice(offset),
    onProgress: (sentBytes) => onProgress?.(offset + sentBytes),
    signal,
  })
  if (hasType(answer, accept)) return { status: answer.status, text: answer.text }
  // The server still holds the end of the attempt that broke; it soon lets go and says where to continue.
  if ([404, 409, 423].includes(answer.status))
    throw new CallError(503, 'UPLOAD_HELD', 'Connection lost. The upload continues where it stopped.')
  throw toError(answer)
}

async function createUpload(path: string, bytes: number, signal: AbortSignal | undefined): Promise<string> {
  const url = toApiUrl(path)
  const headers = { ...protocol, 'Upload-Length': String(bytes) }
  const answer = await exchange({ method: 'POST', path: url.href, headers, signal })
  const location = answer.headers.get('location')
  if (answer.status !== 201 || location === null) throw toError(answer)
  return new URL(location, url).href
}

/** The number of bytes that have arrived; undefined when the server no longer has that upload. */
async function findOffset(uploadUrl: string, signal: AbortSignal | undefined): Promise<number | undefined> {
  const answer = await exchange({ method: 'HEAD', path: uploadUrl, headers: protocol, signal })
  if (answer.status === 404 || answer.status === 410) return undefined
  const offset = Number(answer.headers.get('upload-offset') ?? Number.NaN)
  if (answer.status !== 200 || !Number.isSafeInteger(offset)) throw toError(answer)
  return offset
}

const toError = (answer: ExchangeAnswer): CallError => toCallError(answer, parseJson(answer.text))
