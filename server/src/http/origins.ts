import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { Refusal } from '../core/errors.ts'

/**
 * Pages of other origins get nothing (P10): no CORS header is sent, and a request that a browser marks as coming from
 * elsewhere is refused before anything is done. Apps without a browser send no Origin and carry a token. Only DICOMweb
 * opens to the origins that an operator names, for viewers that live elsewhere: with a token, never with a cookie.
 */
export function registerOrigins(app: FastifyInstance, deps: Dependencies): void {
  app.addHook('onRequest', async (request, reply) => {
    if (!listAddresses(request).some(isGuarded)) return
    const { origin } = request.headers
    if (origin !== undefined && isNamedOrigin(deps, request, origin)) return openTo(origin, request, reply)
    const isForeign = origin !== undefined ? !isOwnOrigin(deps, request, origin) : isCrossSite(request)
    if (isForeign) throw new Refusal(403, 'FOREIGN_ORIGIN', 'Requests from other websites are not accepted.')
  })
}

/** Whether a browser says that a page of another origin sends it, whatever it asks for, a link that is followed too. */
export function isFromElsewhere(deps: Pick<Dependencies, 'settings'>, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers
  return origin === undefined ? site === 'cross-site' || site === 'same-site' : !isOwnOrigin(deps, request, origin)
}

/** The route that was found: the router takes `/%61pi` for `/api`, too. And the address, where there is no route. */
const listAddresses = ({ routeOptions, url }: FastifyRequest): readonly string[] => [routeOptions.url ?? '', url]

/** Pages themselves may be opened from anywhere, for example by a link in a mail. */
const isGuarded = (address: string): boolean => /^\/(?:api|dicom-web)(?:\/|$|\?)/i.test(address)

const isNamedOrigin = ({ settings }: Dependencies, request: FastifyRequest, origin: string): boolean =>
  listAddresses(request).some((address) => /^\/dicom-web(?:\/|$|\?)/i.test(address)) &&
  settings.dicomwebOrigins.includes(origin)

/** What a page of that origin may send and read (CORS); a preflight is answered at once. */
function openTo(origin: string, request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined {
  // Without `allow-credentials` a browser sends none; what another program sends does not count either.
  request.cookies = {}
  void reply.headers({
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'etag, warning, retry-after, www-authenticate',
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'origin',
  })
  if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return undefined
  return reply
    .headers({
      'access-control-allow-methods': 'GET, HEAD, POST, DELETE, OPTIONS',
      'access-control-allow-headers': 'authorization, accept, content-type, if-none-match',
      'access-control-max-age': '600',
    })
    .status(204)
    .send()
}

/** Without an Origin a browser still tells: following a link to the API document is harmless, anything else is not. */
const isCrossSite = ({ headers, method }: FastifyRequest): boolean =>
  (headers['sec-fetch-site'] === 'cross-site' || headers['sec-fetch-site'] === 'same-site') &&
  !(method === 'GET' && headers['sec-fetch-mode'] === 'navigate')

/** The configured address; without one (demo) the address that the request was sent to. */
export function isOwnOrigin(
  { settings }: Pick<Dependencies, 'settings'>,
  request: FastifyRequest,
  origin: string,
): boolean {
  if (settings.publicUrl !== undefined) return origin === new URL(settings.publicUrl).origin
  return URL.canParse(origin) && new URL(origin).host === request.host
}
