import { parseOverride } from '../../shared/contract/src/override.ts'
import type { RuntimeSettings } from '../../shared/contract/src/settings.ts'
import { account } from '../../e2e/support/accounts.ts'
import { fetchPage, parseBlock } from '../../e2e/support/api.ts'

/**
 * The cookie that gives browsers the releases of `scan@1.4.2,remote-user@<releaseId>` in place of what is live, from
 * the server: signed in as the journeys' super administrator, because in production no other role may. Empty where
 * nothing is wanted.
 */
export async function requestOverrides(address: string, requested = ''): Promise<string> {
  let cookie = ''
  const texts = requested
    .split(',')
    .map((text) => text.trim())
    .filter(Boolean)
  if (texts.length === 0) return cookie
  const authorization = await signIn(address)
  for (const text of texts) {
    const override = parseOverride(text)
    if (override === undefined)
      throw new Error(`E2E_COMPOSITION: "${text}" is no release. Write scan@1.4.2 or remote-scan@<releaseId>.`)
    const response = await post(`${address}/api/Override/add`, override, { authorization, cookie })
    if (!response.ok) throw new Error(`E2E_COMPOSITION: ${text} was refused: ${await readMessage(response)}`)
    cookie =
      response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0] ?? '')
        .find((pair) => pair.includes('dmp-overrides=')) ?? cookie
  }
  return cookie
}

async function signIn(address: string): Promise<string> {
  const settings = parseBlock<RuntimeSettings>(await fetchPage(address), 'dmp-settings')
  const { email, password } = account('super')
  const response = await post(`${address}/api/account/login`, {
    ClientId: settings?.clientId ?? 'dmp-web',
    email,
    password,
  })
  const { data } = response.ok
    ? ((await response.json()) as { data: { accessToken: string | null } })
    : { data: { accessToken: null } }
  if (!data.accessToken)
    throw new Error(
      `E2E_COMPOSITION needs a super administrator: ${email} could not sign in${response.ok ? ' with the password alone' : `: ${await readMessage(response)}`}. Name another with E2E_SUPER=email:password.`,
    )
  return `Bearer ${data.accessToken}`
}

const post = (url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })

const readMessage = async (response: Response): Promise<string> =>
  ((await response.json()) as { message?: string }).message ?? String(response.status)
