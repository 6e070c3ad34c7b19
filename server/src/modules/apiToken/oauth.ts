import type { FastifyRequest } from 'fastify'

/** The errors of RFC 6749 (5.2), RFC 7009 (2.2.1) and RFC 8628 (3.5). */
export const oauthErrors = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'invalid_scope',
  'unauthorized_client',
  'unsupported_grant_type',
  'unsupported_token_type',
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
] as const
export type OAuthError = (typeof oauthErrors)[number]

export class OAuthRefusal extends Error {
  readonly error: OAuthError

  constructor(error: OAuthError, description: string) {
    super(description)
    this.error = error
  }
}

export type Parameters = ReadonlyMap<string, string>

/** Parameters once each; empty ones count as not sent (RFC 6749, 3.2). */
export function readParameters({ body }: FastifyRequest): Parameters {
  const sent = body instanceof URLSearchParams ? [...body] : []
  const names = sent.map(([name]) => name)
  if (new Set(names).size < names.length) throw new OAuthRefusal('invalid_request', 'A parameter occurs twice.')
  return new Map(sent.filter(([, value]) => value !== ''))
}

export function getParameter(parameters: Parameters, name: string): string {
  const value = parameters.get(name)
  if (value === undefined) throw new OAuthRefusal('invalid_request', `The parameter ${name} is missing.`)
  return value
}
