import { account } from '@dmp/contract'
import type { LoginTokens } from '@dmp/contract/account'
import { call, session, settings } from '@dmp/kit'

/** Identifies a challenge that a sign-in waits for (3.02). */
export interface Challenge {
  readonly userId: string
  readonly session: string
}

/**
 * The state of a sign-in after an answer (4.10): a code is needed, a new password is needed, or the user is signed in.
 */
export type Outcome = { readonly next: 'code' | 'newPassword'; readonly challenge: Challenge } | { readonly next: 'in' }

export async function signIn(email: string, password: string): Promise<Outcome> {
  return toOutcome(await call(account.login, { ClientId: settings().clientId, email, password }))
}

export async function answerCode({ userId, session: challenge }: Challenge, mfaCode: string): Promise<Outcome> {
  return toOutcome(
    await call(account.respondToMFA, { clientId: settings().clientId, userId, session: challenge, mfaCode }),
  )
}

export async function answerNewPassword(
  { userId, session: challenge }: Challenge,
  newPassword: string,
): Promise<Outcome> {
  const answer = await call(account.setNewPassword, {
    clientId: settings().clientId,
    session: challenge,
    challengeResponse: { userName: userId, newPassword },
  })
  return toOutcome(answer).catch((cause: unknown) => {
    throw new PasswordIsSet(cause instanceof Error ? cause.message : '', { cause })
  })
}

/** The password is set, and the sign-in with it was refused: that of a service user always is (6.01). */
export class PasswordIsSet extends Error {}

/** Begins the session when nothing more is needed; that refuses service users (4.11, 6.01). */
async function toOutcome(answer: LoginTokens): Promise<Outcome> {
  if (answer.challengeName === null) {
    await session.begin(answer)
    return { next: 'in' }
  }
  const challenge = { userId: answer.userId ?? '', session: answer.session ?? '' }
  return { next: answer.challengeName === 'MFA' ? 'code' : 'newPassword', challenge }
}
