import { msLeft, session, sessionTexts, settings } from '@dmp/kit'

/**
 * One tick of the token check (4.12): ends a session whose token has expired, renews a token that is about to expire.
 */
export async function checkTokens(): Promise<void> {
  // Where nobody is signed in there is nothing to end.
  if (!session.catchUp()) return session.end(sessionTexts.renewalFailed)
  const { tokens } = session.get()
  if (tokens && msLeft(tokens) <= settings().tokenRenewBeforeSeconds * 1000) await session.renew()
}
