import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Dependencies } from '../dependencies.ts'
import { Refusal } from '../core/errors.ts'

/**
 * Pages of other origins get nothing (P10): no CORS header is ever sent, and a request that a browser marks as
 * coming from elsewhere is refused before anything is done. Apps without a browser send no Origin and carry a token.
 */
export function registerOrigins(app: FastifyInstance, deps: Dependencies): void {
  app.addHook('onRequest', async (request) => {
    if (!isGuarded(request.url)) return
    const { origin } = request.headers
    const isForeign = origin !== undefined ? !isOwnOrigin(deps, request, origin) : isCrossSite(request)
    if (isForeign) throw new Refusal(403, 'FOREIGN_ORIGIN', 'Requests from other websites are not accepted.')
  })
}

/** Pages themselves may be opened from anywhere, for example by a link in a mail. */
const isGuarded = (url: string): boolean => /^\/(?:api|dicom-web)(?:\/|$|\?)/i.test(url)

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
