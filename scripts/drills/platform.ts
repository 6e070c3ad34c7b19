import type { ReleaseScope } from '../../shared/contract/src/apiToken.ts'
import { demoAccounts, demoPassword } from '../../shared/contract/src/demoAccounts.ts'

/** A super administrator of the platform, who makes a team's token and ends it. */
export async function openPlatform(url: string) {
  const ask = async <T>(method: string, path: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
    const reply = await fetch(`${url}/api${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    const { data, message } = (await reply.json()) as { data: T; message?: string }
    if (!reply.ok) throw new Error(`${path} answered ${reply.status}: ${message}`)
    return data
  }
  const email = demoAccounts.find(({ role }) => role === 'super_admin')!.email
  const login = { ClientId: 'dmp-web', email, password: demoPassword }
  const { accessToken } = await ask<{ accessToken: string }>('POST', '/account/login', login)
  const headers = { authorization: `Bearer ${accessToken}` }
  return {
    makeToken: (scopes: readonly ReleaseScope[], parts: readonly string[]) => {
      const draft = { name: `The team of ${parts.join(', ')}`, scopes, parts, password: demoPassword }
      return ask<{ id: string; token: string }>('POST', '/ApiToken/add', draft, headers)
    },
    endToken: (id: string) => ask('PUT', `/ApiToken/end/${id}`, {}, headers),
  }
}
