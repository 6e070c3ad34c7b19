import type { FastifyRequest } from 'fastify'
import { toCaller } from '../../core/caller.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Machine } from '../../identity/apiTokens.ts'
import { isMachineAccessToken } from '../../identity/machineAccessToken.ts'
import { endApiTokenOf } from './endApiTokenOf.ts'
import { getParameter, OAuthRefusal, type Parameters } from './oauth.ts'

/**
 * RFC 7009: a machine ends its own API token, as its owner may at any time. A token that opens nothing gets the same
 * answer as one that ended just now.
 */
export async function revokeToken(
  deps: Dependencies,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<undefined> {
  const token = getParameter(parameters, 'token')
  if (isMachineAccessToken(token))
    throw new OAuthRefusal('unsupported_token_type', 'Send the API token; its access tokens end with it.')
  const machine = await findMachine(deps, request, token)
  if (!machine) return
  request.viewer = machine.viewer
  await endApiTokenOf(deps, { viewer: machine.viewer, request: toCaller(request) }, machine.viewer.userId).catch(
    ignoreEnded,
  )
}

async function findMachine(
  { apiTokens }: Dependencies,
  request: FastifyRequest,
  token: string,
): Promise<Machine | undefined> {
  try {
    return await apiTokens.letIn(request, token)
  } catch (cause) {
    if (!(cause instanceof Refusal)) throw cause
    // Whoever may not use it may not end it either.
    if (cause.code === 'WRONG_ADDRESS') throw new OAuthRefusal('unauthorized_client', cause.message)
    if (cause.status === 401) return undefined
    throw cause
  }
}

/** Another call was quicker. */
function ignoreEnded(cause: unknown): void {
  if (!(cause instanceof Refusal && cause.code === 'UNCHANGED')) throw cause
}
