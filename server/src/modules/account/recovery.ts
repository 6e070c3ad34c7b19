import { sql, type Transaction } from 'kysely'
import type { PublicContext } from '../../core/context.ts'
import { Refusal, tooManyRequests, type FieldProblem } from '../../core/errors.ts'
import type { ErrorCode } from '../../core/errorCodes.ts'
import type { Tables } from '../../db/tables/index.ts'
import type { Dependencies } from '../../dependencies.ts'
import { passwordChangedMail, resetMail } from './account.mails.ts'
import { createDeviceCookie, deviceSeconds } from '../../identity/knownDevice.ts'
import { liftLockout } from '../../identity/loginAttempts.ts'
import { findAccount, findAccountByEmail, mayEnter, setPassword } from './account.repository.ts'
import { closeChallenge, lockForChallenges, replaceChallenge, tryChallenge } from './challenges.ts'
import { endSessions } from '../../identity/sessions.ts'
import { fullName } from '../../identity/user.ts'

/**
 * Mails that one account gets in an hour, however often strangers request them; while the newest link is open, so that
 * they cannot leave its owner without one.
 */
const mostPerHour = 5

/** 7.07: the caller learns nothing. The work is done after the answer, which is always the same (P07). */
export async function forgotPassword(
  deps: Dependencies,
  email: string,
  clientId: string,
  { request }: PublicContext,
): Promise<void> {
  const { db, keys, settings, write, mail, publicUrl } = deps
  const account = await findAccountByEmail(db, email)
  if (!account || !mayEnter(account) || account.password_hash === null) return
  const context = { viewer: { userId: account.id, organizationId: account.organization_id }, request }
  await write(context, async (step) => {
    await assertFewMails(step.trx, account.id)
    const { challengeToken } = await replaceChallenge(step.trx, keys, {
      purpose: 'RESET',
      userId: account.id,
      clientId,
      minutes: settings.resetMinutes,
    })
    const link = `${publicUrl()}/reset-password/${account.id}/${challengeToken}`
    await mail.queue(
      step.trx,
      resetMail(
        { email: account.email, fullName: fullName(account), language: request.language },
        link,
        settings.resetMinutes,
      ),
    )
    step.afterwards(mail.deliver)
    await step.audit({ event: 'PasswordResetRequested' })
  }).catch((error: unknown) => {
    // The caller learns nothing of it.
    if (!(error instanceof Refusal)) throw error
  })
}

async function assertFewMails(trx: Transaction<Tables>, userId: string): Promise<void> {
  await lockForChallenges(trx, userId)
  const recent = await trx
    .selectFrom('challenges')
    .select(sql<number>`count(*)::int`.as('count'))
    .select(sql<boolean>`bool_or(used_date is null and expires_date > now())`.as('hasOpenLink'))
    .where('user_id', '=', userId)
    .where('purpose', '=', 'RESET')
    .where('created_date', '>', sql<Date>`now() - interval '1 hour'`)
    .executeTakeFirstOrThrow()
  if (recent.count >= mostPerHour && recent.hasOpenLink) throw tooManyRequests(3600)
}

const linkOver = (): Refusal =>
  new Refusal(400, 'LINK_OVER', 'This link is not valid anymore. Please request a new one.')

/**
 * 7.08: the link works once, by this call only; every session of the user ends, and MFA is asked for at the next
 * sign-in.
 */
export async function resetForgotPassword(
  deps: Dependencies,
  userId: string,
  code: string,
  password: string,
  { request, cookies }: PublicContext,
): Promise<void> {
  const { db, keys, write, mail, hasher, publicUrl } = deps
  const challenge = await tryChallenge(db, keys, 'RESET', code, userId)
  const account = challenge && (await findAccount(db, challenge.userId))
  if (!challenge || !account || !mayEnter(account)) throw linkOver()
  const hashed = await hasher.hashChosen(password, 'NewPassword')
  await write({ viewer: { userId: account.id, organizationId: account.organization_id }, request }, async (step) => {
    if (!(await closeChallenge(step.trx, challenge))) throw linkOver()
    await setPassword(step.trx, account.id, hashed)
    // The mailbox is proof enough of the owner, whom guesses of strangers may have made wait.
    await liftLockout(step.trx, keys, account)
    await endSessions(step, { userIds: [account.id] }, 'password reset')
    await mail.queue(step.trx, passwordChangedMail({ email: account.email, fullName: fullName(account) }, publicUrl()))
    step.afterwards(mail.deliver)
    await step.audit({ event: 'PasswordReset' })
  })
  cookies.clear('dmp-binding')
  // Its tries at the sign-in are its own from now on: a stranger who goes on guessing does not keep the owner out.
  cookies.set('dmp-device', createDeviceCookie(keys, account.email), deviceSeconds)
}

export const refuseField = (code: ErrorCode, path: FieldProblem['path'], message: string): Refusal =>
  new Refusal(400, code, message, [{ path, message }])
