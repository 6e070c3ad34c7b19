import * as account from '@dmp/contract/account'
import type { LoginTokens } from '@dmp/contract/account'
import type { User } from '@dmp/contract/user'
import { queryClient } from '../transport/queryClient.ts'
import { request } from '../transport/request.ts'
import { recordActivity } from './activity.ts'
import { clearTab } from './clearTab.ts'
import { onPersonChange } from './person.ts'
import { adoptNewerTokens, renew } from './renewal.ts'
import { stored } from './storage.ts'
import { useSessionStore } from './store.ts'
import { broadcast } from './tabs.ts'
import { sessionTexts } from './texts.ts'
import { areValid, toTokens, createSessionId } from './tokens.ts'
import type { Idle, Live, SessionState, StoredUser, Tokens } from './types.ts'
import { forgetUnsaved, hasUnsaved } from './unsaved.ts'

const { getState, setState } = useSessionStore
onPersonChange(() => queryClient.clear())

/** The part of the profile that is stored (3.05). */
export function toStoredUser(user: User): StoredUser {
  const { email, fullName, role, organizationId, organization, policy } = user
  return {
    email,
    fullName,
    role: role.role,
    roleDisplayName: role.roleDisplayName,
    organizationId,
    organization: organization.name,
    policy,
  }
}

// 8.05: a failed logout call is ignored.
const logOut = ({ refreshToken }: Tokens): Promise<unknown> =>
  request(account.logout, { refreshToken }).catch(() => undefined)

async function begin(answer: LoginTokens): Promise<StoredUser> {
  const tokens = toTokens(answer, createSessionId())
  const user = await request(account.profile, {}, { accessToken: tokens.accessToken })
  if (user.role.role === 'service_user') {
    await logOut(tokens)
    throw new Error(sessionTexts.serviceUser)
  }
  const storedUser = toStoredUser(user)
  const isSamePerson = getState().user?.email === storedUser.email
  stored.writeTokens(tokens)
  stored.writeUser(storedUser)
  recordActivity()
  setState({
    tokens,
    user: storedUser,
    endedBecause: null,
    hasLeft: false,
    asksPassword: false,
    idle: { state: 'active' },
  })
  if (isSamePerson) void queryClient.invalidateQueries()
  return storedUser
}

async function end(reason?: string): Promise<void> {
  const { tokens } = getState()
  if (!tokens) return
  // P27: signing out asks first, too.
  if (reason === undefined && hasUnsaved()) {
    setState({ asksLeave: true })
    return
  }
  clearTab(reason ?? null)
  stored.writeTokens(null)
  stored.writeUser(null)
  stored.writeLastActive(null)
  broadcast({ type: 'ended', reason: reason ?? null })
  await logOut(tokens)
}

/** Operations on the session. Components read it through `useSession(selector)`. */
export const session = {
  get: (): SessionState => getState(),
  /** Whether there is an access token that has not ended. */
  isValid: (): boolean => areValid(getState().tokens),
  /**
   * Signs in with the answer of a finished login: loads the profile, refuses a service user (4.11, 6.01), stores both.
   * Throws `CallError` if the profile cannot be loaded, and `Error` with the text of 6.01.
   */
  begin,
  /**
   * Ends the session in every tab and tells the server. The sign-in page shows the reason; without one the
   * person signed out, and is asked first if anything is unsaved (`asksLeave`). With one, a tab that holds
   * unsaved input asks for the password in place (`asksPassword`).
   */
  end,
  /**
   * Renews the tokens, one tab for all; a failure is only logged (8.05). Returns whether the session is valid
   * afterwards.
   */
  renew,
  /** Adopts newer tokens of another tab. Returns whether the session is valid now. */
  catchUp(): boolean {
    const accessToken = getState().tokens?.accessToken
    return session.isValid() || (accessToken !== undefined && adoptNewerTokens(accessToken))
  },
  /**
   * Replaces the stored user after a profile save (4.15) or a policy change; the latter refreshes all cached answers.
   */
  storeUser(user: User): void {
    const { tokens, user: previousUser } = getState()
    if (!tokens) return
    const storedUser = toStoredUser(user)
    stored.writeUser(storedUser)
    setState({ user: storedUser })
    if (JSON.stringify(previousUser?.policy) !== JSON.stringify(storedUser.policy)) void queryClient.invalidateQueries()
  },
  /** Answers `asksLeave`: sign out and discard unsaved input, or stay. */
  async answerLeave(leave: boolean): Promise<void> {
    setState({ asksLeave: false })
    if (!leave) return
    forgetUnsaved()
    await end()
  },
  /** For the host's background tasks: the state of inactivity and the live channel. */
  show(changes: { readonly idle?: Idle; readonly live?: Live }): void {
    setState(changes)
  },
  /** Discards unsaved input after the session ended; the sign-in page follows. */
  abandon(): void {
    setState({ user: null, asksPassword: false })
  },
}
