import type { LoginTokens } from '@dmp/contract/account'
import { sharedDate } from '../../core/clock.ts'
import type { Write } from '../../db/write.ts'
import type { PublicContext } from '../../core/context.ts'
import { refuseAtFixedSteps } from '../../core/fixedSteps.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import { codeMail } from './account.mails.ts'
import { createPersonCookie, audienceSeconds } from '../../identity/personCookie.ts'
import { createWrongPasswords } from './wrongPasswords.ts'
import { addChallenge, closeChallenge, findOpenChallenge, replaceChallenge, tryChallenge } from './challenges.ts'
import { findAccount, findAccountByEmail, mayEnter, setPassword, type Account } from './account.repository.ts'
import { createDeviceCookie, deviceSeconds, findDevice } from '../../identity/knownDevice.ts'
import {
  accountAttempt,
  addressAttempt,
  codeAttempt,
  deviceAttempt,
  type LoginAttempt,
} from '../../identity/loginAttempts.ts'
import { createLoginThrottle, type LoginThrottle } from './loginThrottle.ts'
import { isNewPlace } from '../../identity/newPlace.ts'
import { keepReader } from './reader.ts'
import { warnOfNewPlace } from './newPlaceWarning.ts'
import { beginSession, endSessions, createTokens, type NewSession } from '../../identity/sessions.ts'
import { fullName } from '../../identity/user.ts'

const noTokens = { accessToken: null, refreshToken: null, idToken: null, expiresIn: null, expireDate: null } as const

/** The id of no user. */
const nobody = '00000000-0000-0000-0000-000000000000'

/** One sentence for unknown, wrong, expired and deactivated (P04, P07). */
const wrong = (): Refusal => new Refusal(401, 'WRONG_CREDENTIALS', 'The email or the password is not correct.')
const challengeOver = (): Refusal =>
  new Refusal(401, 'CHALLENGE_OVER', 'This sign-in is not valid anymore. Please login again.')

/** The steps of 4.10. */
export class SignIn {
  readonly throttle: LoginThrottle
  readonly #parts: Dependencies
  readonly #wrongPasswords = createWrongPasswords()

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
    const attempts = this.#attemptsOn(email, password, context)
    const account = await refuseAtFixedSteps(() =>
      this.throttle.inTurn(attempts.onAccount, () => this.#identify(email, password, attempts, context)),
    )
    return this.#goOn(account, clientId, context)
  }

  /** The account whose password this is; everybody else gets one and the same refusal. */
  async #identify(email: string, password: string, attempts: Attempts, context: PublicContext): Promise<Account> {
    const { onAccount, onAddress } = attempts
    const waitSeconds = await this.#reserve(attempts)
    const account = await findAccountByEmail(this.#parts.db, email)
    const isRight = await this.#parts.hasher.isRight(password, account?.password_hash ?? undefined)
    const refuse = (reason: string) => this.#refuse(account, { reason, waitSeconds }, context)
    if (!account || !isRight) {
      this.#wrongPasswords.remember(email, password)
      return refuse(account ? 'wrong password' : 'unknown account')
    }
    if (!mayEnter(account)) return refuse('deactivated')
    if (account.temporary_until && account.temporary_until < sharedDate()) return refuse('temporary password expired')
    await this.throttle.release(onAccount, 'all')
    if (onAddress) await this.throttle.release(onAddress, 'one')
    return account
  }

