import type { Answer, Endpoint, Input } from '@dmp/contract/endpoint'
import { adoptNewerTokens, session } from '../session/session.ts'
import { sessionTexts } from '../session/texts.ts'
import { CallError } from '../transport/CallError.ts'
import { announceForbidden } from './forbidden.ts'
import { request } from '../transport/request.ts'

/**
 * Makes one call of the contract and answers its parsed `data` (lists: `{rows, total}`). Throws `CallError`.
 * Every call passes the one step of 7.01: a valid access token goes along; one that has ended ends the session.
 *
 * @example const { rows } = await call(complaint.list, { page: 1 })
 */
export async function call<E extends Endpoint>(
  endpoint: E,
  input: Input<E>,
  { signal }: { signal?: AbortSignal } = {},
): Promise<Answer<E>> {
  const accessToken = tokenToSend()
  try {
    return await request(endpoint, input, { accessToken, signal })
  } catch (error) {
    if (!(error instanceof CallError)) throw error
    if (
      error.status === 401 &&
      accessToken &&
      endpoint.definition.needs !== 'nothing' &&
      error.code !== 'WRONG_PASSWORD'
    ) {
      // Another tab may have renewed while this request was on its way.
      if (adoptNewerTokens(accessToken))
        return request(endpoint, input, { accessToken: session.get().tokens?.accessToken, signal })
      void session.end(sessionTexts.notValid)
    }
    if (error.status === 403) announceForbidden(endpoint)
    throw error
  }
}

/** 7.01: the token, if it is valid; if it is there and not valid, the session ends and the request goes on without it. */
export function tokenToSend(): string | undefined {
  const accessToken = session.get().tokens?.accessToken
  if (!accessToken || session.isValid()) return accessToken
  if (adoptNewerTokens(accessToken)) return session.get().tokens?.accessToken
  void session.end(sessionTexts.notValid)
  return undefined
}
