import type { LoginTokens } from '@dmp/contract/account'
import type { Write } from '../../db/write.ts'
import type { PublicContext } from '../../core/context.ts'
import { refuseAtFixedSteps } from '../../core/fixedSteps.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { codeMail } from './account.mails.ts'
import { createPersonCookie, audienceSeconds } from '../../identity/personCookie.ts'
import { closeChallenge, openChallenge, tryChallenge } from './challenges.ts'
import { findAccount, findAccountByEmail, mayEnter, setPassword, type Account } from './account.repository.ts'
import { createLoginThrottle, type LoginAttempt, type LoginThrottle } from './loginThrottle.ts'
import { beginSession, endSessions, createSecret, createTokens, type NewSession } from '../../identity/sessions.ts'
import { fullName } from '../../identity/user.ts'

const noTokens = { accessToken: null, refreshToken: null, idToken: null, expiresIn: null, expireDate: null } as const

/** One sentence for unknown, wrong, expired and deactivated (P04, P07). */
const wrong = (): Refusal => new Refusal(401, 'WRONG_CREDENTIALS', 'The email or the password is not correct.')
const challengeOver = (): Refusal =>
  new Refusal(401, 'CHALLENGE_OVER', 'This sign-in is not valid anymore. Please login again.')

/**
 * A device that signed in to the account before has tries of its own, so that strangers' guesses do not lock its owner
 * out.
 */
const deviceDays = 180

/** The steps of 4.10. */
export class SignIn {
  readonly throttle: LoginThrottle
  readonly #parts: Dependencies

  constructor(deps: Dependencies) {
    this.#parts = deps
    this.throttle = createLoginThrottle(deps.db, deps.keys)
  }

  checkClient(clientId: string, field: string): void {
    const { settings } = this.#parts
    if (clientId === settings.clientId || settings.appClientIds.includes(clientId)) return
    const message = 'This client id is not known.'
    throw new Refusal(400, 'INVALID', message, [{ path: field, message }])
  }

