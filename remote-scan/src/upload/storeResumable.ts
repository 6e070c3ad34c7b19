import { toApiAddress } from '@dmp/contract/apiAddress'
import { CallError, exchange, hasType, settings, toExchangeError, type ExchangeAnswer } from '@dmp/kit'
import { Upload, type DetailedError, type HttpRequest, type HttpResponse, type HttpStack } from 'tus-js-client'
import { toUploadOutcomes, type UploadOutcome } from './uploadOutcome.ts'

const accept = 'application/dicom+json'
/** An upload that the server no longer has starts anew. */
const goneStatuses: readonly number[] = [404, 410]
/** The server still holds the end of the attempt that broke, or has just forgotten it. */
const heldStatuses: readonly number[] = [404, 409, 423]

export interface ResumableOptions {
  /** The upload URL of an earlier attempt. */
  readonly uploadUrl: string | undefined
  /** Called as soon as the server has a place for the bytes: with this URL the next attempt sends nothing twice. */
  readonly onUploadUrl: (url: string) => void
  readonly onProgress: (sentBytes: number) => void
  readonly signal: AbortSignal
}

/**
 * Sends one large file by the tus protocol, so that a broken connection costs nothing that has arrived. Throws as
 * `storeBatch` does; call it again with the upload URL, after a while or when the connection is back.
 */
export async function storeResumable(
  organizationId: string,
  file: Blob,
  { uploadUrl, onUploadUrl, onProgress, signal }: ResumableOptions,
): Promise<UploadOutcome[]> {
  const path = `/Scan/uploads?organizationId=${encodeURIComponent(organizationId)}`
  const endpoint = new URL(toApiAddress(settings(), path), document.baseURI).href
  let response: string | undefined
  let url = uploadUrl
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint,
      uploadUrl: uploadUrl ?? null,
      headers: { Accept: accept },
      // The queue waits, says why, and tries again. Names of files stay out of the browser's storage: they may be
      // patients' (P23).
      retryDelays: null,
      storeFingerprintForResuming: false,
      fingerprint: () => Promise.resolve(''),
      httpStack: createHttpStack(signal, (text) => (response = text)),
      onUploadUrlAvailable: () => {
        if (upload.url === null || upload.url === url) return
        url = upload.url
        onUploadUrl(url)
      },
      onProgress,
      onSuccess: () => resolve(),
      // A refused file is no failure of the upload: its outcome stands in the response.
      onError: (error) => (response === undefined ? reject(toCause(error)) : resolve()),
    })
    const stop = () => {
      void upload.abort()
      reject(new DOMException('The upload was stopped.', 'AbortError'))
    }
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop)
    upload.start()
  })
  return toUploadOutcomes(response ?? (await complete(url ?? endpoint, file.size, signal)), 1)
}

/**
 * Every byte had arrived in an earlier attempt whose answer got lost; tus has nothing to send then, but the file is not
 * stored yet.
 */
async function complete(url: string, size: number, signal: AbortSignal): Promise<string> {
  const headers = {
    'Tus-Resumable': '1.0.0',
    'Content-Type': 'application/offset+octet-stream',
    'Upload-Offset': String(size),
    Accept: accept,
  }
  const reply = await exchange({ method: 'PATCH', path: url, headers, body: new Blob([]), signal })
  if (!hasType(reply, accept)) throw toFailure('PATCH', reply)
  return reply.text
}

/** The error that the session's request threw, where tus wraps it. */
const toCause = (error: Error | DetailedError): Error =>
  ('causingError' in error ? error.causingError : undefined) ?? error

/** Carries the requests of tus through the session: its token, its time limits and its failures. */
function createHttpStack(signal: AbortSignal, onStored: (response: string) => void): HttpStack {
  return { getName: () => 'session', createRequest: (method, url) => createRequest(method, url, signal, onStored) }
}

function createRequest(
  method: string,
  url: string,
  signal: AbortSignal,
  onStored: (response: string) => void,
): HttpRequest {
  const headers: Record<string, string> = {}
  const abort = new AbortController()
  let onProgress: (sentBytes: number) => void = () => undefined
  return {
    getMethod: () => method,
    getURL: () => url,
    setHeader: (name, value) => void (headers[name] = value),
    getHeader: (name) => headers[name],
    setProgressHandler: (handler) => (onProgress = handler),
    abort: () => Promise.resolve(abort.abort()),
    getUnderlyingObject: () => undefined,
    send: async (body?: Blob) => {
      const reply = await exchange({
        method: method as 'POST' | 'PATCH' | 'HEAD',
        path: url,
        headers,
        ...(body && { body }),
        onProgress: (sentBytes) => onProgress(sentBytes),
        signal: AbortSignal.any([signal, abort.signal]),
      })
      if (method === 'PATCH' && hasType(reply, accept)) onStored(reply.text)
      else if (!isExpected(method, reply)) throw toFailure(method, reply)
      return toResponse(reply)
    },
  }
}

function isExpected(method: string, { status, headers }: ExchangeAnswer): boolean {
  if (method === 'POST') return status === 201 && headers.get('location') !== null
  // PATCH: without a store response nothing was stored.
  if (method !== 'HEAD') return false
  return goneStatuses.includes(status) || (status === 200 && headers.get('upload-offset') !== null)
}

function toFailure(method: string, reply: ExchangeAnswer): CallError {
  const failure = toExchangeError(reply)
  if (method !== 'PATCH' || !heldStatuses.includes(failure.status)) return failure
  return new CallError(503, 'UPLOAD_HELD', 'Connection lost. The upload continues where it stopped.', {
    cause: failure,
  })
}

const toResponse = (reply: ExchangeAnswer): HttpResponse => ({
  getStatus: () => reply.status,
  getHeader: (name) => reply.headers.get(name) ?? undefined,
  getBody: () => reply.text,
  getUnderlyingObject: () => undefined,
})
