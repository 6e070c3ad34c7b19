import { readStoreResponse } from '@dmp/dicom'

/** An error answer of the server (the envelope of docs/decisions/0002-the-wire.md). */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly message: string
  readonly retryAfterMs: number | undefined
}

/** The server could not be reached, or the connection was lost. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable'
}

/** Reads an error answer, also one that a proxy in front of the server has written. */
export async function readRefusal(reply: Response): Promise<Refusal> {
  const body: unknown = await reply.json().catch(() => undefined)
  const { code, message } = (typeof body === 'object' && body !== null ? body : {}) as {
    code?: unknown
    message?: unknown
  }
  return {
    status: reply.status,
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : `The server answered ${reply.status}.`,
    retryAfterMs: retryAfter(reply),
  }
}

export function retryAfter(reply: Response): number | undefined {
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/**
 * The outcome of the one object that was sent, from the store response; undefined when the response says nothing of it.
 */
export function readStored(
  body: unknown,
): { readonly kind: 'stored' | 'duplicate' } | { readonly kind: 'refused'; readonly reason: string } | undefined {
  const [outcome] = readStoreResponse(body, 1)
  if (outcome?.kind !== 'refused') return outcome && { kind: outcome.kind }
  return { kind: 'refused', reason: outcome.sentence || 'The server refused it without a reason.' }
}
