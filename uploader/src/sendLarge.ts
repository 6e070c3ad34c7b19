import { openAsBlob } from 'node:fs'
import type { Found } from './dicomFile.ts'
import type { Journal } from './journal.ts'
import { judge, patienceFor, type Outcome } from './send.ts'
import { reasonOf, userAgent, type Session } from './Session.ts'

/** From here on a file goes so that a broken line or a restart costs nothing that has arrived. */
export const largeBytes = 8 * 2 ** 20

const protocol = { 'tus-resumable': '1.0.0', 'user-agent': userAgent }

export interface Way {
  session: Session
  server: URL
  /** Remembers where an upload was begun. */
  journal: Pick<Journal, 'placeOf' | 'begin'>
  signal: AbortSignal
}

/** Sends one large file by the tus protocol; goes on where an earlier attempt broke, also one of an earlier run. */
export async function sendLarge(file: Found, { session, server, journal, signal }: Way): Promise<Outcome> {
  const entry = await session.ready()
  if (entry.kind === 'later') return entry
  const { token } = entry
  const ask = (method: string, url: URL, headers: Record<string, string>, body?: Blob) =>
    fetch(url, {
      method,
      headers: { ...protocol, authorization: `Bearer ${token}`, accept: 'application/dicom+json', ...headers },
      ...(body && { body }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceFor(body?.size ?? 0))]),
    })
  try {
    const known = journal.placeOf(file)
    const before = known === undefined ? undefined : await ask('HEAD', new URL(known, server), {})
    if (before?.status === 401) return await judge(before, session, token)
    const offset = before?.ok ? Number(before.headers.get('upload-offset') ?? Number.NaN) : Number.NaN
    if (known !== undefined && Number.isSafeInteger(offset)) return await rest(new URL(known, server), offset)
    const begun = await ask('POST', new URL('/api/Scan/uploads', server), { 'upload-length': String(file.size) })
    const place = begun.headers.get('location')
    if (begun.status !== 201 || place === null) return await judge(begun, session, token)
    journal.begin(file, place)
    return await rest(new URL(place, server), 0)
  } catch (cause) {
    // A mistake in this program is not a bad line: trying again would hide it for ever.
    if (cause instanceof RangeError || cause instanceof ReferenceError) throw cause
    if (cause instanceof Error && cause.name === 'Stop') throw cause
    return { kind: 'later', reason: reasonOf(cause) }
  }

  async function rest(url: URL, offset: number): Promise<Outcome> {
    // Read from the disk while it travels: memory does not grow with the file.
    const body = (await openAsBlob(file.path)).slice(offset)
    const answer = await ask(
      'PATCH',
      url,
      { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
      body,
    )
    const isOurs = (answer.headers.get('content-type') ?? '').includes('dicom+json')
    // The server still holds the attempt that broke, or has forgotten it: the next try asks it where it is.
    if (!isOurs && [404, 409, 410, 423].includes(answer.status))
      return { kind: 'later', reason: 'The line broke; the upload goes on where it was.' }
    return judge(answer, session, token)
  }
}
