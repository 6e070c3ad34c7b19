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

  /** It did not answer at all, or a proxy answered in its place; otherwise it is there, and has no time. */
  get isGone(): boolean {
    return this.cause !== undefined
  }
}

/** A proxy speaks for a server that is not there. */
export const isOfProxy = ({ status, code }: Refusal): boolean => code === '' && status > 501

export const toUnreachable = (refusal: Refusal): Unreachable =>
  new Unreachable(refusal.message, isOfProxy(refusal) ? { cause: refusal } : {})

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
    message: typeof message === 'string' ? message : `The server responded with ${reply.status}.`,
    retryAfterMs: retryAfter(reply),
  }
}

export function retryAfter(reply: Response): number | undefined {
  const seconds = Number(reply.headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) && seconds >= 0 ? seconds * 1000 : undefined
}

/** Why a file is not there, in a sentence, and in one word that the window says in other languages. */
export interface Why {
  readonly reason: string
  /** Absent where a server, or an uploader of before, said none. */
  readonly code?: string
}

/** The outcome of an object that was sent, as the store response says it. */
export type StoreOutcome = { readonly kind: 'stored' | 'duplicate' } | ({ readonly kind: 'refused' } & Why)

/** The outcomes of the objects that were sent, in their order; undefined for those that the response does not name. */
export function readBatch(body: unknown, count: number): (StoreOutcome | undefined)[] {
  return readStoreResponse(body, count).map((outcome) => {
    if (outcome?.kind !== 'refused') return outcome && { kind: outcome.kind }
    const { sentence, reason: code } = outcome
    const reason = sentence || 'The server refused the file without giving a reason.'
    return { kind: 'refused', reason, ...(code !== '' && { code }) }
  })
}

/**
 * The outcome of the one object that was sent, from the store response; undefined when the response says nothing of it.
 */
export const readStored = (body: unknown): StoreOutcome | undefined => readBatch(body, 1)[0]

/** What to do where the address leads to another server than the one that was meant. */
export const wrongHost = (url: string, message: string): string =>
  `${URL.canParse(url) ? new URL(url).host : 'The server'} does not answer to this name. ${message} ` +
  'Check the address in the settings, or ask its administrator for the right one. Nothing was lost.'
