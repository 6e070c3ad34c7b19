import type { FastifyRequest } from 'fastify'
import { isProgram } from '../core/caller.ts'
import { bearerToken } from '../core/credential.ts'
import type { Viewer } from '../core/context.ts'
import { Refusal } from '../core/errors.ts'
import type { ApiTokens } from './apiTokens.ts'
import type { RefusedAccess } from './refusedAccess.ts'
import type { SessionActivity } from './sessionActivity.ts'
import type { Viewers } from './viewers.ts'

interface Entrance {
  readonly viewers: Viewers
  readonly activity: SessionActivity
  readonly apiTokens: ApiTokens
  readonly refusedAccess: RefusedAccess
}

/**
 * Who makes a request: a person by a Bearer token or, where the route is open to machines, a machine by its API token.
 * Throws 401, and 403 for a good API token anywhere else. For routes that are not calls of the contract (DICOMweb,
 * uploads) as well; those ask `permits` by themselves.
 */
export async function authenticate(
  { viewers, activity, apiTokens, refusedAccess }: Entrance,
  request: FastifyRequest,
): Promise<Viewer> {
  const isForMachines = request.routeOptions.config.access?.isForMachines === true
  const machine = await apiTokens.findMachine(request)
  if (machine) {
    if (isForMachines) return machine.viewer
    refusedAccess(machine.viewer, request, 'call for people')
    throw forPeople()
  }
  const token = bearerToken(request.headers.authorization)
  const viewer = token === undefined ? undefined : await viewers.of(token)
  if (!viewer && isForMachines && isProgram(request)) throw token === undefined ? withoutToken() : notAToken()
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

const withoutToken = (): Refusal =>
  new Refusal(
    401,
    'NOT_SIGNED_IN',
    'This needs an API token: send Authorization: Bearer dmp_…, or the API token as the password of Basic. Administrators make one under Account > API tokens.',
  )

/** Neither an API token, whose first letters say what it is, nor a session that is alive. */
const notAToken = (): Refusal =>
  new Refusal(
    401,
    'NOT_SIGNED_IN',
    'This Bearer token is not valid. API tokens begin with dmp_; a session may have ended. Make an API token under Account > API tokens, or sign in again.',
  )

/** Who holds a good API token is told what is wrong; of any other the answer is 401 at every door. */
const forPeople = (): Refusal =>
  new Refusal(
    403,
    'NOT_ALLOWED',
    'This call is for people who sign in. API tokens open DICOMweb, uploads and the calls that /api/docs marks for them.',
  )
