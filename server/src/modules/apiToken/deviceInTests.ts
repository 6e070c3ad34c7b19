import { apiToken } from '@dmp/contract'
import type { SignedIn, TestServer } from '../../testing/server.ts'
import { demoPassword } from '../account/demoAccounts.ts'
import { askForToken } from './apiTokenInTests.ts'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
export const clientId = 'dmp-uploader'

/** The answer to a machine that begins (RFC 8628, 3.2). */
export interface Codes {
  readonly device_code: string
  readonly user_code: string
  readonly verification_uri: string
  readonly verification_uri_complete: string
  readonly expires_in: number
  readonly interval: number
}

export const post = (
  { app }: Pick<TestServer, 'app'>,
  door: 'device' | 'revoke',
  parameters: Readonly<Record<string, string>>,
  remoteAddress = '127.0.0.1',
) =>
  app.inject({
    method: 'POST',
    url: `/api/oauth/${door}`,
    payload: new URLSearchParams(parameters).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    remoteAddress,
  })

let stations = 0
/** A machine begins; each from an address of its own, because few may wait at one. */
export async function begin(server: TestServer, more: Readonly<Record<string, string>> = {}, address?: string) {
  stations += 1
  const from = address ?? `10.77.${stations >> 8}.${stations & 255}`
  const parameters = { client_id: clientId, name: `Station ${stations}`, scope: 'upload', ...more }
  const reply = await post(server, 'device', parameters, from)
  if (reply.statusCode !== 200) throw new Error(`No code: ${reply.statusCode} ${reply.body}`)
  return reply.json<Codes>()
}

export interface Asked {
  readonly status: number
  readonly error?: string
  readonly access_token?: string
  readonly scope?: string
  readonly name?: string
  readonly expires_in?: number
}

/** The machine asks; the time that it has to wait between two questions is over, unless the test is about that. */
export async function poll(
  server: TestServer,
  { device_code }: Pick<Codes, 'device_code'>,
  { isInTime = true, client_id = clientId } = {},
): Promise<Asked> {
  if (isInTime) await server.deps.db.updateTable('device_codes').set({ polled_date: null }).execute()
  const reply = await askForToken(server, { grant_type: deviceGrant, device_code, client_id })
  return { status: reply.statusCode, ...reply.json<object>() }
}

let approvals = 0
export const approve = (who: SignedIn, { user_code }: Pick<Codes, 'user_code'>, more: object = {}) =>
  who.call(apiToken.approveDevice, {
    code: user_code,
    name: `Approved ${(approvals += 1)}`,
    scopes: ['upload'],
    password: demoPassword,
    ...more,
  })

/** A machine's whole way. */
export async function connect(server: TestServer, who: SignedIn, more: object = {}, scope = 'upload') {
  const codes = await begin(server, { scope })
  const { status, message } = await approve(who, codes, more)
  if (status !== 200) throw new Error(`Not approved: ${message}`)
  return { codes, answer: await poll(server, codes) }
}
