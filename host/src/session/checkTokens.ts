import { msLeft, session, sessionTexts, settings } from '@dmp/kit'

/** One tick of 4.12: ends a session whose token has ended, renews one that is about to. */
export async function checkTokens(): Promise<void> {
  if (!session.get().tokens) return
  if (!session.catchUp()) return session.end(sessionTexts.renewalFailed)
  const { tokens } = session.get()
  if (tokens && msLeft(tokens) <= settings().tokenRenewBeforeSeconds * 1000) await session.renew()
}
