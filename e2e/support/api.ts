/** A server that refused a call, with the sentence that it gave for it. */
export class CallRefused extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.name = 'CallRefused'
    this.status = status
  }
}

export type Call = <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object) => Promise<T>

/** Calls a deployment under `/api/` without a browser: what happens before and after the journeys. */
export const createApi =
  (address: string, accessToken?: string): Call =>
  async <T>(method: string, path: string, body?: object): Promise<T> => {
    const response = await fetch(`${address}/api/${path}`, {
      method,
      headers: {
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(accessToken ? { authorization: `Bearer ${accessToken}` } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(30_000),
    })
    const answer = (await response.json().catch(() => ({}))) as { data?: T; message?: string }
    if (!response.ok)
      throw new CallRefused(response.status, answer.message ?? `The server answered ${response.status}.`)
    return answer.data as T
  }

interface Tokens {
  readonly accessToken: string | null
  readonly refreshToken: string | null
  readonly challengeName: string | null
}

/** A session of the suite's own. */
export interface ApiSession {
  readonly call: Call
  readonly accessToken: string
  close(): Promise<void>
}

/** Signs in by the API; returns the challenge's name where the password alone is not enough. */
export async function openSession(
  address: string,
  ClientId: string,
  credentials: { email: string; password: string },
): Promise<ApiSession | string> {
  const { accessToken, refreshToken, challengeName } = await createApi(address)<Tokens>('POST', 'account/login', {
    ClientId,
    ...credentials,
  })
  if (!accessToken) return challengeName ?? 'unknown'
  return {
    call: createApi(address, accessToken),
    accessToken,
    close: async () => {
      await createApi(address)('POST', 'account/logout', { refreshToken }).catch(() => undefined)
    },
  }
}

/** The page of an address; one sentence where nobody answers. */
export async function fetchPage(address: string, cookie = ''): Promise<string> {
  const page = await fetch(`${address}/login`, { headers: { cookie }, signal: AbortSignal.timeout(30_000) }).then(
    (response) => response.text(),
    () => undefined,
  )
  if (page === undefined)
    throw new Error(`Nothing is running at ${address}. Correct BASE_URL, or leave it out to start the product here.`)
  return page
}

/** A block of data inside the page, such as `dmp-snapshot`. */
export function parseBlock<T>(page: string, id: string): T | undefined {
  const inlined = page.split(`id="${id}"`)[1]?.split('>')[1]?.split('</script')[0]
  return inlined ? (JSON.parse(inlined) as T) : undefined
}
