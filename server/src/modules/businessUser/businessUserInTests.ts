import { account, businessUser } from '@dmp/contract'
import { northClinic } from '@dmp/contract/examples'
import { roleIds } from '../../identity/roles.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'

export const unknownId = '00000000-0000-4000-8000-00000000dead'
export const chosenPassword = 'My Own Passw0rd'

let drafts = 0
export function createDraft(overrides: Record<string, unknown> = {}) {
  drafts += 1
  const email = String(overrides.email ?? `person${drafts}@north.example`)
  return {
    civility: 'Ms',
    firstName: 'Rita',
    lastName: 'Levi',
    mobile: '+49 170 5550199',
    landline: null,
    fax: '',
    organizationId: northClinic.id,
    roleId: roleIds.staff,
    userName: email,
    ...overrides,
    email,
  }
}

export async function addUser(viewer: SignedIn, overrides: Record<string, unknown> = {}) {
  const { status, data, message } = await viewer.call(businessUser.add, createDraft(overrides))
  if (status !== 200) throw new Error(message)
  return data
}

export const login = (server: TestServer, email: string, password: string) =>
  server.call(account.login, { ClientId: 'dmp-web', email, password })

/** Signs in for the first time with the mailed password. */
export async function firstSignIn(server: TestServer, email: string) {
  const { code } = await server.mailTo(email)
  const { data } = await login(server, email, code ?? '')
  return server.call(account.setNewPassword, {
    challengeResponse: { userName: email, newPassword: chosenPassword },
    clientId: 'dmp-web',
    session: data.session ?? '',
  })
}
