import { toApiAddress } from '@dmp/contract/apiAddress'
import { CallError, exchange, settings, toExchangeError, type ExchangeAnswer } from '@dmp/kit'

const protocol = { 'Tus-Resumable': '1.0.0' }
/** A break costs no more than this, also where a proxy collects what it passes on. */
const pieceBytes = 64 * 2 ** 20
const [firstPauseMs, mostPauseMs] = [1000, 30_000]
/** Another request still holds the upload, the server starts or stops, or there is no line. */
const isPassing = ({ status }: CallError): boolean => [0, 408, 409, 423, 429].includes(status) || status >= 500

export interface SendingOptions {
  readonly signal: AbortSignal
  /** Bytes that have arrived; `isWaiting` while there is no line. */
  readonly onProgress: (sent: number, isWaiting: boolean) => void
}

/**
 * Sends an archive to the address of its import by tus, behind what has arrived already, for as long as it takes. The
 * address exists before: a client that creates uploads has nothing to do here.
 */
export async function sendArchive(importId: string, file: Blob, { signal, onProgress }: SendingOptions): Promise<void> {
  const path = new URL(toApiAddress(settings(), `/Organization/imports/${importId}`), document.baseURI).href
  let pauseMs = firstPauseMs
  let sent: number | undefined
  while (sent !== file.size) {
    try {
      sent ??= await findOffset(path, signal)
      const at = sent
      onProgress(at, false)
      sent = await sendPiece(path, file, at, signal, (bytes) => onProgress(at + bytes, false))
      pauseMs = firstPauseMs
    } catch (cause) {
      signal.throwIfAborted()
      if (!(cause instanceof CallError) || !isPassing(cause)) throw cause
      onProgress(sent ?? 0, true)
      sent = undefined
      await pause(pauseMs, signal)
      pauseMs = Math.min(2 * pauseMs, mostPauseMs)
    }
  }
}

async function findOffset(path: string, signal: AbortSignal): Promise<number> {
  const reply = await exchange({ method: 'HEAD', path, headers: protocol, signal })
  return toOffset(reply)
}

async function sendPiece(
  path: string,
  file: Blob,
  at: number,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<number> {
  const headers = { ...protocol, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(at) }
  const body = file.slice(at, at + pieceBytes)
  return toOffset(await exchange({ method: 'PATCH', path, headers, body, onProgress, signal }))
}

function toOffset(reply: ExchangeAnswer): number {
  const offset = Number(reply.headers.get('upload-offset') ?? Number.NaN)
  if ((reply.status !== 200 && reply.status !== 204) || !Number.isSafeInteger(offset)) throw toExchangeError(reply)
  return offset
}

/** Ends early when the line is back. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      removeEventListener('online', end)
      signal.removeEventListener('abort', stop)
      resolve()
    }
    const stop = () => {
      reject(new DOMException('The upload was stopped.', 'AbortError'))
      end()
    }
    const timer = setTimeout(end, ms)
    addEventListener('online', end)
    signal.addEventListener('abort', stop)
  })
