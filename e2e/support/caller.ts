import type { APIRequestContext } from 'playwright/test'
import { expect, test } from 'playwright/test'
import { account, type Who } from './accounts.ts'
import { getDeployment } from './deployment.ts'
import { assertStated, mayWrite } from './needs.ts'
import { isReading } from './reading.ts'

export const getClientId = (): string => getDeployment().settings.clientId

/** Calls the server under `/api/`, with these headers; any other answer than 200 ends the journey. */
export function createCalls(request: APIRequestContext, headers: Record<string, string> = {}) {
  return async <T>(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<T> => {
    if (!isReading(method, `/api/${path}`) && !mayWrite(test.info()))
      throw new Error(`This journey writes (${method} ${path}) without saying so: see writes in e2e/support/needs.ts.`)
    const response = await request.fetch(`/api/${path}`, { method, headers, ...(body && { data: body }) })
    expect([path, response.status()]).toEqual([path, 200])
    return ((await response.json()) as { data: T }).data
  }
}

export const bearer = (accessToken: string) => ({ authorization: `Bearer ${accessToken}` })

/** Signs in by the calls: for what a journey needs before it begins. */
export async function caller(request: APIRequestContext, who: Who) {
  assertStated(test.info(), who)
  const { accessToken } = await createCalls(request)<{ accessToken: string }>('POST', 'account/login', {
    ClientId: getClientId(),
    ...account(who),
  })
  const headers = bearer(accessToken)
  return { headers, call: createCalls(request, headers) }
}
