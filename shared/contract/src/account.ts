import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import {
  Email,
  Instant,
  MfaCode,
  NewPassword,
  Password,
  Ticked,
  Uuid,
  maybe,
  messages,
  required,
  exact,
} from './fields.ts'
import { User } from './user.ts'

export * from './firstAdministrator.ts'

const Text = v.string('Text.')
const ClientId = v.pipe(required(), v.maxLength(100, 'This client id is too long.'))
/** Opaque: identifies the challenge that a sign-in waits for. */
const Challenge = v.pipe(required(), v.maxLength(500, 'This session is not valid.'))
const RefreshToken = v.pipe(required(), v.maxLength(500, 'This token is not valid.'))
/** The user's id; the specification calls it userName in the challenge response. */
const UserName = v.pipe(required(), v.maxLength(255, 'This user name is too long.'))

/** 3.02: the step that a sign-in waits for; null when it is complete. */
export const challengeNames = ['new-password-required', 'MFA'] as const
export const ChallengeName = v.picklist(challengeNames, 'This is not a challenge.')
export type ChallengeName = v.InferOutput<typeof ChallengeName>

/**
 * 3.01, 3.02. With a challenge only `challengeName`, `userId` and `session` are set; without, the tokens.
 * `expiresIn` is in seconds, `expireDate` the instant at which the access token ends. The client adds its own
 * sessionId.
 */
export const LoginTokens = v.object({
  accessToken: maybe(Text),
  refreshToken: maybe(Text),
  idToken: maybe(Text),
  challengeName: maybe(ChallengeName),
  userId: maybe(Uuid),
  session: maybe(Text),
  expiresIn: maybe(v.number('A number.')),
  expireDate: maybe(Instant),
})
export type LoginTokens = v.InferOutput<typeof LoginTokens>

/** 3.03: the preferences of a user. */
export const Preferences = v.object({ mfaEnabled: v.boolean('Yes or no.') })
export type Preferences = v.InferOutput<typeof Preferences>

/** One signed-in browser or app of the user: a session, whose tokens rotate (P08). */
export const SessionRow = v.object({
  id: Uuid,
  startedDate: Instant,
  lastSeenDate: Instant,
  /** Shortened for people: "Chrome on Windows". */
  device: Text,
  address: Text,
  isCurrent: v.boolean('Yes or no.'),
})
export type SessionRow = v.InferOutput<typeof SessionRow>
const byId = exact({ id: Uuid })
const SessionRows = v.array(SessionRow, 'A list.')

/** 2.42, 5.03: the sign-in form. */
export const LoginForm = exact({ email: Email, password: Password })
export type LoginForm = v.InferOutput<typeof LoginForm>
/** 2.42: the second step. */
export const MfaForm = exact({ mfaCode: MfaCode })
/** 2.45: the screen that requests a reset link. */
export const ForgotPasswordForm = exact({ email: Email })

const pair = { newPassword: NewPassword, confirmPassword: Password }
/** 2.44, 5.01: the new password, typed twice. */
export const ResetPasswordForm = v.pipe(
  exact(pair),
  v.forward(
    v.partialCheck(
      [['newPassword'], ['confirmPassword']],
      (input) => input.newPassword === input.confirmPassword,
      () => messages.passwordsMatch,
    ),
    ['confirmPassword'],
  ),
)
/** 2.43, 5.01, 5.02: the forced new password, with the terms ticked. */
export const SetNewPasswordForm = v.pipe(
  exact({ ...pair, terms: Ticked() }),
  v.forward(
    v.partialCheck(
      [['newPassword'], ['confirmPassword']],
      (input) => input.newPassword === input.confirmPassword,
      () => messages.passwordsMatch,
    ),
    ['confirmPassword'],
  ),
)
/** 2.47, 3.15, 5.01: the form and the payload of the password change. */
export const ChangePasswordForm = v.pipe(
  exact({ oldPassword: Password, newPassword: NewPassword, confirmNewPassword: Password }),
  v.forward(
    v.partialCheck(
      [['newPassword'], ['confirmNewPassword']],
      (input) => input.newPassword === input.confirmNewPassword,
      () => messages.passwordsMatch,
    ),
    ['confirmNewPassword'],
  ),
)

/** 7.03: sign-in, which returns the token fields. */
export const login = endpoint({
  method: 'POST',
  path: '/account/login',
  summary: 'Sign in with email and password; returns tokens or the next challenge.',
  needs: 'nothing',
  body: exact({ ClientId, email: Email, password: Password }),
  answer: LoginTokens,
})

/** 7.04: completes a sign-in that demands a new password. */
export const setNewPassword = endpoint({
  method: 'POST',
  path: '/account/setNewPassword',
  summary: 'Answer the new-password challenge of a first sign-in.',
  needs: 'nothing',
  body: exact({
    challengeResponse: exact({ userName: UserName, newPassword: NewPassword }),
    clientId: ClientId,
    session: Challenge,
  }),
  answer: LoginTokens,
})

