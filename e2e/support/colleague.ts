import type { APIRequestContext } from 'playwright/test'
import type { Account } from './accounts.ts'
import { bearer, caller, createCalls, getClientId } from './caller.ts'
import { newestMail } from './mailbox.ts'

/**
 * A new colleague of the clinic's administrator, added by the calls: the journey is about their own account. Returns
 * the mailed temporary password.
 */
export async function addColleague(request: APIRequestContext, email: string): Promise<string> {
  const began = new Date()
  const { call } = await caller(request, 'admin')
  const { organizationId } = await call<{ organizationId: string }>('GET', 'account/profile')
  const roles = await call<{ id: string; displayName: string }[]>('GET', 'businessUser/listAddUserRoles')
  const roleId = roles.find(({ displayName }) => displayName === 'Staff')?.id
  await call('POST', 'businessUser/add', {
    civility: 'Ms',
    firstName: 'Jo',
    lastName: 'Journey',
    userName: email,
    email,
    mobile: null,
    landline: null,
    fax: null,
    organizationId,
    roleId,
  })
  const { code } = await newestMail(request, email, began)
  return code ?? ''
}

/**
 * A new colleague who signs in with a second step. Of several sign-ins of one account only the newest code counts, so
 * journeys beside each other need one each.
 */
export async function addColleagueWithMfa(request: APIRequestContext, email: string): Promise<Account> {
  const password = 'Careful Passw0rd!'
  const call = createCalls(request)
  const { session } = await call<{ session: string }>('POST', 'account/login', {
    ClientId: getClientId(),
    email,
    password: await addColleague(request, email),
  })
  const { accessToken } = await call<{ accessToken: string }>('POST', 'account/setNewPassword', {
    challengeResponse: { userName: email, newPassword: password },
    clientId: getClientId(),
    session,
  })
  await createCalls(request, bearer(accessToken))('POST', 'account/updatePreferences', { mfaEnabled: true })
  return { email, password }
}
