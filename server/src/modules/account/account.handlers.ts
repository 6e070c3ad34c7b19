import type { account } from '@dmp/contract'
import type { SessionRow } from '@dmp/contract/account'
import { sql } from 'kysely'
import type { Context } from '../../core/context.ts'
import { notFound } from '../../core/errors.ts'
import type { Handlers } from '../../core/handlers.ts'
import type { Dependencies } from '../../dependencies.ts'
import { passwordChangedMail } from './account.mails.ts'
import { getAccount, setPassword } from './account.repository.ts'
import { confirmPassword } from './confirmPassword.ts'
import { firstAdministratorHandlers, type FirstRun } from './firstAdministrator.ts'
import { allowExchange, bindSessionLabel } from '../../identity/sessionLabels.ts'
import { forgotPassword, refuseField, resetForgotPassword } from './recovery.ts'
import { rotateRefreshToken } from './refreshTokens.ts'
import { endSessions, ownSignOut } from '../../identity/sessions.ts'
import { SignIn } from './signIn.ts'
import { toUser } from '../../identity/user.ts'

export const accountHandlers = (deps: Dependencies): Handlers<typeof account> => {
  const signIn = new SignIn(deps)
  return { ...entering(deps, signIn), ...owning(deps, signIn), ...firstAdministratorHandlers(deps) }
}

type Entering =
  | 'login'
  | 'respondToMFA'
  | 'setNewPassword'
  | 'logout'
  | 'renewToken'
  | 'forgotPassword'
  | 'resetForgotPassword'

/** Calls of people who are not signed in yet. */
const entering = (deps: Dependencies, signIn: SignIn): Pick<Handlers<typeof account>, Entering> => ({
  login: async ({ ClientId, email, password }, context) => {
    signIn.checkClient(ClientId, 'ClientId')
    return signIn.login(email, password, ClientId, context)
  },
  respondToMFA: async ({ clientId, session, userId, mfaCode }, context) => {
    signIn.checkClient(clientId, 'clientId')
    return signIn.respondToMFA(userId, session, mfaCode.trim(), clientId, context)
  },
  setNewPassword: async ({ challengeResponse: { userName, newPassword }, clientId, session }, context) => {
    signIn.checkClient(clientId, 'clientId')
    return signIn.setNewPassword(userName, session, newPassword, clientId, context)
  },
  renewToken: async ({ clientId, refreshToken }, context) => rotateRefreshToken(deps, refreshToken, clientId, context),

  // A token that is not known is signed out already.
  logout: async ({ refreshToken }, { request, cookies }) => {
    const { db, keys, write } = deps
    const owner = await db
      .selectFrom('refresh_tokens')
      .innerJoin('sessions', 'sessions.id', 'refresh_tokens.session_id')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['sessions.id as sessionId', 'sessions.user_id as userId', 'users.organization_id as organizationId'])
      .where('refresh_tokens.hash', '=', keys.digest('refresh', refreshToken))
      .where('sessions.ended_date', 'is', null)
      .executeTakeFirst()
    cookies.clear('dmp-binding')
    if (!owner) return null
    await write({ viewer: owner, request }, async (step) => {
      await endSessions(step, { sessionIds: [owner.sessionId] }, ownSignOut)
      await step.audit({ event: 'SignedOut', subject: { sessionId: owner.sessionId } })
    })
    return null
  },

  forgotPassword: async ({ Email, ClientId }, context) => {
    signIn.checkClient(ClientId, 'ClientId')
    deps.background(forgotPassword(deps, Email, ClientId, context))
    return null
  },
  resetForgotPassword: async ({ UserId, ConfirmationCode, NewPassword, ClientId }, context) => {
    signIn.checkClient(ClientId, 'ClientId')
    await resetForgotPassword(deps, UserId, ConfirmationCode, NewPassword, context)
    return null
  },
})

