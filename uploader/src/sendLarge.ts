import { openAsBlob } from 'node:fs'
import type { Found } from './dicomFile.ts'
import type { Journal } from './journal.ts'
import type { Pace } from './Pace.ts'
import { judge, toLater, uploadTimeoutMs, type Outcome } from './send.ts'
import { ownCodes } from './ownCodes.ts'
import { userAgent, type Entry } from './Session.ts'

/** From this size on a file is sent so that a lost connection or a restart costs nothing that has arrived. */
export const largeBytes = 8 * 2 ** 20

const firstPieceBytes = 2 ** 20
const mostPieceBytes = 64 * 2 ** 20
const pieceMs = 2000

/** The server says of each piece that it has it: about every two seconds, as fast as the line may be. */
const toNextPiece = (bytes: number, tookMs: number): number =>
  Math.round(
    Math.min(mostPieceBytes, Math.max(firstPieceBytes / 4, bytes * Math.min(2, pieceMs / Math.max(1, tookMs)))),
  )

/** The server still holds the attempt that broke. */
const isHeld = (status: number): boolean => [408, 409, 423].includes(status)
const isForgotten = (status: number): boolean => [404, 410].includes(status)
const goesOn = (): Outcome => ({
  kind: 'later',
  reason: 'Connection lost. The upload continues where it stopped.',
  code: ownCodes.lost,
})

const protocol = { 'tus-resumable': '1.0.0', 'user-agent': userAgent }

export interface Way {
  readonly session: Entry
  readonly server: URL
  /** Remembers the upload URLs of files that have not arrived whole. */
  readonly journal: Pick<Journal, 'findUploadUrl' | 'begin'>
  readonly signal: AbortSignal
  /** Where the line belongs to others: the file travels in pieces. */
  readonly pace?: Pick<Pace, 'pieceBytes' | 'take'>
  /** So many bytes of it are at the server, `isEarlier` since an attempt before. */
  readonly onArrived?: (bytes: number, isEarlier: boolean) => void
}

/** Sends one large file by the tus protocol; continues where an earlier attempt broke, also one of an earlier run. */
export async function sendLarge(
  file: Found,
  { session, server, journal, signal, pace, onArrived }: Way,
): Promise<Outcome> {
  const entry = await session.ready()
  if (entry.kind === 'later') return entry
  const { token } = entry
  const ask = (method: string, url: URL, headers: Record<string, string>, body?: Blob) =>
    fetch(url, {
      method,
      headers: { ...protocol, authorization: `Bearer ${token}`, accept: 'application/dicom+json', ...headers },
      ...(body && { body }),
      redirect: 'error',
      signal: AbortSignal.any([signal, AbortSignal.timeout(uploadTimeoutMs(body?.size ?? 0))]),
    })
  try {
    const earlierUrl = journal.findUploadUrl(file)
    const progress = earlierUrl === undefined ? undefined : await ask('HEAD', new URL(earlierUrl, server), {})
    const status = progress?.status ?? 0
    if (isHeld(status)) return goesOn()
    // Who cannot tell now has not forgotten it: beginning anew would send everything once more.
    if (progress && (status === 401 || status === 429 || status >= 500)) return await judge(progress, session, token)
    const offset = progress?.ok ? Number(progress.headers.get('upload-offset') ?? Number.NaN) : Number.NaN
    if (earlierUrl !== undefined && Number.isSafeInteger(offset))
      return await sendRest(new URL(earlierUrl, server), offset)
    const creation = await ask('POST', new URL('/api/Scan/uploads', server), { 'upload-length': String(file.size) })
    const uploadUrl = creation.headers.get('location')
    if (creation.status !== 201 || uploadUrl === null) return await judge(creation, session, token)
    journal.begin(file, uploadUrl)
    return await sendRest(new URL(uploadUrl, server), 0)
  } catch (cause) {
    // A mistake in this program is not a lost connection: trying again would hide it for ever.
    if (cause instanceof RangeError || cause instanceof ReferenceError) throw cause
    if (cause instanceof Error && cause.name === 'Stop') throw cause
    return toLater(server, cause)
  }

  async function sendRest(url: URL, from: number): Promise<Outcome> {
    // Read from the disk while it travels: memory does not grow with the file.
    const whole = await openAsBlob(file.path)
    onArrived?.(from, true)
    let pieceBytes = firstPieceBytes
    for (let offset = from; ;) {
      const end = Math.min(whole.size, offset + Math.min(pieceBytes, pace?.pieceBytes ?? pieceBytes))
      await pace?.take(end - offset, signal)
      const startedAt = Date.now()
      const response = await ask(
        'PATCH',
        url,
        { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(offset) },
        whole.slice(offset, end),
      )
      if (response.status === 204 && end < whole.size) {
        pieceBytes = toNextPiece(pieceBytes, Date.now() - startedAt)
        offset = end
        onArrived?.(offset, false)
        continue
      }
      const isOurs = (response.headers.get('content-type') ?? '').includes('dicom+json')
      // The next try asks the server how much arrived.
      if (!isOurs && (isHeld(response.status) || isForgotten(response.status))) return goesOn()
      return judge(response, session, token)
    }
  }
}