  /** An address that has to wait costs its people nothing on their accounts. */
  async #reserve({ onAccount, onAddress }: Attempts): Promise<number> {
    const waitSeconds = await this.throttle.reserve(onAccount)
    try {
      if (onAddress) await this.throttle.reserve(onAddress)
    } catch (refusal) {
      await this.throttle.release(onAccount, 'one')
      throw refusal
    }
    return waitSeconds
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
    // A stranger who knows the user id has no open challenge and spends nobody's attempts.
    const open = await findOpenChallenge(db, keys, 'MFA', challengeToken, userId, clientId)
    if (!open) throw challengeOver()
    // Wrong codes count together, whichever challenge they answer; those of somebody else who knows the password do not
    // keep the owner's own devices waiting.
    const attempt = codeAttempt(userId, open.deviceHash)
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
    const { db, keys, hasher } = this.#parts
    const namedAccount = userName.includes('@')
      ? await findAccountByEmail(db, userName)
      : await findAccount(db, userName)
    // Asked for nobody as well: the time must not tell who has an account (P07).
    const userId = namedAccount?.id ?? nobody
    const challenge = await tryChallenge(db, keys, 'NEW_PASSWORD_REQUIRED', challengeToken, userId, clientId)
    if (!challenge || !namedAccount || !mayEnter(namedAccount)) throw challengeOver()
    if (await hasher.isRight(password, namedAccount.password_hash ?? undefined)) {
      const message = 'Please choose a password that differs from the temporary one.'
      throw new Refusal(400, 'SAME_PASSWORD', message, [{ path: 'challengeResponse.newPassword', message }])
    }
    const hashed = await hasher.hashChosen(password, 'challengeResponse.newPassword')
    return this.#goOn({ ...namedAccount, temporary_until: null }, clientId, context, async (step) => {
      if (!(await closeChallenge(step.trx, challenge))) throw challengeOver()
      await setPassword(step.trx, namedAccount.id, hashed)
      await endSessions(step, { userIds: [namedAccount.id] }, 'password chosen')
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
      if (account.mfa_enabled) return this.#askForCode(step, account, clientId, context)
      return this.#begin(step, account, clientId, context)
    })
    return 'sessionId' in result ? this.#complete(account, result, clientId, context) : result
  }

  async #askForPassword({ trx, audit }: Write, account: Account, clientId: string): Promise<LoginTokens> {
    const { keys, settings } = this.#parts
    const { challengeToken } = await replaceChallenge(trx, keys, {
      purpose: 'NEW_PASSWORD_REQUIRED',
      userId: account.id,
      clientId,
      minutes: settings.newPasswordMinutes,
    })
    await audit({ event: 'SignedIn', subject: { step: 'new password required' } })
    return { ...noTokens, challengeName: 'new-password-required', userId: account.id, session: challengeToken }
  }

  async #askForCode(
    { trx, audit, afterwards }: Write,
    account: Account,
    clientId: string,
    context: PublicContext,
  ): Promise<LoginTokens> {
    const { keys, settings, mail } = this.#parts
    const { challengeToken, code } = await addChallenge(trx, keys, {
      purpose: 'MFA',
      userId: account.id,
      clientId,
      minutes: settings.mfaMinutes,
      device: this.#findDevice(account, context),
    })
    const reader = { email: account.email, fullName: fullName(account), language: context.request.language }
    await mail.queue(trx, codeMail(reader, code, settings.mfaMinutes))
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
    const isNew = await isNewPlace(step.trx, this.#parts.keys, account, context)
    const session = await beginSession(step, this.#parts, account.id, clientId, context)
    if (isNew) await warnOfNewPlace(step, this.#parts, account, context)
    await keepReader(step.trx, account, context.request, isNew)
    await step.audit({
      event: 'SignedIn',
      subject: {
        sessionId: session.sessionId,
        clientId,
        ...(by === undefined ? {} : { step: by }),
        ...(isNew && { isNewPlace: true }),
      },
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
    // Apps without a browser too: the uploader keeps it beside its journal.
    context.cookies.set('dmp-device', createDeviceCookie(keys, account.email), deviceSeconds)
    if (binding !== undefined) {
      context.cookies.set('dmp-binding', binding, settings.sessionHours * 3600)
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

  async #refuse(
    account: Account | undefined,
    { reason, waitSeconds }: { reason: string; waitSeconds: number },
    { request }: PublicContext,
  ): Promise<never> {
    // Also for unknown addresses, so that it takes as long; the input may be a password and is not recorded.
    const subject = { reason, ...(waitSeconds > 0 && { waitSeconds }) }
    await this.#parts.write({ viewer: account ? toActor(account) : null, request }, ({ audit }) =>
      audit({ event: 'SignInFailed', outcome: 'refused', subject }),
    )
    throw wrong()
  }

  #findDevice({ email }: Account, { cookies }: PublicContext): string | undefined {
    return findDevice(this.#parts.keys, cookies.read('dmp-device'), email)
  }

  /** A known device has attempts of its own, on the account and beside those of everybody behind its address (P04). */
  #attemptsOn(email: string, password: string, { request, cookies }: PublicContext): Attempts {
    const { keys, settings } = this.#parts
    const device = findDevice(keys, cookies.read('dmp-device'), email)
    if (device !== undefined) return { onAccount: deviceAttempt(device), onAddress: undefined }
    const isGuess = !this.#wrongPasswords.has(email, password)
    return {
      onAccount: accountAttempt(email),
      onAddress: isGuess ? addressAttempt(request.ip, settings.limitFactor) : undefined,
    }
  }
}

/** What one sign-in counts on; nothing for the address where it tells nobody anything about its people. */
interface Attempts {
  readonly onAccount: LoginAttempt
  readonly onAddress: LoginAttempt | undefined
}

const toActor = (account: Account) => ({ userId: account.id, organizationId: account.organization_id })
