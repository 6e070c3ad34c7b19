import type { ScopeName } from '@dmp/contract/apiToken'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forEverybody } from '../../core/access.ts'
import { findSecret } from '../../core/caller.ts'
import { sharedNow } from '../../core/clock.ts'
import { Refusal } from '../../core/errors.ts'
import type { Dependencies } from '../../dependencies.ts'
import type { Machine } from '../../identity/apiTokens.ts'
import { basicCredential } from '../../core/credential.ts'
import { signMachineAccessToken } from '../../identity/machineAccessToken.ts'
import { apiRoot } from '../../settings/runtimeSettings.ts'

const url = `${apiRoot}/oauth/token`
const form = 'application/x-www-form-urlencoded'
const bodyLimit = 8192

/** The errors of RFC 6749, 5.2. */
type OAuthError = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope'

class OAuthRefusal extends Error {
  readonly error: OAuthError

  constructor(error: OAuthError, description: string) {
    super(description)
    this.error = error
  }
}

/**
 * OAuth 2 client credentials (RFC 6749, 4.4): a machine exchanges its API token for an access token of some minutes.
 * The client id is the id of the API token, the client secret the API token itself. Requests and answers are those of
 * the standard, not of the contract.
 */
export function registerTokenEndpoint(app: FastifyInstance, deps: Dependencies): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    scope.post(url, { bodyLimit, config: { limit: 'OAuth token', access: forEverybody } }, async (request, reply) => {
      try {
        return await sendToken(deps, request)
      } catch (cause) {
        if (!(cause instanceof OAuthRefusal)) throw cause
        return sendRefusal(reply, request, cause)
      }
    })
  })
}

async function sendToken(deps: Dependencies, request: FastifyRequest): Promise<object> {
  const parameters = readParameters(request)
  const grant = parameters.get('grant_type')
  if (grant === undefined) throw new OAuthRefusal('invalid_request', 'The parameter grant_type is missing.')
  if (grant !== 'client_credentials')
    throw new OAuthRefusal('unsupported_grant_type', 'This address knows the grant client_credentials only.')
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

/** Parameters once each; empty ones count as not sent (RFC 6749, 3.2). */
function readParameters({ body }: FastifyRequest): ReadonlyMap<string, string> {
  const sent = body instanceof URLSearchParams ? [...body] : []
  const names = sent.map(([name]) => name)
  if (new Set(names).size < names.length) throw new OAuthRefusal('invalid_request', 'A parameter occurs twice.')
  return new Map(sent.filter(([, value]) => value !== ''))
}

/** By Basic, or by two parameters of the body; never both (RFC 6749, 2.3). */
async function getClient(
  { apiTokens }: Dependencies,
  request: FastifyRequest,
  parameters: ReadonlyMap<string, string>,
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

function sendRefusal(reply: FastifyReply, { headers }: FastifyRequest, { error, message }: OAuthRefusal): FastifyReply {
  const isClient = error === 'invalid_client'
  if (isClient && headers.authorization !== undefined)
    void reply.header('www-authenticate', 'Basic realm="API token as password", charset="UTF-8"')
  return reply.status(isClient ? 401 : 400).send({ error, error_description: message })
}
