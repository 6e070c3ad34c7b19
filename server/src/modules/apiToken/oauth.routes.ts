import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forEverybody } from '../../core/access.ts'
import type { LimitedRoute } from '../../core/rateLimits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { apiRoot } from '../../settings/runtimeSettings.ts'
import { beginDevice } from './deviceEndpoint.ts'
import { OAuthRefusal, readParameters, type Parameters } from './oauth.ts'
import { revokeToken } from './revokeEndpoint.ts'
import { sendToken } from './tokenEndpoint.ts'

export const form = 'application/x-www-form-urlencoded'
const bodyLimit = 8192

type Answer = (deps: Dependencies, request: FastifyRequest, parameters: Parameters) => Promise<object | undefined>

export interface OAuthDoor {
  readonly path: string
  readonly limit: LimitedRoute
  readonly answer: Answer
  readonly title: string
  readonly needs: readonly string[]
  readonly takes: readonly string[]
  /** Members of the answer; none for an empty one. */
  readonly answers: readonly string[]
}

/** Routing and the API document are made of this table. */
export const oauthDoors: readonly OAuthDoor[] = [
  {
    path: 'token',
    limit: 'OAuth token',
    answer: sendToken,
    title:
      'Exchange an API token for an access token (RFC 6749, 4.4), or a device code for an API token (RFC 8628, 3.4)',
    needs: ['grant_type'],
    takes: ['client_id', 'client_secret', 'scope', 'device_code'],
    answers: ['access_token', 'token_type', 'expires_in', 'scope'],
  },
  {
    path: 'revoke',
    limit: 'OAuth token',
    answer: revokeToken,
    title: 'End an API token (RFC 7009)',
    needs: ['token'],
    takes: [],
    answers: [],
  },
  {
    path: 'device',
    limit: 'OAuth device',
    answer: beginDevice,
    title: 'Ask for an API token by showing a code (RFC 8628, 3.1)',
    needs: ['client_id', 'scope'],
    takes: ['name'],
    answers: ['device_code', 'user_code', 'verification_uri', 'verification_uri_complete', 'expires_in', 'interval'],
  },
]

/** The doors of OAuth 2 for machines. Requests and answers are those of the standards, not of the contract. */
export function registerOAuth(app: FastifyInstance, deps: Dependencies): void {
  void app.register(async (scope) => {
    // A body of any other kind is refused in the words that every OAuth client reads (RFC 6749, 5.2).
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', (_request, _body, done) => done(wrongForm()))
    scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    for (const { path, limit, answer } of oauthDoors)
      scope.post(
        `${apiRoot}/oauth/${path}`,
        { bodyLimit, config: { limit, access: forEverybody } },
        async (request, reply) => {
          return (await answer(deps, request, readParameters(request))) ?? reply.status(200).send()
        },
      )
    scope.setErrorHandler((cause: Error, request, reply) => {
      if (!(cause instanceof OAuthRefusal)) throw cause
      return sendRefusal(reply, request, cause)
    })
  })
}

const wrongForm = (): OAuthRefusal =>
  new OAuthRefusal('invalid_request', `Send the parameters as a form, with Content-Type: ${form}.`)

function sendRefusal(reply: FastifyReply, { headers }: FastifyRequest, { error, message }: OAuthRefusal): FastifyReply {
  const isClient = error === 'invalid_client'
  if (isClient && headers.authorization !== undefined)
    void reply.header('www-authenticate', 'Basic realm="API token as password", charset="UTF-8"')
  return reply.status(isClient ? 401 : 400).send({ error, error_description: message })
}
