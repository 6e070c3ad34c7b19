import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { forEverybody } from '../../core/access.ts'
import type { LimitedRoute } from '../../core/rateLimits.ts'
import type { Dependencies } from '../../dependencies.ts'
import { apiRoot } from '../../settings/runtimeSettings.ts'
import { beginDevice } from './deviceEndpoint.ts'
import { OAuthRefusal, readParameters, type Parameters } from './oauth.ts'
import { revokeToken } from './revokeEndpoint.ts'
import { sendToken } from './tokenEndpoint.ts'

const form = 'application/x-www-form-urlencoded'
const bodyLimit = 8192

type Answer = (deps: Dependencies, request: FastifyRequest, parameters: Parameters) => Promise<object | undefined>

const doors: readonly { readonly path: string; readonly limit: LimitedRoute; readonly answer: Answer }[] = [
  { path: 'token', limit: 'OAuth token', answer: sendToken },
  { path: 'revoke', limit: 'OAuth token', answer: revokeToken },
  { path: 'device', limit: 'OAuth device', answer: beginDevice },
]

/** The doors of OAuth 2 for machines. Requests and answers are those of the standards, not of the contract. */
export function registerOAuth(app: FastifyInstance, deps: Dependencies): void {
  void app.register(async (scope) => {
    scope.addContentTypeParser(form, { parseAs: 'string', bodyLimit }, (_request, body, done) =>
      done(null, new URLSearchParams(body as string)),
    )
    for (const { path, limit, answer } of doors)
      scope.post(
        `${apiRoot}/oauth/${path}`,
        { bodyLimit, config: { limit, access: forEverybody } },
        async (request, reply) => {
          try {
            return (await answer(deps, request, readParameters(request))) ?? reply.status(200).send()
          } catch (cause) {
            if (!(cause instanceof OAuthRefusal)) throw cause
            return sendRefusal(reply, request, cause)
          }
        },
      )
  })
}

function sendRefusal(reply: FastifyReply, { headers }: FastifyRequest, { error, message }: OAuthRefusal): FastifyReply {
  const isClient = error === 'invalid_client'
  if (isClient && headers.authorization !== undefined)
    void reply.header('www-authenticate', 'Basic realm="API token as password", charset="UTF-8"')
  return reply.status(isClient ? 401 : 400).send({ error, error_description: message })
}
