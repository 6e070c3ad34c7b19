import type { ScopeName } from '@dmp/contract/apiToken'
import type { FastifyRequest } from 'fastify'
import { findSecret } from '../../core/caller.ts'
import { sharedNow } from '../../core/clock.ts'
import { basicCredential } from '../../core/credential.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Machine } from '../../identity/apiTokens.ts'
import { signMachineAccessToken } from '../../identity/machineAccessToken.ts'
import { collectApiToken } from './deviceGrant.ts'
import { getParameter, OAuthRefusal, type Parameters } from './oauth.ts'

/** What a machine may exchange here, by the names of the standards. */
export const grants: Readonly<Record<string, typeof sendToken>> = {
  client_credentials: sendAccessToken,
  'urn:ietf:params:oauth:grant-type:device_code': collectApiToken,
}

export async function sendToken(deps: Dependencies, request: FastifyRequest, parameters: Parameters): Promise<object> {
  const name = getParameter(parameters, 'grant_type')
  const grant = Object.hasOwn(grants, name) ? grants[name] : undefined
  if (!grant)
    throw new OAuthRefusal('unsupported_grant_type', `This address knows the grants ${Object.keys(grants).join(', ')}.`)
  return grant(deps, request, parameters)
}

/**
 * OAuth 2 client credentials (RFC 6749, 4.4): a machine exchanges its API token for an access token of some minutes.
 * The client id is the id of the API token, the client secret the API token itself.
 */
async function sendAccessToken(deps: Dependencies, request: FastifyRequest, parameters: Parameters): Promise<object> {
  const machine = await getClient(deps, request, parameters)
  const { viewer, expires } = machine
  request.viewer = viewer
  // From now on it counts apart from its address.
  const secret = request.headers.authorization === undefined ? undefined : findSecret(request)
  if (secret !== undefined) deps.penalties.remember(secret, viewer)
  await deps.limits.spend('OAuth token', undefined, viewer.userId)
  const scopes = chooseScopes(machine, parameters.get('scope'))
  const end = new Date(Math.min(sharedNow() + deps.settings.accessTokenMinutes * 60_000, expires.getTime()))
  const claims = { apiTokenId: viewer.userId, scopes }
  return {
    access_token: await signMachineAccessToken(deps.keys, claims, end),
    token_type: 'Bearer',
    expires_in: Math.max(1, Math.floor((end.getTime() - sharedNow()) / 1000)),
    scope: scopes.join(' '),
  }
}

/** By Basic, or by two parameters of the body; never both (RFC 6749, 2.3). */
async function getClient(
  { apiTokens }: Dependencies,
  request: FastifyRequest,
  parameters: Parameters,
): Promise<Machine> {
  const basic = basicCredential(request.headers.authorization)
  const inBody = parameters.get('client_secret')
  if (basic && inBody !== undefined)
    throw new OAuthRefusal('invalid_request', 'Send the client secret once: by Basic, or in the body.')
  const id = basic?.user ?? parameters.get('client_id')
  const secret = basic?.password ?? inBody
  if (id === undefined || secret === undefined)
    throw new OAuthRefusal('invalid_client', 'Send client_id and client_secret, by Basic or in the body.')
  const machine = await apiTokens.letIn(request, secret).catch((cause: unknown) => {
    throw cause instanceof Refusal && cause.status < 404 ? new OAuthRefusal('invalid_client', cause.message) : cause
  })
  if (machine.viewer.userId !== id.toLowerCase())
    throw new OAuthRefusal('invalid_client', 'The client id is not that of this API token.')
  return machine
}

/** All of the API token's, or those that were asked for; never more. */
function chooseScopes({ scopes }: Machine, asked: string | undefined): readonly ScopeName[] {
  if (asked === undefined) return scopes
  const chosen = asked.split(' ').map((name) => scopes.find((scope) => scope === name))
  if (chosen.some((scope) => scope === undefined))
    throw new OAuthRefusal('invalid_scope', `This API token has the scopes: ${scopes.join(' ')}.`)
  return [...new Set(chosen)].filter((scope) => scope !== undefined)
}
