import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { currentPerson, forSamePerson, visitSignal } from '../session/person.ts'
import { adoptNewerTokens } from '../session/renewal.ts'
import { session } from '../session/session.ts'
import { sessionTexts } from '../session/texts.ts'
import { CallError } from '../transport/CallError.ts'
import { announceForbidden } from './forbidden.ts'
import type { Asked } from '../transport/passage.ts'
import { ask, request } from '../transport/request.ts'

export interface CallOptions {
  readonly signal?: AbortSignal
  /** Where a refusal is no reason to leave the page: it is thrown like any other error (8.01). */
  readonly isQuiet?: boolean
}

/**
 * Makes one call of the contract and returns its parsed `data` (lists: `{rows, total}`). Throws `CallError`.
 * Each call carries the access token if it is valid; an expired one ends the session (7.01). An answer that arrives
 * when its person has left is dropped (P23).
 *
 * @example const { rows } = await call(complaint.list, { page: 1 })
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { signal, isQuiet = false }: CallOptions = {},
): Promise<Answer<E>> {
  const { method, needs } = endpoint.definition
  const ownSignal = toSignal(method, signal)
  try {
    return await inSession(needs !== 'nothing', (accessToken) =>
      request(endpoint, input, { accessToken, signal: ownSignal }),
    )
  } catch (error) {
    if (error instanceof CallError && error.status === 403 && !isQuiet) announceForbidden(endpoint)
    throw error
  }
}

/**
 * Makes a request that a guest in a frame asked for, with the session of this page, and returns its reply as it came.
 * Throws `CallError`.
 */
export const askForGuest = (asked: Asked, signal: AbortSignal): Promise<unknown> =>
  inSession(true, (accessToken) => ask(asked, { accessToken, signal: toSignal(asked.method, signal) }))

async function inSession<T>(needsToken: boolean, make: (accessToken: string | undefined) => Promise<T>): Promise<T> {
  const accessToken = tokenToSend()
  try {
    return await forSamePerson(make(accessToken))
  } catch (error) {
    if (
      error instanceof CallError &&
      error.status === 401 &&
      accessToken &&
      needsToken &&
      error.code !== 'WRONG_PASSWORD'
    ) {
      // Another tab may have renewed the token meanwhile.
      if (adoptNewerTokens(accessToken)) return forSamePerson(make(session.get().tokens?.accessToken))
      void session.end(sessionTexts.notValid)
    }
    throw error
  }
}

// A read stops when its person leaves; a change that was asked for is made.
function toSignal(method: string, signal: AbortSignal | undefined): AbortSignal | undefined {
  if (method !== 'GET' || currentPerson() === null) return signal
  return signal ? AbortSignal.any([signal, visitSignal()]) : visitSignal()
}

/**
 * Returns the valid access token (7.01). An expired one ends the session, and the request continues without a token.
 */
export function tokenToSend(): string | undefined {
  const accessToken = session.get().tokens?.accessToken
  if (!accessToken || session.isValid()) return accessToken
  if (adoptNewerTokens(accessToken)) return session.get().tokens?.accessToken
  void session.end(sessionTexts.notValid)
  return undefined
}