  /** 7.03: sign-in with email and password. */
  async login(email: string, password: string, clientId: string, context: PublicContext): Promise<LoginTokens> {
    const { onAccount, onAddress } = this.#attemptsOn(email, context)
    const account = await refuseAtFixedSteps(() =>
      this.throttle.inTurn(onAccount, () => this.#identify(email, password, onAccount, onAddress, context)),
    )
    return this.#goOn(account, clientId, context)
  }

  /** The account whose password this is; everybody else gets one and the same refusal. */
  async #identify(
    email: string,
    password: string,
    onAccount: LoginAttempt,
    onAddress: LoginAttempt,
    context: PublicContext,
  ): Promise<Account> {
    await this.throttle.reserve(onAccount)
    await this.throttle.reserve(onAddress)
    const account = await findAccountByEmail(this.#parts.db, email)
    const isRight = await this.#parts.hasher.isRight(password, account?.password_hash ?? undefined)
    if (!account || !isRight) return this.#refuse(account, account ? 'wrong password' : 'unknown account', context)
    if (!mayEnter(account)) return this.#refuse(account, 'deactivated', context)
    if (account.temporary_until && account.temporary_until < new Date())
      return this.#refuse(account, 'temporary password expired', context)
    await this.throttle.release(onAccount, 'all')
    await this.throttle.release(onAddress, 'one')
    return account
  }

  /** 7.11: the mailed code completes the sign-in. */
  async respondToMFA(
    userId: string,
    challengeToken: string,
    code: string,
    clientId: string,
    context: PublicContext,
  ): Promise<LoginTokens> {
    const { db, keys, write } = this.#parts
    const attempt = { key: `mfa:${userId.toLowerCase()}`, free: 5 }
    await this.throttle.reserve(attempt)
    const challenge = await tryChallenge(db, keys, 'MFA', challengeToken, userId, clientId)
    const account = challenge && (await findAccount(db, challenge.userId))
    if (!challenge || !account || !mayEnter(account)) throw challengeOver()
    if (!challenge.isRight(code)) {
      await write({ viewer: toActor(account), request: context.request }, ({ audit }) =>
        audit({ event: 'MfaFailed', outcome: 'refused' }),
      )
      throw new Refusal(401, 'WRONG_CODE', 'The verification code is not correct.', [
        { path: 'mfaCode', message: 'The verification code is not correct.' },
      ])
    }
    const session = await write({ viewer: toActor(account), request: context.request }, async (step) => {
      if (!(await closeChallenge(step.trx, challenge))) throw challengeOver()
      return this.#begin(step, account, clientId, context, 'verification code')
    })
    await this.throttle.release(attempt, 'all')
    return this.#complete(account, session, clientId, context)
  }

  /** 7.04: a new password completes the sign-in. */
  async setNewPassword(
    userName: string,
    challengeToken: string,
    password: string,
    clientId: string,
    context: PublicContext,
  ): Promise<LoginTokens> {
    const { db, keys, hasher, bus } = this.#parts
    const namedAccount = userName.includes('@')
      ? await findAccountByEmail(db, userName)
      : await findAccount(db, userName)
    const challenge =
      namedAccount && (await tryChallenge(db, keys, 'NEW_PASSWORD_REQUIRED', challengeToken, namedAccount.id, clientId))
    if (!challenge || !mayEnter(namedAccount)) throw challengeOver()
    if (await hasher.isRight(password, namedAccount.password_hash ?? undefined)) {
      const message = 'Please choose a password that differs from the temporary one.'
      throw new Refusal(400, 'SAME_PASSWORD', message, [{ path: 'challengeResponse.newPassword', message }])
    }
    const hashed = await hasher.hashChosen(password, 'challengeResponse.newPassword')
    return this.#goOn({ ...namedAccount, temporary_until: null }, clientId, context, async (step) => {
      if (!(await closeChallenge(step.trx, challenge))) throw challengeOver()
      await setPassword(step.trx, namedAccount.id, hashed)
      await endSessions(step, bus, { userIds: [namedAccount.id] }, 'password chosen')
      await step.audit({ event: 'PasswordChanged', subject: { step: 'first sign-in' } })
    })
  }

  /** Challenge or tokens after a right password. */
  async #goOn(
    account: Account,
    clientId: string,
    context: PublicContext,
    prepare?: (step: Write) => Promise<void>,
  ): Promise<LoginTokens> {
    const result = await this.#parts.write({ viewer: toActor(account), request: context.request }, async (step) => {
      await prepare?.(step)
      if (account.temporary_until) return this.#askForPassword(step, account, clientId)
      if (account.mfa_enabled) return this.#askForCode(step, account, clientId)
      return this.#begin(step, account, clientId, context)
    })
    return 'sessionId' in result ? this.#complete(account, result, clientId, context) : result
  }

  async #askForPassword({ trx, audit }: Write, account: Account, clientId: string): Promise<LoginTokens> {
    const { keys, settings } = this.#parts
    const { challengeToken } = await openChallenge(
      trx,
      keys,
      'NEW_PASSWORD_REQUIRED',
      account.id,
      clientId,
      settings.newPasswordMinutes,
    )
    await audit({ event: 'SignedIn', subject: { step: 'new password required' } })
    return { ...noTokens, challengeName: 'NEW_PASSWORD_REQUIRED', userId: account.id, session: challengeToken }
  }

  async #askForCode({ trx, audit, afterwards }: Write, account: Account, clientId: string): Promise<LoginTokens> {
    const { keys, settings, mail } = this.#parts
    const { challengeToken, code } = await openChallenge(trx, keys, 'MFA', account.id, clientId, settings.mfaMinutes)
    await mail.queue(trx, codeMail({ email: account.email, fullName: fullName(account) }, code, settings.mfaMinutes))
    afterwards(mail.deliver)
    await audit({ event: 'SignedIn', subject: { step: 'verification code sent' } })
    return { ...noTokens, challengeName: 'MFA', userId: account.id, session: challengeToken }
  }

  async #begin(
    step: Write,
    account: Account,
    clientId: string,
    context: PublicContext,
    by?: string,
  ): Promise<NewSession> {
    const session = await beginSession(step, this.#parts, account.id, clientId, context)
    await step.audit({
      event: 'SignedIn',
      subject: { sessionId: session.sessionId, clientId, ...(by === undefined ? {} : { step: by }) },
    })
    return session
  }

  async #complete(
    account: Account,
    { sessionId, refreshToken, binding }: NewSession,
    clientId: string,
    context: PublicContext,
  ): Promise<LoginTokens> {
    const { settings, keys } = this.#parts
    if (binding !== undefined) {
      context.cookies.set('dmp-binding', binding, settings.sessionHours * 3600)
      const nonce = createSecret()
      context.cookies.set(
        'dmp-device',
        `${nonce}.${keys.digest('device', `${nonce}:${account.email.toLowerCase()}`)}`,
        deviceDays * 86_400,
      )
      context.cookies.set('dmp-audience', createPersonCookie(keys, account.email, sessionId), audienceSeconds)
    }
    return createTokens(
      this.#parts,
      { id: account.id, email: account.email, fullName: fullName(account), organizationId: account.organization_id },
      sessionId,
      refreshToken,
      clientId,
    )
  }

  async #refuse(account: Account | undefined, reason: string, { request }: PublicContext): Promise<never> {
    // Also for unknown addresses, so that it takes as long; the input may be a password and is not recorded.
    await this.#parts.write({ viewer: account ? toActor(account) : null, request }, ({ audit }) =>
      audit({ event: 'SignInFailed', outcome: 'refused', subject: { reason } }),
    )
    throw wrong()
  }

  #attemptsOn(
    email: string,
    { request, cookies }: PublicContext,
  ): { onAccount: LoginAttempt; onAddress: LoginAttempt } {
    const { keys, settings } = this.#parts
    const [nonce, proof] = cookies.read('dmp-device')?.split('.') ?? []
    const isKnown = nonce !== undefined && proof === keys.digest('device', `${nonce}:${email.toLowerCase()}`)
    return {
      onAccount: { key: isKnown ? `device:${nonce}` : `account:${email.toLowerCase()}`, free: 5 },
      onAddress: { key: `address:${request.ip}`, free: Math.round(30 * settings.limitFactor) },
    }
  }
}

const toActor = (account: Account) => ({ userId: account.id, organizationId: account.organization_id })
