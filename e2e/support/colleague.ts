import type { APIRequestContext } from 'playwright/test'
import { expect } from 'playwright/test'
import { account, type Account } from './accounts.ts'
import { newestMail } from './mailbox.ts'

const ClientId = 'dmp-web'

async function ask<T>(request: APIRequestContext, path: string, data?: object, accessToken?: string): Promise<T> {
  const headers = accessToken ? { authorization: `Bearer ${accessToken}` } : {}
  const answer = data ? await request.post(`/api${path}`, { headers, data }) : await request.get(`/api${path}`, { headers })
  expect(answer.status(), path).toBe(200)
  return ((await answer.json()) as { data: T }).data
}

/** A new colleague of the clinic's administrator, added by the calls: what is tried is their own account. Answers the mailed temporary password. */
export async function addColleague(request: APIRequestContext, email: string): Promise<string> {
  const began = new Date()
  const { accessToken } = await ask<{ accessToken: string }>(request, '/account/login', { ClientId, ...account('admin') })
  const { organizationId } = await ask<{ organizationId: string }>(request, '/account/profile', undefined, accessToken)
  const roles = await ask<{ id: string; displayName: string }[]>(request, '/businessUser/listAddUserRoles', undefined, accessToken)
  const roleId = roles.find(({ displayName }) => displayName === 'Staff')?.id
  await ask(request, '/businessUser/add', { civility: 'Ms', firstName: 'Jo', lastName: 'Journey', userName: email, email, mobile: null, landline: null, fax: null, organizationId, roleId }, accessToken)
  const { code } = await newestMail(request, email, began)
  return code ?? ''
}

/** A new colleague who signs in with a second step. Of several sign-ins of one account only the newest code counts, so journeys beside each other need one each. */
export async function addCareful(request: APIRequestContext, email: string): Promise<Account> {
  const password = 'Careful Passw0rd!'
  const { session } = await ask<{ session: string }>(request, '/account/login', { ClientId, email, password: await addColleague(request, email) })
  const { accessToken } = await ask<{ accessToken: string }>(request, '/account/setNewPassword', { challengeResponse: { userName: email, newPassword: password }, clientId: ClientId, session })
  await ask(request, '/account/updatePreferences', { mfaEnabled: true }, accessToken)
  return { email, password }
}
