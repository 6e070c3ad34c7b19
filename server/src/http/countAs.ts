import type { FastifyReply, FastifyRequest } from 'fastify'
import { toAddressKey } from '../core/addressKey.ts'
import { createCookieReader, findSecret } from '../core/caller.ts'
import { bearerToken } from '../core/credential.ts'
import type { Dependencies } from '../dependencies.ts'
import { verifyAccessToken } from '../identity/accessToken.ts'
import { isMachineAccessToken, verifyMachineAccessToken } from '../identity/machineAccessToken.ts'
import type { Keys } from '../identity/keys.ts'
import { findAppPerson } from '../identity/knownDevice.ts'
import { findPerson } from '../identity/personCookie.ts'
import { isFromElsewhere } from './origins.ts'

/** Of a token that is shown for the first time: its signature says whose it is, whatever became of the session. */
async function findSigned(keys: Keys, { headers }: FastifyRequest): Promise<string | undefined> {
  const token = bearerToken(headers.authorization)
  if (token === undefined) return undefined
  return isMachineAccessToken(token)
    ? (await verifyMachineAccessToken(keys, token))?.apiTokenId
    : (await verifyAccessToken(keys, token))?.userId
}

export type CountAs = (request: FastifyRequest, reply: FastifyReply) => string | Promise<string>

/**
 * Whom a request is counted as, where limits are by address (P19). Somebody whom this server has recognized before, by
 * a token or by the cookie that it left on the browser or app, counts alone; everybody else shares an address, and
 * what pages elsewhere send from browsers behind it counts apart. So neither a stranger behind the address of a clinic
 * nor a website that somebody there has open takes anything from the people who work there.
 */
export const createCountAs =
  (deps: Pick<Dependencies, 'penalties' | 'keys' | 'settings'>): CountAs =>
  async (request, reply) => {
    const userId = deps.penalties.findOwner(findSecret(request))?.userId ?? (await findSigned(deps.keys, request))
    if (userId !== undefined) return `person ${userId}`
    const person =
      findPerson(deps, request, reply)?.key ??
      findAppPerson(deps.keys, createCookieReader(request, deps).read('dmp-device'))
    // All browsers and apps of a person together: people with an account could have a new cookie for each call.
    if (person !== undefined) return `browser ${person}`
    return `${isFromElsewhere(deps, request) ? 'elsewhere' : 'address'} ${toAddressKey(request.ip)}`
  }