/** 7.05: ends the session of the refresh token. */
export const logout = endpoint({
  method: 'POST',
  path: '/account/logout',
  summary: 'End the session that the refresh token belongs to.',
  needs: 'nothing',
  body: exact({ refreshToken: RefreshToken }),
})

/** 7.06: new tokens for a refresh token. */
export const renewToken = endpoint({
  method: 'POST',
  path: '/account/renewToken',
  summary: 'Exchange a refresh token for new tokens; each one works once.',
  needs: 'nothing',
  body: exact({ clientId: ClientId, refreshToken: RefreshToken }),
  answer: LoginTokens,
})

/** 7.07: the answer is the same for unknown addresses. */
export const forgotPassword = endpoint({
  method: 'POST',
  path: '/account/forgotPassword',
  summary: 'Mail a link for choosing a new password, if the address has an account.',
  needs: 'nothing',
  body: exact({ Email, ClientId }),
})

/** 7.08: a new password by the mailed code. */
export const resetForgotPassword = endpoint({
  method: 'POST',
  path: '/account/resetForgotPassword',
  summary: 'Choose a new password with the code of the mailed link.',
  needs: 'nothing',
  body: v.pipe(
    exact({ UserId: UserName, ConfirmationCode: Challenge, NewPassword, ConfirmNewPassword: Password, ClientId }),
    v.forward(
      v.partialCheck(
        [['NewPassword'], ['ConfirmNewPassword']],
        (input) => input.NewPassword === input.ConfirmNewPassword,
        () => messages.passwordsMatch,
      ),
      ['ConfirmNewPassword'],
    ),
  ),
})

/** 7.09: the signed-in user. */
export const profile = endpoint({
  method: 'GET',
  path: '/account/profile',
  summary: 'The signed-in user with their policy.',
  needs: 'session',
  answer: User,
})

/** 7.10: change by the signed-in user. */
export const changePassword = endpoint({
  method: 'PUT',
  path: '/account/changePassword',
  summary: "Change the signed-in user's password and end their other sessions.",
  needs: 'session',
  body: ChangePasswordForm,
})

/** 7.11: completes a sign-in with the mailed code. */
export const respondToMFA = endpoint({
  method: 'POST',
  path: '/account/respondToMFA',
  summary: 'Answer the MFA challenge with the mailed code.',
  needs: 'nothing',
  body: exact({ clientId: ClientId, session: Challenge, userId: UserName, mfaCode: MfaCode }),
  answer: LoginTokens,
})

/** 7.12: reads whether sign-in needs a code. */
export const getPreferences = endpoint({
  method: 'GET',
  path: '/account/getPreferences',
  summary: 'Security preferences of the signed-in user.',
  needs: 'session',
  answer: Preferences,
})

/** 7.13; switching MFA off needs the password again. */
export const updatePreferences = endpoint({
  method: 'POST',
  path: '/account/updatePreferences',
  summary: 'Turn multi-factor sign-in on or off; turning it off requires the password.',
  needs: 'session',
  body: exact({ mfaEnabled: v.boolean('Must be true or false.'), password: v.optional(Password) }),
  answer: Preferences,
  renews: getPreferences,
})

/** 7.14, 2.41: the address of the electronic instructions for use. */
export const getIFU = endpoint({
  method: 'GET',
  path: '/account/getIFU',
  summary: 'Address of the electronic instructions for use.',
  needs: 'session',
  answer: v.string('An address.'),
})

/** 7.40: 200, or 401 when the token is not valid any more. */
export const validateToken = endpoint({
  method: 'GET',
  path: '/account/validateToken',
  summary: 'Whether the access token is valid.',
  needs: 'session',
})

/** Not in the specification: the user's signed-in browsers and apps. */
export const listSessions = endpoint({
  method: 'GET',
  path: '/account/listSessions',
  summary: 'Browsers and apps in which the user is signed in.',
  needs: 'session',
  answer: SessionRows,
})

/** Not in the specification: ends every session of the user but this one. */
export const signOutOthers = endpoint({
  method: 'POST',
  path: '/account/signOutOthers',
  summary: 'End every other session of the signed-in user.',
  needs: 'session',
  answer: SessionRows,
  renews: listSessions,
})

/** Not in the specification: ends one other session of the user. */
export const signOutSession = endpoint({
  method: 'POST',
  path: '/account/signOutSession/:id',
  summary: 'End one other session of the signed-in user.',
  needs: 'session',
  params: byId,
  answer: SessionRows,
  renews: listSessions,
})

/**
 * 7.42: announces that an external app is about to be opened with the session id, which it may exchange once, within
 * two minutes.
 */
export const announceLaunch = endpoint({
  method: 'POST',
  path: '/account/announceLaunch',
  summary: 'Announce that an external app is opened with the session id, which it may exchange once.',
  needs: 'session',
  body: exact({ sessionId: Uuid }),
})
