import * as account from '@dmp/contract/account'
import { settings } from '../settings.ts'
import { request } from '../transport/request.ts'
import { withRenewLock } from './renewLock.ts'
import { stored } from './storage.ts'
import { useSessionStore } from './store.ts'
import { areValid, toTokens } from './tokens.ts'

const { getState, setState } = useSessionStore

/** Adopts tokens that another tab stored, if they are valid and not the ones that failed. */
export function adoptNewerTokens(failedAccessToken: string): boolean {
  const theirs = stored.tokens()
  if (!areValid(theirs) || theirs.accessToken === failedAccessToken || theirs.userId !== getState().tokens?.userId)
    return false
  setState({ tokens: theirs })
  return true
}

/**
 * Renews the tokens, one tab for all; a failure is only logged (8.05). Returns whether the session is valid afterwards.
 */
export async function renew(): Promise<boolean> {
  const previousTokens = getState().tokens
  if (!previousTokens) return false
  return withRenewLock(async () => {
    if (adoptNewerTokens(previousTokens.accessToken)) return true
    // The session may have ended while another renewal held the lock; its tokens must not be used again.
    if (getState().tokens?.refreshToken !== previousTokens.refreshToken) return areValid(getState().tokens)
    try {
      const answer = await request(account.renewToken, {
        clientId: settings().clientId,
        refreshToken: previousTokens.refreshToken,
      })
      // The session may have ended or changed its user before the answer arrived.
      if (stored.tokens()?.refreshToken !== previousTokens.refreshToken)
        return adoptNewerTokens(previousTokens.accessToken)
      const tokens = toTokens({ ...answer, userId: answer.userId ?? previousTokens.userId }, previousTokens.sessionId)
      stored.writeTokens(tokens)
      setState({ tokens })
    } catch (error) {
      console.warn('The token could not be renewed.', error instanceof Error ? error.message : '')
      adoptNewerTokens(previousTokens.accessToken)
    }
    return areValid(getState().tokens)
  })
}
