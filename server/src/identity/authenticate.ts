import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../core/caller.ts'
import type { Viewer } from '../core/context.ts'
import { Refusal } from '../core/errors.ts'
import type { SessionActivity } from './sessionActivity.ts'
import type { Viewers } from './viewers.ts'

/**
 * The viewer of a request with a Bearer token. Throws 401. For routes that are not calls of the
 * contract (DICOMweb, uploads) as well; those ask `permits` themselves.
 */
export async function authenticate(
  { viewers, activity }: { viewers: Viewers; activity: SessionActivity },
  request: FastifyRequest,
): Promise<Viewer> {
  const token = bearerToken(request.headers.authorization)
  const viewer = token === undefined ? undefined : await viewers.of(token)
  if (!viewer)
    throw new Refusal(
      401,
      'NOT_SIGNED_IN',
      'Your session is not valid anymore. Please login again to use the application.',
    )
  // A page asks by itself whether its token is valid; every other call is a person's action.
  if (!/\/account\/validateToken$/i.test(request.routeOptions.url ?? '')) activity.seen(viewer.sessionId)
  return viewer
}
