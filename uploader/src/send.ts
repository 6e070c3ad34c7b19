import { openAsBlob } from 'node:fs'
import type { Found } from './dicomFile.ts'
import { isOfProxy, readRefusal, readStored, retryAfter, wrongHost, type Why } from './answer.ts'
import { isOfLine, toUnsent, userAgent, type Entry } from './Session.ts'
import { ownCodes } from './ownCodes.ts'
import { Stop } from './stop.ts'

/** Not settled: the connection, the server or the file itself was not ready. */
export interface Later extends Why {
  readonly kind: 'later'
  readonly afterMs?: number
  /** It was the server that was not there, or the line. */
  readonly isUnreachable?: boolean
}

export type Outcome = { readonly kind: 'stored' | 'duplicate' } | ({ readonly kind: 'refused' } & Why) | Later

// A file may take this long, and longer the larger it is: a slow connection is not a lost one.
const leastMs = 60_000
const slowestBytesPerMs = 20

/** How long a file of this size may take. */
export const uploadTimeoutMs = (bytes: number): number => Math.ceil(leastMs + bytes / slowestBytesPerMs)

/** Sends one file as it is (STOW-RS, PS3.18 10.5). Throws a Stop when no file of this account will ever be taken. */
export async function sendFile(session: Entry, server: URL, file: Found, signal: AbortSignal): Promise<Outcome> {
  const entry = await session.ready()
  if (entry.kind === 'later') return entry
  const { token } = entry
  const timeout = AbortSignal.timeout(uploadTimeoutMs(file.size))
  let response: Response
  try {
    response = await fetch(new URL('/dicom-web/studies', server), {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/dicom',
        accept: 'application/dicom+json',
        'user-agent': userAgent,
      },
      // Read from the disk while it travels: memory does not grow with the file.
      body: await openAsBlob(file.path),
      redirect: 'error',
      signal: AbortSignal.any([signal, timeout]),
    })
  } catch (cause) {
    // A mistake in this program is not a lost connection: trying again would hide it for ever.
    if (cause instanceof RangeError || cause instanceof ReferenceError) throw cause
    return toLater(server, cause)
  }
  return judge(response, session, token)
}

const toWhy = (reason: string, code: string): Why => ({ reason, ...(code !== '' && { code }) })

/** The outcome of a file whose request did not come through. */
export const toLater = (server: URL, cause: unknown): Later => ({
  kind: 'later',
  reason: toUnsent(server, cause),
  ...(isOfLine(cause) && { code: ownCodes.lost, isUnreachable: true }),
})

/** The outcome of a file by the server's answer. */
export async function judge(response: Response, session: Entry, token: string): Promise<Outcome> {
  const { status } = response
  if (status === 401) {
    session.reject(token)
    await response.body?.cancel()
    return { kind: 'later', reason: 'The session has ended.', code: ownCodes.ended, afterMs: 0 }
  }
  const isStoreAnswer = (response.headers.get('content-type') ?? '').includes('dicom+json')
  if (isStoreAnswer && (response.ok || status === 409)) {
    const outcome = readStored(await response.json().catch(() => undefined))
    return outcome ?? { kind: 'later', reason: "The server's response was cut off." }
  }
  if (response.ok) return { kind: 'later', reason: 'The server is not a Data Management Platform.' }
  const afterMs = retryAfter(response)
  const refusal = await readRefusal(response)
  const { message, code } = refusal
  // 421: the server, or a proxy before it, does not answer to this name; every file would be refused.
  if (status === 421) throw new Stop(wrongHost(response.url, message))
  if (status === 403 || code === 'NO_DATASTORE' || status === 404)
    throw new Stop(status === 403 ? `This account may not upload: ${message}` : message)
  if (status === 429 || status >= 500) {
    const isLost = isOfProxy(refusal)
    const about = { ...(afterMs !== undefined && { afterMs }), ...(isLost && { isUnreachable: true }) }
    return { kind: 'later', ...toWhy(message, isLost ? ownCodes.lost : code), ...about }
  }
  return { kind: 'refused', ...toWhy(message, code) }
}
