import { requestWithProgress, type ExchangeAnswer, type ExchangeOptions } from '../transport/requestWithProgress.ts'
import { tokenToSend } from './call.ts'

export type Exchange = Omit<ExchangeOptions, 'accessToken'>

/**
 * Makes one request with the session's token and reports how much of its body has been sent. Throws only when no answer
 * came.
 */
export function exchange(options: Exchange): Promise<ExchangeAnswer> {
  return requestWithProgress({ ...options, accessToken: tokenToSend() })
}