/** Calls of the signed-in about their own account. */
const owning = (deps: Dependencies, signIn: SignIn): Omit<Handlers<typeof account>, Entering | keyof FirstRun> => {
  const { db, settings, write } = deps
  return {
    profile: (_input, { viewer }) =>
      deps.viewers.getProfile(viewer, async () => toUser(await getAccount(db, viewer.userId), { withPolicy: true })),
    changePassword: async ({ oldPassword, newPassword }, context) =>
      changePassword(deps, signIn, oldPassword, newPassword, context),
    getPreferences: async (_input, { viewer }) => ({ mfaEnabled: (await getAccount(db, viewer.userId)).mfa_enabled }),
    updatePreferences: async ({ mfaEnabled, password }, context) => {
      const { viewer } = context
      const previousAccount = await getAccount(db, viewer.userId)
      // A stranger at an open session must not be able to take the second factor away.
      if (previousAccount.mfa_enabled && !mfaEnabled)
        await confirmPassword(deps, signIn.throttle, previousAccount, 'password', password)
      await write(context, async ({ trx, audit, announce }) => {
        await announce({ kind: 'viewersChanged', userIds: [viewer.userId] })
        await trx
          .updateTable('users')
          .set({ mfa_enabled: mfaEnabled, updated_date: sql<Date>`now()` })
          .where('id', '=', viewer.userId)
          .execute()
        await audit({ event: 'PreferencesChanged', subject: { mfaEnabled } })
      })
      return { mfaEnabled }
    },
    getIFU: async () => settings.ifuLink,
    validateToken: async () => null,
    listSessions: async (_input, { viewer }) => listSessions(deps, viewer),
    announceLaunch: async ({ sessionId }, { viewer }) => {
      // Also where the page has no live channel just now; another user's session id answers like one that is free.
      if (await bindSessionLabel(db, sessionId, viewer.sessionId)) await allowExchange(db, sessionId)
      return null
    },
    signOutSession: async ({ id }, context) => {
      const { viewer } = context
      await write(context, async (step) => {
        const filter = { userIds: [viewer.userId], sessionIds: [id], except: viewer.sessionId }
        const sessions = await endSessions(step, filter, 'signed out by the user elsewhere')
        if (sessions === 0) throw notFound()
        await step.audit({ event: 'SessionEnded', subject: { sessions } })
      })
      return listSessions(deps, viewer)
    },
    signOutOthers: async (_input, context) => {
      const { viewer } = context
      await write(context, async (step) => {
        const endedSessions = await endSessions(
          step,
          { userIds: [viewer.userId], except: viewer.sessionId },
          'signed out by the user elsewhere',
        )
        await step.audit({ event: 'SessionEnded', subject: { sessions: endedSessions } })
      })
      return listSessions(deps, viewer)
    },
  }
}

async function changePassword(
  deps: Dependencies,
  signIn: SignIn,
  oldPassword: string,
  newPassword: string,
  context: Context,
): Promise<null> {
  const { db, write, mail, hasher, publicUrl } = deps
  const { viewer } = context
  const account = await getAccount(db, viewer.userId)
  await confirmPassword(deps, signIn.throttle, account, 'oldPassword', oldPassword)
  if (oldPassword === newPassword)
    throw refuseField('SAME_PASSWORD', 'newPassword', 'Please choose a password that differs from the current one.')
  const hashed = await hasher.hashChosen(newPassword, 'newPassword')
  await write(context, async (step) => {
    await setPassword(step.trx, viewer.userId, hashed)
    await endSessions(step, { userIds: [viewer.userId], except: viewer.sessionId }, 'password changed')
    await step.announce({ kind: 'viewersChanged', userIds: [viewer.userId] })
    await mail.queue(step.trx, passwordChangedMail(viewer, publicUrl()))
    step.afterwards(mail.deliver)
    await step.audit({ event: 'PasswordChanged' })
  })
  return null
}

async function listSessions({ db }: Dependencies, viewer: Context['viewer']): Promise<SessionRow[]> {
  const rows = await db
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', viewer.userId)
    .where('ended_date', 'is', null)
    .where('expires_date', '>', sql<Date>`now()`)
    .orderBy('last_seen_date', 'desc')
    .orderBy('id')
    .execute()
  return rows.map((row) => ({
    id: row.id,
    startedDate: row.started_date.toISOString(),
    lastSeenDate: row.last_seen_date.toISOString(),
    device: row.device,
    address: row.address,
    isCurrent: row.id === viewer.sessionId,
  }))
}
