import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../core/credential.ts'
import type { Viewer } from '../core/context.ts'
import { Refusal } from '../core/errors.ts'
import type { ApiTokens } from './apiTokens.ts'
import type { SessionActivity } from './sessionActivity.ts'
import type { Viewers } from './viewers.ts'

/**
 * Who makes a request: a person by a Bearer token or, where the route is open to machines, a machine by its API token.
 * Throws 401. For routes that are not calls of the contract (DICOMweb, uploads) as well; those ask `permits` by
 * themselves.
 */
export async function authenticate(
  { viewers, activity, apiTokens }: { viewers: Viewers; activity: SessionActivity; apiTokens: ApiTokens },
  request: FastifyRequest,
): Promise<Viewer> {
  const machine = request.routeOptions.config.access?.isForMachines ? await apiTokens.findMachine(request) : undefined
  if (machine) return machine.viewer
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
