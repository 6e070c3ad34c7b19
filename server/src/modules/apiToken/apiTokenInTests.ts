import { apiToken } from '@dmp/contract'
import type { NewApiToken, ScopeName } from '@dmp/contract/apiToken'
import { demoPassword } from '../account/demoAccounts.ts'
import type { SignedIn, TestServer } from '../../testing/server.ts'

let made = 0

interface Wanted {
  readonly scopes?: readonly ScopeName[]
  readonly parts?: readonly string[]
  readonly previewers?: readonly string[]
  readonly addresses?: readonly string[]
  readonly expireInDays?: number
  readonly name?: string
}

/** An API token that a person made by the call. */
export async function makeApiToken(who: SignedIn, wanted: Wanted = {}): Promise<NewApiToken> {
  made += 1
  const draft = { name: `Machine ${made}`, scopes: ['read', 'upload', 'delete'], password: demoPassword, ...wanted }
  const { status, data, message } = await who.call(apiToken.add, draft)
  if (status !== 200) throw new Error(`No API token was made: ${status} ${message}`)
  return data
}

export const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`

/** Asks the token endpoint as RFC 6749 says. */
export const askForToken = (
  server: TestServer,
  parameters: Readonly<Record<string, string>> | string,
  headers: Readonly<Record<string, string>> = {},
  remoteAddress = '127.0.0.1',
) =>
  server.app.inject({
    method: 'POST',
    url: '/api/oauth/token',
    payload: new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    remoteAddress,
  })

export async function exchangeForAccessToken(server: TestServer, { id, token }: NewApiToken): Promise<string> {
  const reply = await askForToken(server, { grant_type: 'client_credentials' }, { authorization: basic(id, token) })
  if (reply.statusCode !== 200) throw new Error(`No access token: ${reply.statusCode} ${reply.body}`)
  return reply.json<{ access_token: string }>().access_token
}

/** How a machine shows its API token; each gives the header Authorization. */
export const ways = {
  Bearer: async (_server: TestServer, { token }: NewApiToken) => `Bearer ${token}`,
  Basic: async (_server: TestServer, { token }: NewApiToken) => basic('orthanc', token),
  'client credentials': async (server: TestServer, token: NewApiToken) =>
    `Bearer ${await exchangeForAccessToken(server, token)}`,
} as const
export type Way = keyof typeof ways
export const wayNames = Object.keys(ways) as readonly Way[]
