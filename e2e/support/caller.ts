import type { APIRequestContext } from 'playwright/test'
import { expect } from 'playwright/test'
import { account, type Who } from './accounts.ts'

export const ClientId = 'dmp-web'

/** Calls the server under `/api/`, with these headers; any other answer than 200 ends the journey. */
export function createCalls(request: APIRequestContext, headers: Record<string, string> = {}) {
  return async <T>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<T> => {
    const response = await request.fetch(`/api/${path}`, { method, headers, ...(body && { data: body }) })
    expect([path, response.status()]).toEqual([path, 200])
    return ((await response.json()) as { data: T }).data
  }
}

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

/** Signs in by the calls: for what a journey needs before it begins. */
export async function caller(request: APIRequestContext, who: Who) {
  const { accessToken } = await createCalls(request)<{ accessToken: string }>('POST', 'account/login', {
    ClientId,
    ...account(who),
  })
  const headers = bearer(accessToken)
  return { headers, call: createCalls(request, headers) }
}
