import type { APIRequestContext } from 'playwright/test'
import type { Account } from './accounts.ts'
import { bearer, caller, createCalls, getClientId } from './caller.ts'
import { newestMail } from './mailbox.ts'

type Call = ReturnType<typeof createCalls>

/** A new colleague of whoever calls. Returns the mailed temporary password. */
async function addStaff(request: APIRequestContext, call: Call, email: string): Promise<string> {
  const began = new Date()
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

/** Takes the place of a mailed temporary password. */
const password = 'Careful Passw0rd!'

async function choosePassword(request: APIRequestContext, email: string, temporary: string): Promise<string> {
  const call = createCalls(request)
  const clientId = getClientId()
  const login = { ClientId: clientId, email, password: temporary }
  const { session } = await call<{ session: string }>('POST', 'account/login', login)
  const { accessToken } = await call<{ accessToken: string }>('POST', 'account/setNewPassword', {
    challengeResponse: { userName: email, newPassword: password },
    clientId,
    session,
  })
  return accessToken
}

/**
 * A new colleague of the clinic's administrator, added by the calls: the journey is about their own account. Returns
 * the mailed temporary password.
 */
export const addColleague = async (request: APIRequestContext, email: string): Promise<string> =>
  addStaff(request, (await caller(request, 'admin')).call, email)

/**
 * A new colleague who signs in with a second step. Of several sign-ins of one account only the newest code counts, so
 * journeys beside each other need one each.
 */
export async function addColleagueWithMfa(request: APIRequestContext, email: string): Promise<Account> {
  const accessToken = await choosePassword(request, email, await addColleague(request, email))
  await createCalls(request, bearer(accessToken))('POST', 'account/updatePreferences', { mfaEnabled: true })
  return { email, password }
}

export interface Customer {
  readonly admin: Account
  /** Ms Jo Journey. */
  readonly staff: Account
  /** Of the administrator. */
  readonly headers: Record<string, string>
}

/** A customer of its own, for journeys that change what holds for a whole organization. */
export async function addCustomer(
  request: APIRequestContext,
  { name, adminEmail, staffEmail }: { name: string; adminEmail: string; staffEmail: string },
): Promise<Customer> {
  const began = new Date()
  const { call } = await caller(request, 'super')
  const person = { civility: 'Ms', firstName: 'Ada', lastName: 'Journey', email: adminEmail }
  await call('POST', 'Organization/add', { name, withDatastore: true, ...person })
  const { code } = await newestMail(request, adminEmail, began)
  const headers = bearer(await choosePassword(request, adminEmail, code ?? ''))
  const temporary = await addStaff(request, createCalls(request, headers), staffEmail)
  await choosePassword(request, staffEmail, temporary)
  return { admin: { email: adminEmail, password }, staff: { email: staffEmail, password }, headers }
}
